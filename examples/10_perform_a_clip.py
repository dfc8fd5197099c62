"""Let a character perform a clip, physically: a moment of a kick, judged, and taken back to the clip's skeleton."""

from pathlib import Path

from understudy.character import returned_clip
from understudy.motion import authored_clip, crop, write_clip
from understudy.reconstruction import Reconstruction, ReconstructionSettings, account_of, perform
from understudy.simulation import replay

clip = crop(authored_clip("kick"), 0.7, 1.3)
settings = ReconstructionSettings(
    samples=150, saved=30, rounds=3, seed=1
)  # fewer samples than the default: to be quick
performed = perform(clip, "human", "flat", settings)

account = account_of(performed)
print(account)  # did it follow, where not, and why
print("the farthest that any body was off:", round(float(account.distances_m.max()), 3), "m")

first = performed.fragments[0]
names = [name for name, offset in zip(performed.offset_names, first.offsets, strict=True) if abs(offset) > 0.1]
print("the first 0.1 s asks for more than 0.1 rad beyond the clip at", ", ".join(names) or "no joint")

out = Path("out")
out.mkdir(exist_ok=True)
performed.save(out / "kick.npz")
again = Reconstruction.load(out / "kick.npz")
print("replayed to the last bit:", bool((replay(again.rollout) == performed.rollout.states).all()))

back = returned_clip(clip, performed.reference, performed.rollout.qpos, performed.rollout.rate_hz)
write_clip(back, out / "kick.bvh")  # for Blender
print("open", out / "kick.bvh", "or: understudy show", out / "kick.npz")
