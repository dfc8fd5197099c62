"""Look at a motion with no display: a contact sheet, and plots; the clip itself is the translucent ghost."""

from pathlib import Path

from understudy.character import fit, load_character
from understudy.motion import authored_clip
from understudy.stage import plot_clip, render_sheet

out = Path("out")
out.mkdir(exist_ok=True)
clip = authored_clip("jump")
reference = fit(clip, load_character("human")).reference

render_sheet(reference, out / "jump.png", ghost=clip, frames=8)
plot_clip(clip, out / "jump_plot.png")
print("open", out / "jump.png", "and", out / "jump_plot.png")
