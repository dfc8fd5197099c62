"""Makes the pictures of the README and the docs anew: ``make pictures``."""

from pathlib import Path

from draw_characters import draw_characters
from draw_scenes import draw_scenes

from understudy.character import fit, load_character
from understudy.motion import authored_clip
from understudy.reconstruction import ReconstructionSettings, perform
from understudy.stage import plot_clip, render_sheet

PICTURES = Path(__file__).parent / "pictures"


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    cartwheel, walk = authored_clip("cartwheel"), authored_clip("walk")
    fitted = fit(cartwheel, load_character("human")).reference
    render_sheet(fitted, PICTURES / "cartwheel.png", ghost=cartwheel, frames=12)
    render_sheet(walk, PICTURES / "walk_clip.png", frames=6)
    plot_clip(walk, PICTURES / "walk_plot.png")
    kick = perform(authored_clip("kick"), settings=ReconstructionSettings(samples=300))
    render_sheet(kick.rollout, PICTURES / "kick_performed.png", kick.reference, title="kick on human  ·  2.70 s")
    draw_characters(PICTURES / "characters.png")
    draw_scenes(PICTURES / "scenes.png")


if __name__ == "__main__":
    main()
