"""What the fitting found: the Fit and its report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from understudy.character.reference import Reference


@dataclass(frozen=True)
class Match:
    """A body part, the joint of the clip that moves it, and the body of the character it is."""

    part: str
    joint: str
    body: str


@dataclass(frozen=True)
class FloorUse:
    """How poses keep to the floor.

    Attributes:
        worst_penetration_mm, mean_penetration_mm: depth of the deepest part below the floor, over ticks.
        foot_slide_mm_s: mean speed along the floor of the feet's points that are on it.
        floating_mm: mean height above the floor of the points of feet and hands that rest.
    """

    worst_penetration_mm: float
    mean_penetration_mm: float
    foot_slide_mm_s: float
    floating_mm: float


@dataclass(frozen=True)
class LimitUse:
    """A joint the clip bends further than the character can.

    Attributes:
        joint: the MuJoCo joint.
        worst_deg: how far beyond its limit the clip would have it (mm for a slide).
        share: of the ticks.
    """

    joint: str
    worst_deg: float
    share: float


@dataclass(frozen=True)
class FitReport:
    """What was matched, and how well the poses keep to floor and limits.

    Attributes:
        character: whom the clip was fitted to.
        told_by: whether names, the shape of the tree, the user's map, or the same skeleton told the joints.
        posed_by: whether the clip's "rest pose" or its "motion" told how its joints lie in the body; "" when the
            character has the clip's own skeleton.
        matched: the body parts that clip and character both have.
        dropped: joints of the clip that drive nothing.
        unmatched: parts of the character that nothing drives.
        turned_over: parts that the recording shows turned over, and that were turned back, to the share of frames.
        scale: metres of the character per metre of the clip.
        floor_m: how far the scaled clip was lowered to stand on the floor [m].
        floor: how the fitted poses keep to the floor.
        floor_before: the same before the polish for contacts.
        limits: joints asked beyond their limits before they were brought back, the worst first.
    """

    character: str
    told_by: str
    posed_by: str
    matched: tuple[Match, ...]
    dropped: tuple[str, ...]
    unmatched: tuple[str, ...]
    turned_over: Mapping[str, float]
    scale: float
    floor_m: float
    floor: FloorUse
    floor_before: FloorUse
    limits: tuple[LimitUse, ...]

    def __str__(self) -> str:
        lines = [
            f"matched by {self.told_by}: {', '.join(map(_told, self.matched))}",
        ]
        if self.posed_by:
            lines.append(f"joints aligned by the clip's {self.posed_by}")
        if self.dropped:
            lines.append(f"not used: {', '.join(self.dropped)}")
        if self.unmatched:
            lines.append(f"nothing drives: {', '.join(self.unmatched)}")
        for part, share in self.turned_over.items():
            lines.append(f"{part}: turned over in {_percent(share)} of the frames, and turned back")
        lines.append(f"scaled by {self.scale:.3f}, {_moved(self.floor_m)}")
        use = self.floor
        lines.append(
            f"below the floor by at most {use.worst_penetration_mm:.1f} mm, "
            f"by {use.mean_penetration_mm:.1f} mm on average; feet on it slide at {use.foot_slide_mm_s:.1f} mm/s, "
            f"what rests floats by {use.floating_mm:.1f} mm"
        )
        for limit in [limit for limit in self.limits if limit.worst_deg >= 0.5][:5]:
            lines.append(
                f"{limit.joint}: the clip goes {limit.worst_deg:.0f} degrees beyond its limit, "
                f"in {_percent(limit.share)} of the ticks"
            )
        return "\n".join(lines)


@dataclass(frozen=True)
class Fit:
    """A clip fitted to a character, and what was found on the way."""

    reference: Reference
    report: FitReport


def _told(match: Match) -> str:
    return match.body if match.joint == match.body else f"{match.joint} -> {match.body}"


def _percent(share: float) -> str:
    return f"{100.0 * share:.0f} %" if share >= 0.01 else "under 1 %"


def _moved(floor_m: float) -> str:
    size_mm = 1000.0 * abs(floor_m)
    return f"{'lowered' if floor_m > 0.0 else 'raised'} by {size_mm:.0f} mm to stand on the floor"
