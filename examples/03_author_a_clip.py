"""Author a clip: key poses in degrees, their times, and what touches the floor; a solver makes a motion of them."""

from pathlib import Path

from understudy.motion import load_authored, write_clip

BOW = """
about = "Bows and stands up again."

[poses.bow]
from = "stand"
pelvis = { pitch = 25 }
spine = { bend = 12 }
chest = { bend = 10 }
both_thigh = { flex = 28 }
both_upper_arm = { flex = 30 }

[[keys]]
at = 0.0
pose = "stand"
hold = 0.3

[[keys]]
at = 1.2
pose = "bow"
hold = 0.4

[[keys]]
at = 2.6
pose = "stand"

[[contacts]]
parts = ["left_foot", "right_foot"]
"""

out = Path("out")
out.mkdir(exist_ok=True)
(out / "bow.toml").write_text(BOW, encoding="utf-8")

clip = load_authored(out / "bow.toml")  # docs/authoring.md lists poses, angles and their signs
head = clip.joint_positions_w[:, clip.skeleton.index("head"), 2]
print(f"{clip.duration_s:.1f} s at {clip.rate_hz:.0f} Hz; the head sinks from {head[0]:.2f} to {head.min():.2f} m")
write_clip(clip, out / "bow.bvh")
