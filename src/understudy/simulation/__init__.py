"""Batched physics: scenes, worlds of many simulations, and the records they leave."""

from understudy.simulation.actor import Actor
from understudy.simulation.assembly import assemble
from understudy.simulation.catalog import SCENES, scene
from understudy.simulation.collisions import SelfCollision
from understudy.simulation.contacts import Contacts, TickContacts
from understudy.simulation.controller import Controller, PoseController, ReferenceController, poses_at
from understudy.simulation.divergence import Divergence
from understudy.simulation.elements import (
    Beam,
    Builder,
    Chair,
    Element,
    FreeBall,
    FreeBox,
    Ground,
    Hills,
    Mat,
    Pebbles,
    Platform,
    Rail,
    Ramp,
    RockingChair,
    Solid,
    Stairs,
    VaultBox,
    Wall,
)
from understudy.simulation.facing import Root, root_of
from understudy.simulation.inputs import Inputs
from understudy.simulation.measures import MEASURES, Bodies, BodyContacts, Measure, Momentum
from understudy.simulation.pressure import Pressure, ground_pressure
from understudy.simulation.record import Push, record, replay, simulate
from understudy.simulation.rollout import VERSION as ROLLOUT_VERSION
from understudy.simulation.rollout import Rollout
from understudy.simulation.scene import Scene
from understudy.simulation.state import Layout, State
from understudy.simulation.target import Target
from understudy.simulation.terrain import ground_heights
from understudy.simulation.torques import Torques, torques_of
from understudy.simulation.world import World

__all__ = [
    "MEASURES",
    "ROLLOUT_VERSION",
    "SCENES",
    "Actor",
    "Beam",
    "Bodies",
    "BodyContacts",
    "Builder",
    "Chair",
    "Contacts",
    "Controller",
    "Divergence",
    "Element",
    "FreeBall",
    "FreeBox",
    "Ground",
    "Hills",
    "Inputs",
    "Layout",
    "Mat",
    "Measure",
    "Momentum",
    "Pebbles",
    "Platform",
    "PoseController",
    "Pressure",
    "Push",
    "Rail",
    "Ramp",
    "ReferenceController",
    "RockingChair",
    "Rollout",
    "Root",
    "Scene",
    "SelfCollision",
    "Solid",
    "Stairs",
    "State",
    "Target",
    "TickContacts",
    "Torques",
    "VaultBox",
    "Wall",
    "World",
    "assemble",
    "ground_heights",
    "ground_pressure",
    "poses_at",
    "record",
    "replay",
    "root_of",
    "scene",
    "simulate",
    "torques_of",
]
