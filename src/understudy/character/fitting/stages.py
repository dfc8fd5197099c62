"""Fitting a Clip to a Character: the stages, in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from understudy.character.character import Character
from understudy.character.fitting.carrying import carried_over
from understudy.character.fitting.floor import floor_height, lift
from understudy.character.fitting.ground import lowest_points
from understudy.character.fitting.kinematics import Kinematics
from understudy.character.fitting.landing import SUNK_M, landed
from understudy.character.fitting.limits import Limits
from understudy.character.fitting.matching import Matching, match
from understudy.character.fitting.measures import floor_use, limit_use
from understudy.character.fitting.polish import Wishes, polish, smoothed
from understudy.character.fitting.posing import first_poses, turn_row
from understudy.character.fitting.report import Fit, FitReport, Match
from understudy.character.fitting.settings import FitSettings
from understudy.character.fitting.steady import footholds, lowered
from understudy.character.fitting.targets import Targets
from understudy.character.fitting.ticks import at_ticks
from understudy.character.fitting.touching import Touching, touching_points
from understudy.character.reference import Reference, velocities
from understudy.motion import Clip
from understudy.progress import Progress
from understudy.rotations import Array

_ROUNDS = 3
_CORE = ("pelvis", "spine", "chest", "neck", "head")


def fit(clip: Clip, character: Character, settings: FitSettings | None = None, progress: Progress | None = None) -> Fit:
    """Fit a clip to a character.

    The clip's joints are matched with the character's bodies, each part's turn is carried over by way of a common
    pose, and the poses are then moved so that legs reach as far as the clip's, feet and hands that rest stay where they
    are, and nothing is below the floor or beyond a joint's limit.

    Args:
        clip: the motion.
        character: who should do it.
        settings: what is asked of the fitting.
        progress: told how many ticks are done, of how many; each is gone over up to three times.

    Raises:
        CharacterError: when the clip's skeleton can't be matched with the character; it says which parts are missing.
        FileError, UnknownNameError: for a map file that makes no sense.
    """
    settings = settings or FitSettings()
    return _Fitting(clip, character, settings, progress).result()


class _Fitting:
    """What the stages share while one clip is fitted."""

    def __init__(
        self, clip: Clip, character: Character, settings: FitSettings, progress: Progress | None = None
    ) -> None:
        self._progress, self._rounds = progress, 0
        self.clip, self.character, self.settings = clip, character, settings
        self.rate_hz = settings.rate_hz or 1.0 / character.physics.tick_s
        self.matching: Matching = match(clip, character, settings.map)
        self.kinematics = Kinematics(character.model)
        self.touching: Touching = touching_points(character)
        targets = carried_over(clip, character, self.matching, settings.scale)
        self.targets: Targets = at_ticks(targets, clip.rate_hz, self.rate_hz)
        driven = {target.body for target in self.targets.bodies}
        self.undriven = tuple(sorted(set(self.matching.bodies.values()) - driven))
        idle = [j for body in self.undriven for j in self.kinematics.joints_of(body)]
        self.limits = Limits(character.model, idle)

    def result(self) -> Fit:
        """Run the stages."""
        first = first_poses(self.kinematics, self.targets, set(self.matching.bodies.values()))
        free = self._with_long_legs(first)
        floor = self._floor(free)
        free[:, 2] -= floor
        self._shift(np.full(len(free), -floor))
        fitted = self._on_the_floor(free)
        return self._told(first, free, fitted, floor)

    def _with_long_legs(self, first: Array) -> Array:
        """Poses whose ankles are as far from the hips as the clip's, within the joint limits."""
        if not self.targets.ankles and not self.limits.beyond(first).any():
            return first
        points = (self.targets.hips, *self.targets.ankles)
        return self._polish(first, Wishes(self.targets.bodies, points), iterations=5)

    def _floor(self, free: Array) -> float:
        if self.settings.floor_m is not None:
            return self.settings.floor_m * self.targets.scale
        return floor_height(self.touching, self.kinematics.postures(free), self.rate_hz)

    def _shift(self, up: Array) -> None:
        """Move where hips and ankles should be, by up (T,) [m]."""
        upward = up[:, None] * np.array([0.0, 0.0, 1.0])
        hips, *ankles = (
            replace(point, places_w=point.places_w + upward) for point in (self.targets.hips, *self.targets.ankles)
        )
        self.targets = replace(self.targets, hips=hips, ankles=tuple(ankles))

    def _on_the_floor(self, free: Array) -> Array:
        """Poses that keep their contacts and stay above the floor, as far as the settings ask for it."""
        start = self._lifted(free) if self.settings.above_floor else free
        shapes = self.touching.parts if self.settings.above_floor else ()
        points = (self.targets.hips, *self.targets.ankles)
        wishes = Wishes(self.targets.bodies, points, None, shapes)
        if self.settings.keep_contacts:
            holds = footholds(self.touching, self.kinematics.postures(start), self.rate_hz)
            wishes = Wishes(self.targets.bodies, points[:1], (self.touching, holds), shapes)
        elif not shapes:
            return start
        polished = self._polish(start, wishes, iterations=8)
        near = smoothed(self.kinematics, start, polished, self.rate_hz)
        if wishes.footholds is not None:
            touching, holds = wishes.footholds
            wishes = replace(wishes, footholds=(touching, lowered(holds, touching, self.kinematics.postures(near))))
        return self._polish(near, replace(wishes, near=near), iterations=5)

    def _polish(self, qpos: Array, wishes: Wishes, iterations: int) -> Array:
        """One of up to three rounds of inverse kinematics."""
        before, self._rounds = self._rounds * len(qpos), self._rounds + 1

        def tell(done: int, total: int) -> None:
            if self._progress is not None:
                self._progress(before + done, _ROUNDS * total)

        return polish(self.kinematics, self.limits, qpos, wishes, iterations, tell)

    def _lifted(self, free: Array) -> Array:
        """Poses with the trunk lifted above the floor, and hands and feet bent to lie on it."""
        roles = {part: self.character.body_index(body) for part, body in self.character.roles.items()}
        core = {body for part, body in roles.items() if part in _CORE}
        trunk = tuple(shape for shape in self.touching.parts if shape.body in core)
        result = np.array(free)
        if trunk:
            heights = lowest_points(trunk, self.kinematics.postures(free))[..., 2].min(axis=1)
            up = lift(heights, self.rate_hz)
            result[:, 2] += up
            self._shift(up)
        postures = self.kinematics.postures(result)
        kinds = {body: kind for part, body in roles.items() for kind in SUNK_M if part.endswith(kind)}
        bodies = []
        for target in self.targets.bodies:
            kind = kinds.get(target.body)
            bent = landed(target, kind, self.touching.parts, postures, self.rate_hz) if kind else target
            if bent is not target:
                turn_row(self.kinematics, postures, result, [target.body], bent)
            bodies.append(bent)
        self.targets = replace(self.targets, bodies=tuple(bodies))
        return result

    def _told(self, first: Array, free: Array, fitted: Array, floor: float) -> Fit:
        """The Fit with its report."""
        asked = limit_use(self.limits, self.limits.beyond(first))
        joints, bodies, matching = self.clip.skeleton.names, self.character.body_names, self.matching
        used = {matching.joints[part] for part in matching.shared}
        report = FitReport(
            character=self.character.name,
            told_by=matching.told_by,
            posed_by=self.targets.posed_by,
            matched=tuple(Match(p, joints[matching.joints[p]], bodies[matching.bodies[p]]) for p in matching.shared),
            dropped=tuple(name for j, name in enumerate(joints) if j not in used),
            unmatched=tuple(p for p, body in matching.bodies.items() if body in self.undriven),
            turned_over=self.targets.turned_over,
            scale=self.targets.scale,
            floor_m=floor,
            floor=floor_use(self.touching, self.kinematics.postures(fitted), self.rate_hz),
            floor_before=floor_use(self.touching, self.kinematics.postures(free), self.rate_hz),
            limits=asked,
        )
        qvel = velocities(self.character.model, fitted, self.rate_hz)
        notes = tuple(str(report).splitlines())
        return Fit(Reference(self.character, self.rate_hz, fitted, qvel, self.clip.name, notes), report)
