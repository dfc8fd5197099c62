"""A scene, a push and a record: the human stands at the foot of a step, is pushed, and the run is saved."""

from pathlib import Path

from understudy.character import load_character
from understudy.simulation import PoseController, Push, Rollout, World, scene, simulate

human = load_character("human")
world = World(scene("stairs"), human)
push = Push(tick=25, body="trunk", force_w=(150.0, 0.0, 0.0), duration_s=0.1)
rollout = simulate(world, PoseController.standing(human), ticks=75, pushes=(push,))

print(f"{rollout.tick_count} ticks at {rollout.rate_hz:.0f} Hz in the scene of {', '.join(rollout.character_names)}")
print(f"the root went from x = {rollout.qpos[0, 0]:.2f} to {rollout.qpos[-1, 0]:.2f} m")

Path("out").mkdir(exist_ok=True)
rollout.save(Path("out") / "pushed.npz")  # `understudy show out/pushed.npz --sheet pushed.png`
again = Rollout.load(Path("out") / "pushed.npz")
print("saved and loaded:", (again.qpos == rollout.qpos).all())
