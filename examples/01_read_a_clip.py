"""Read a clip: any BVH, ASF/AMC, AMASS npz or DeepMimic file. Here a bundled clip, written as BVH and read back."""

from pathlib import Path

from understudy.motion import authored_clip, contact_labels, describe, read_clip, write_clip

folder = Path("out")
folder.mkdir(exist_ok=True)
write_clip(authored_clip("walk"), folder / "walk.bvh")

reading = read_clip(folder / "walk.bvh")  # the format is told by the content
for guess in reading.guesses:  # what the file does not say, and the setting that overrules each guess
    print(guess)

clip = reading.clip  # SI units, z up, quaternions w first
print(f"{clip.name}: {clip.frame_count} frames at {clip.rate_hz:.0f} Hz, {len(clip.skeleton)} joints")
print(f"stature {describe(clip).stature_m:.2f} m, travels {describe(clip).travel_m:.2f} m")
print("joint places", clip.joint_positions_w.shape, "[frame, joint, xyz] in metres")

contacts = contact_labels(clip)
for name, labels in zip(contacts.names, contacts.labels.T, strict=True):
    print(f"{name:>12} on the ground {100 * labels.mean():3.0f} % of the time")
