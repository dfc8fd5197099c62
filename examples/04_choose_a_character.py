"""Characters: from the papers' tables, from a clip's own skeleton, or from any MJCF model."""

from pathlib import Path

from understudy.character import CHARACTERS, adopt, character_from_clip, load_character, write_character
from understudy.motion import authored_clip, scale

for name in CHARACTERS:
    character = load_character(name)
    print(f"{name:>15}: {character.model.nv} degrees of freedom, {character.mass_kg:.1f} kg")

hip = load_character("human").joint("left_hip")
print("the human's hip:", hip.kp, "N m/rad,", hip.kd, "N m s/rad, sampling window", hip.window_rad, "rad")

child = character_from_clip(scale(authored_clip("walk"), 0.7))  # the clip's own joints, masses for its size
print(f"a child of {child.mass_kg:.1f} kg with {len(child.joints)} joints")

out = Path("out")
out.mkdir(exist_ok=True)
write_character(child, out / "child.npz")  # load_character("out/child.npz") brings it back

(out / "hopper.xml").write_text(
    """
    <mujoco>
      <worldbody>
        <body name="torso" pos="0 0 1">
          <freejoint/>
          <geom type="box" size=".1 .1 .2"/>
          <body name="leg" pos="0 0 -.2">
            <joint name="knee" type="hinge" axis="0 1 0" range="-90 90"/>
            <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05"/>
          </body>
        </body>
      </worldbody>
      <actuator><motor joint="knee" gear="50"/></actuator>
    </mujoco>
    """
)
hopper = adopt(out / "hopper.xml")  # motors become PD servos; what was guessed is told
print(f"an adopted {hopper.name}:", *hopper.guesses, sep="\n  ")
