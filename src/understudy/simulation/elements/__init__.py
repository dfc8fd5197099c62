"""The elements scenes are made of."""

from understudy.simulation.elements.chairs import Chair, RockingChair
from understudy.simulation.elements.element import Builder, Element, Solid
from understudy.simulation.elements.ground import Ground
from understudy.simulation.elements.obstacles import Beam, Mat, Rail, VaultBox, Wall
from understudy.simulation.elements.props import FreeBall, FreeBox
from understudy.simulation.elements.rough import Hills, Pebbles
from understudy.simulation.elements.slopes import Platform, Ramp, Stairs

__all__ = [
    "Beam",
    "Builder",
    "Chair",
    "Element",
    "FreeBall",
    "FreeBox",
    "Ground",
    "Hills",
    "Mat",
    "Pebbles",
    "Platform",
    "Rail",
    "Ramp",
    "RockingChair",
    "Solid",
    "Stairs",
    "VaultBox",
    "Wall",
]
