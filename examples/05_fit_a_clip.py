"""Fit a clip to a character: what the character should do at each control tick, and how well it can."""

from pathlib import Path

from understudy.character import fit, load_character
from understudy.motion import authored_clip

fitted = fit(authored_clip("cartwheel"), load_character("human"))
print(fitted.report)  # what was matched and dropped, penetration, foot sliding, joint limits

reference = fitted.reference
print(f"{reference.tick_count} ticks at {reference.rate_hz:.0f} Hz")
print("qpos", reference.qpos.shape, "and qvel", reference.qvel.shape, "in MuJoCo's layout")
head = reference.bodies.positions_w[:, reference.character.body_index("head")]
print(f"the head is between {head[:, 2].min():.2f} and {head[:, 2].max():.2f} m high")

Path("out").mkdir(exist_ok=True)
reference.save(Path("out") / "cartwheel.npz")
