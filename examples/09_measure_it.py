"""Measure how well a motion follows another: success, E_g, E_l and E_acc over all bodies, at 30 Hz."""

from understudy.character import fit, load_character
from understudy.cost import compare, track_of
from understudy.motion import authored_clip
from understudy.simulation import ReferenceController, Scene, World, simulate

human = load_character("human")
reference = fit(authored_clip("squat"), human).reference

world = World(Scene(), human)
world.reset_to(reference)
controller = ReferenceController(reference, world.rate_hz)
rollout = simulate(world, controller, controller.tick_count)  # plain PD tracking: nothing learned yet

print(compare(track_of(rollout), track_of(reference)))
