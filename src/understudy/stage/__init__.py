"""The show: pictures, videos and plots of clips, characters, references and rollouts."""

from understudy.stage.gltf import write_glb
from understudy.stage.opening import open_pair, open_subject, open_track
from understudy.stage.performing import write_performance
from understudy.stage.picture import Picture, picture
from understudy.stage.plot import plot
from understudy.stage.plot_pressure import plot_pressure
from understudy.stage.plot_rollout import plot_rollout
from understudy.stage.plots import plot_clip, plot_costs, plot_reference
from understudy.stage.report import write_report
from understudy.stage.sheet import render_sheet, sheet_size
from understudy.stage.subject import Subject
from understudy.stage.video import render_video
from understudy.stage.viewer import show

__all__ = [
    "Picture",
    "Subject",
    "open_pair",
    "open_subject",
    "open_track",
    "picture",
    "plot",
    "plot_clip",
    "plot_costs",
    "plot_pressure",
    "plot_reference",
    "plot_rollout",
    "render_sheet",
    "render_video",
    "sheet_size",
    "show",
    "write_glb",
    "write_performance",
    "write_report",
]
