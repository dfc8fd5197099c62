"""The show: pictures, videos and plots of clips, characters, references and rollouts."""

from understudy.stage.performance import Subject
from understudy.stage.sheet import Progress, render_sheet
from understudy.stage.video import render_video

__all__ = ["Progress", "Subject", "render_sheet", "render_video"]
