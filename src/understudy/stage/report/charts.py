"""The charts of a report. All have the same width and margins, so that their times lie below each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np

from understudy.character import CharacterJoint, Reference, floor_contacts
from understudy.cost import FAR_M
from understudy.reconstruction import ASTRAY_M, Account, Reconstruction
from understudy.rotations import Array, BoolArray, IntArray
from understudy.simulation import Torques, torques_of
from understudy.stage import look
from understudy.stage.chart import LINES, Chart, draw_bars, draw_dashes, draw_lines, draw_stack
from understudy.stage.landmarks import Landmarks, landmarks_of_reference
from understudy.stage.plot_rollout import figures_of, support

_LABEL = 16  # letters
_HEIGHTS = (("head", look.CENTRE), ("pelvis", look.GHOST), ("left_foot", look.LEFT), ("right_foot", look.RIGHT))
_MOST_JOINTS = 5


@dataclass(frozen=True)
class Panel:
    """A chart with what it shows in words."""

    title: str
    caption: str
    svg: bytes


@dataclass(frozen=True)
class Shown:
    """What the charts are of: the performance, its account, and its torques."""

    reconstruction: Reconstruction
    account: Account
    torques: Torques

    @property
    def times_s(self) -> Array:
        """(T,) of the rollout's ticks [s]."""
        rollout = self.reconstruction.rollout
        return np.arange(rollout.tick_count) / rollout.rate_hz

    @property
    def span_s(self) -> tuple[float, float]:
        """From the first to the last of all times that are shown [s]."""
        return 0.0, max(self.reconstruction.reference.duration_s, 1e-3)


def panels(reconstruction: Reconstruction, account: Account) -> list[Panel]:
    """All charts for which there is something to draw."""
    shown = Shown(reconstruction, account, torques_of(reconstruction.rollout))
    return [panel for draw in _DRAWN if (panel := draw(shown)) is not None]


def _distance(shown: Shown) -> Panel:
    chart, axes = _chart("m", shown)
    times, off = shown.account.times_s, shown.account.distances_m
    for astray in shown.account.astray:
        axes.axvspan(astray.stretch.begin_s, astray.stretch.end_s, color=look.RIGHT, alpha=0.10, linewidth=0)
    mean, farthest = off.mean(axis=1), off.max(axis=1)
    draw_dashes(axes, np.array(shown.span_s), [(np.full(2, FAR_M), look.INK)])
    lines = [("all bodies", mean, look.RIGHT), ("the farthest", farthest, look.FAINT)]
    _lines(axes, shown, times, lines)
    axes.set_ylim(bottom=0.0)
    caption = (
        "How far the bodies are from where they should be, in the world: the mean over all of them, and the farthest. "
        f"A performance fails where the mean is above the dashed line at {FAR_M:g} m; where it is above {ASTRAY_M:g} m "
        "is shaded."
    )
    return Panel("Distance from the clip", caption, chart.svg())


def _heights(shown: Shown) -> Panel | None:
    reconstruction = shown.reconstruction
    wanted = landmarks_of_reference(reconstruction.reference)
    performed = landmarks_of_reference(_performed(reconstruction))
    parts = [(part, colour) for part, colour in _HEIGHTS if part in wanted.places_w]
    if not parts:
        return None
    chart, axes = _chart("m", shown)
    draw_dashes(axes, wanted.times_s, [(wanted.places_w[part][:, 2], colour) for part, colour in parts])
    lines = [(part.replace("_", " "), _height(performed, part), colour) for part, colour in parts]
    _lines(axes, shown, performed.times_s, lines)
    return Panel("Heights", "Solid what was performed, dashed what the clip asks for.", chart.svg())


def _contacts(shown: Shown) -> Panel | None:
    reference, rollout = shown.reconstruction.reference, shown.reconstruction.rollout
    ends = reference.character.end_effectors
    if not ends:
        return None
    wanted, touching = floor_contacts(reference), rollout.contacts.touching(reference.character.body_names)
    times = np.arange(max(reference.tick_count, rollout.tick_count)) / rollout.rate_hz
    rows = []
    for name in ends:
        colour = next((c for side, c in (("left", look.LEFT), ("right", look.RIGHT)) if side in name), look.CENTRE)
        own = _at_or_below(reference.character.model, reference.character.body_index(name))
        limb = np.asarray(touching[:, own].any(axis=1))
        rows += [
            (name.replace("_", " "), _filled(limb, times), colour),
            ("clip", _filled(wanted.of(name), times), look.FAINT),
        ]
    chart, axes = _chart("", shown, height=0.34 + 0.22 * len(rows))
    draw_bars(axes, times, rows)
    axes.set_xlim(shown.span_s)
    caption = "When feet and hands are on the ground: coloured in the performance, grey below it in the clip."
    return Panel("Contacts", caption, chart.svg())


def _ground_force(shown: Shown) -> Panel:
    rollout = shown.reconstruction.rollout
    chart, axes = _chart("of the weight", shown, height=1.9)
    figure = figures_of(rollout)[0]
    draw_dashes(axes, np.array(shown.span_s), [(np.ones(2), look.FAINT)])
    _lines(axes, shown, shown.times_s, [("ground force", support(rollout, figure) / figure.weight_n, look.FORCE)])
    caption = "The upward force of everything the character touches, over its weight: 1 standing still, 0 in flight."
    return Panel("Ground force", caption, chart.svg())


def _joint_torques(shown: Shown) -> Panel | None:
    character, torques = shown.reconstruction.reference.character, shown.torques.joints_nm
    if not len(torques):
        return None
    model = shown.reconstruction.rollout.model
    sizes = {joint.name: np.linalg.norm(torques[:, _dofs(model, joint)], axis=1) for joint in character.joints}
    largest = sorted(sizes, key=lambda name: -float(np.square(sizes[name]).mean()))[:_MOST_JOINTS]
    chart, axes = _chart("N m", shown, height=2.6)
    lines = [(name.replace("_", " "), sizes[name], colour) for name, colour in zip(largest, LINES, strict=False)]
    _lines(axes, shown, shown.times_s[:-1], lines)
    caption = (
        f"The size of the torque of the {len(lines)} joints that work hardest, at the beginning of each control tick."
    )
    return Panel("Joint torques", caption, chart.svg())


def _costs(shown: Shown) -> Panel | None:
    reconstruction = shown.reconstruction
    ends = reconstruction.bounds[1:] / reconstruction.rollout.rate_hz
    known = np.isfinite(list(reconstruction.costs.values())).all(axis=0) if reconstruction.costs else np.zeros(0, bool)
    if not known.any():
        return None
    chart, axes = _chart("cost", shown)
    terms = {name.replace("_", " "): term[known] for name, term in reconstruction.costs.items()}
    draw_stack(axes, ends[known], terms)
    axes.set_xlim(shown.span_s)
    caption = "What the search was to make small, at the end of each fragment, its terms one on top of the other."
    return Panel("Cost", caption, chart.svg())


def _rounds(shown: Shown) -> Panel:
    reconstruction = shown.reconstruction
    bounds = reconstruction.bounds / reconstruction.rollout.rate_hz
    chart, axes = _chart("rounds", shown, height=1.5)
    axes.bar(bounds[:-1], reconstruction.rounds, 0.86 * np.diff(bounds), align="edge", color=look.LEFT, linewidth=0)
    axes.set_xlim(shown.span_s)
    axes.yaxis.get_major_locator().set_params(integer=True)
    caption = "How many rounds of samples each fragment took: where the search worked hardest."
    return Panel("Where the search worked", caption, chart.svg())


_DRAWN: Sequence[Callable[[Shown], Panel | None]] = (
    _distance,
    _heights,
    _contacts,
    _ground_force,
    _joint_torques,
    _costs,
    _rounds,
)


def _chart(unit: str, shown: Shown, *, height: float = 2.3) -> tuple[Chart, Any]:
    chart = Chart("", 1, 1, row_height=height, longest_label=_LABEL)
    axes = chart.panel(chart.grid[0, 0], "", unit)
    axes.set_xlim(shown.span_s)
    return chart, axes


def _lines(axes: Any, shown: Shown, times_s: Array, lines: Sequence[tuple[str, Array, look.Colour]]) -> None:
    draw_lines(axes, times_s, lines)
    axes.set_xlim(shown.span_s)


def _performed(reconstruction: Reconstruction) -> Reference:
    """The rollout's character alone, as a motion of its own."""
    character, rollout = reconstruction.reference.character, reconstruction.rollout
    nq, nv = character.model.nq, character.model.nv
    return Reference(character, rollout.rate_hz, rollout.qpos[:, :nq], rollout.qvel[:, :nv])


def _height(landmarks: Landmarks, part: str) -> Array:
    return landmarks.places_w[part][:, 2]


def _at_or_below(model: mujoco.MjModel, body: int) -> IntArray:
    """Indices of a body (counted without the world) and of all that hangs on it."""
    found = [body]
    for other in range(body + 1, model.nbody - 1):
        if model.body_parentid[other + 1] - 1 in found:
            found.append(other)
    return np.array(found)


def _filled(labels: BoolArray, times_s: Array) -> BoolArray:
    """Labels as long as times, false where there were none."""
    return np.pad(np.asarray(labels), (0, len(times_s) - len(labels)))


def _dofs(model: mujoco.MjModel, joint: CharacterJoint) -> list[int]:
    """The columns of qvel that a joint of the only character turns."""
    result: list[int] = []
    for name in joint.mujoco_joints:
        found = model.joint(name)
        begin = int(found.dofadr[0])
        result += range(begin, begin + (3 if found.type[0] == mujoco.mjtJoint.mjJNT_BALL else 1))
    return result
