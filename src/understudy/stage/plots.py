"""Plots of clips, references and costs: angles, heights and contacts over time."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import mujoco
import numpy as np
from numpy.typing import ArrayLike

from understudy import rotations
from understudy.character import Reference, floor_contacts
from understudy.errors import ClipError, UnderstudyError
from understudy.motion import Clip, Contacts, contact_labels
from understudy.rotations import Array
from understudy.stage import look
from understudy.stage.chart import LINES, Chart, check_ending, draw_bars, draw_lines, draw_stack
from understudy.stage.landmarks import FLEXIONS, Landmarks, landmarks_of_clip, landmarks_of_reference

_SIDES = (("left", look.LEFT), ("right", look.RIGHT))
_HEIGHTS = (("head", look.CENTRE), ("left_hand", look.LEFT), ("right_hand", look.RIGHT), ("pelvis", look.GHOST))


def plot_clip(clip: Clip, path: str | Path) -> None:
    """Draw flexion of the main joints, heights, and contacts of a clip."""
    check_ending(Path(path))
    landmarks = landmarks_of_clip(clip)
    chart = Chart(f"{clip.name} · {clip.duration_s:.2f} s at {clip.rate_hz:.4g} Hz", 3, 2, longest_label=14)
    if not _draw_flexions(chart, landmarks):
        turns = np.degrees(np.linalg.norm(rotations.log(clip.rotations), axis=-1))  # (T, J)
        _draw_busiest(chart, clip.times_s, dict(zip(clip.skeleton.names[1:], turns.T[1:], strict=True)))
    _draw_heights(chart, landmarks)
    _draw_contacts(chart, _contacts_of(clip))
    chart.save(path)


def plot_reference(reference: Reference, path: str | Path) -> None:
    """Draw flexion of the main joints, heights, and contacts of a reference."""
    check_ending(Path(path))
    landmarks = landmarks_of_reference(reference)
    title = (
        f"{reference.name} on {reference.character.name} · {reference.duration_s:.2f} s at {reference.rate_hz:.4g} Hz"
    )
    chart = Chart(title, 3, 2)
    if not _draw_flexions(chart, landmarks):
        _draw_busiest(chart, landmarks.times_s, _joint_turns(reference))
    _draw_heights(chart, landmarks)
    _draw_contacts(chart, floor_contacts(reference) if reference.character.end_effectors else None)
    chart.save(path)


def plot_costs(terms: Mapping[str, ArrayLike], rate_hz: float, path: str | Path, title: str = "costs") -> None:
    """Draw named terms (T,) over time, lower is better, stacked so that the top line is their sum."""
    check_ending(Path(path))
    values = {name: np.asarray(term, float) for name, term in terms.items()}
    lengths = {len(term) for term in values.values()}
    if len(lengths) != 1 or 0 in lengths:
        raise UnderstudyError(f"cost terms must be of one length, not {sorted(lengths)}")
    times = np.arange(lengths.pop()) / rate_hz
    chart = Chart(title, 1, 1, row_height=3.2, longest_label=max(map(len, values)))
    axes = chart.panel(chart.grid[0, 0], "Terms, one on top of the other", "cost")
    draw_stack(axes, times, values)
    chart.save(path)


def _draw_flexions(chart: Chart, landmarks: Landmarks) -> bool:
    """Hips, knees, shoulders and elbows; False when there are none of them."""
    drawn = False
    for index, joint in enumerate(FLEXIONS):
        lines = [
            (side, angles, colour) for side, colour in _SIDES if (angles := landmarks.flexion(joint, side)) is not None
        ]
        if lines:
            axes = chart.panel(chart.grid[index // 2, index % 2], f"{joint.capitalize()} flexion", "degrees")
            draw_lines(axes, landmarks.times_s, lines, least_range=20.0)
            drawn = True
    return drawn


def _draw_busiest(chart: Chart, times_s: Array, turns_deg: Mapping[str, Array]) -> None:
    """For a body without our joints: how far (T,) those that move most are turned from rest."""
    busiest = sorted(turns_deg, key=lambda name: -float(np.ptp(turns_deg[name])))
    axes = chart.panel(chart.grid[:2, :], "Joints that move most, turned from rest", "degrees")
    lines = [(name, turns_deg[name], colour) for name, colour in zip(busiest, LINES, strict=False)]
    draw_lines(axes, times_s, lines, least_range=20.0)


def _joint_turns(reference: Reference) -> dict[str, Array]:
    """Turning joint to how far (T,) it is from rest [deg]: hinges with their sign, balls without."""
    model, turns = reference.character.model, {}
    for joint in range(model.njnt):
        name, begin = model.joint(joint).name, int(model.jnt_qposadr[joint])
        if model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_HINGE:
            turns[name] = np.degrees(reference.qpos[:, begin])
        elif model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_BALL:
            turns[name] = np.degrees(np.linalg.norm(rotations.log(reference.qpos[:, begin : begin + 4]), axis=1))
    return turns


def _draw_heights(chart: Chart, landmarks: Landmarks) -> None:
    axes = chart.panel(chart.grid[2, 0], "Heights", "m")
    lines: list[tuple[str, Array, look.Colour]] = [
        (part.replace("_", " "), landmarks.places_w[part][:, 2], colour)
        for part, colour in _HEIGHTS
        if part in landmarks.places_w
    ]
    if "pelvis" not in landmarks.places_w:
        lines.append(("root", landmarks.root_w[:, 2], look.GHOST))
    draw_lines(axes, landmarks.times_s, [*lines, ("lowest", landmarks.lowest_m, look.FAINT)], least_range=0.2)


def _draw_contacts(chart: Chart, contacts: Contacts | None) -> None:
    axes = chart.panel(chart.grid[2, 1], "Contacts with the ground", "")
    if contacts is None:
        axes.set_axis_off()
        return
    times = np.arange(len(contacts.labels)) / contacts.rate_hz
    rows = [(name.replace("_", " "), contacts.of(name), _side_colour(name)) for name in contacts.names]
    draw_bars(axes, times, rows)


def _contacts_of(clip: Clip) -> Contacts | None:
    try:
        return contact_labels(clip)
    except ClipError:  # neither feet nor hands could be told
        return None


def _side_colour(name: str) -> look.Colour:
    return next((colour for side, colour in _SIDES if side in name), look.CENTRE)
