"""Edit a clip: every edit is a plain function from a Clip to a new Clip."""

from pathlib import Path

from understudy.motion import authored_clip, concatenate, crop, low_pass, mirror, repeat, resample, retime, write_clip

walk, kick = authored_clip("walk"), authored_clip("kick")

left_kick = mirror(kick)  # the other leg
slow = retime(crop(kick, 0.0, 1.0), speed=0.5)
far = repeat(walk, cycles=4)  # goes on from where each cycle ends
routine = concatenate([far, kick, left_kick], blend_s=0.3)  # aligned in place and heading
smooth = low_pass(resample(routine, 30.0), cutoff_hz=8.0)

for name, clip in {"slow": slow, "far": far, "routine": smooth}.items():
    print(f"{name:>8}: {clip.duration_s:5.2f} s, ends at x = {clip.root_positions[-1, 0]:5.2f} m")

Path("out").mkdir(exist_ok=True)
write_clip(smooth, Path("out") / "routine.bvh")  # opens in Blender
