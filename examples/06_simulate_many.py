"""Simulate many at once: 64 humans follow a walk with different noise; the state of the best is kept and goes on."""

import numpy as np

from understudy.character import fit, load_character
from understudy.motion import authored_clip
from understudy.simulation import ReferenceController, Scene, Target, World

human = load_character("human")
reference = fit(authored_clip("walk"), human).reference
world = World(Scene(), human, n_simulations=64, measures=("momentum",))
world.reset_to(reference)

controller = ReferenceController(reference, world.rate_hz)
generator = np.random.default_rng(0)
for tick in range(20):
    asked = controller.act(world.get_states(), tick).positions
    noisy = asked + 0.05 * generator.standard_normal((64, asked.shape[1]))  # quaternions are normalised for you
    world.advance(Target(noisy))

heights = world.momentum().mass_centre_w[:, 2]
best = int(np.argmax(heights))
print(f"after {20 * world.tick_s:.2f} s the centres of mass are {heights.min():.2f} to {heights.max():.2f} m high")

world.set_states(world.get_states(best))  # all 64 go on from the best one, exactly as it would have
world.advance(controller.act(world.get_states(), 20))
print("all equal again:", bool(np.ptp(world.momentum().mass_centre_w, axis=0).max() == 0.0))
