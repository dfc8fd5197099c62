"""A camera that walks along: three quarters from the front, smooth, and never losing the figure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from understudy.records import frozen
from understudy.rotations import Array
from understudy.stage.staging import Staging

FIELD_OF_VIEW_RAD = float(np.radians(45.0))  # vertical; MuJoCo's own default
PATH_RATE_HZ, PATH_LONGEST = 12.0, 6_000  # how finely a motion is looked through before it is drawn
_TURN_SMOOTHING_S, _PLACE_SMOOTHING_S, _ZOOM_WINDOW_S = 1.2, 0.35, 0.8
_THREE_QUARTERS_RAD = np.radians(130.0)  # from the heading to where the camera looks: it sees front and right side
_ELEVATION_RAD = np.radians(-11.0)
_MARGIN = 0.84  # the share of the picture's height and width the figure may fill
_ALL_ROUND = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
_SCENERY_ZOOM = 1.25  # how much further it stays when there is more to see than the figure
_GHOST_ZOOM = 1.5  # how much further the camera goes back for a ghost that has left


@dataclass(frozen=True)
class View:
    """Where the camera looks from: MuJoCo's free camera.

    Attributes:
        lookat_w: (3,) the place in the middle of the picture [m].
        distance_m: from there to the camera.
        azimuth_rad: direction of sight about the vertical, 0 along +x.
        elevation_rad: of the direction of sight, negative looking down.
    """

    lookat_w: Array
    distance_m: float
    azimuth_rad: float
    elevation_rad: float = float(_ELEVATION_RAD)

    def __post_init__(self) -> None:
        frozen(self, lookat_w=np.array(self.lookat_w, float))

    @property
    def axes_w(self) -> Array:
        """(3, 3) rows: the picture's right, its up, and the direction of sight, in the world."""
        return _axes(self.azimuth_rad, self.elevation_rad)

    @property
    def visible_height_m(self) -> float:
        """How much of the plane through the middle of the picture fits into its height [m]."""
        return 2.0 * self.distance_m * float(np.tan(0.5 * FIELD_OF_VIEW_RAD))

    @property
    def position_w(self) -> Array:
        """(3,) the camera's place [m]."""
        return self.lookat_w - self.distance_m * self.axes_w[2]


class Camera:
    """Views of a staged performance at any time, from one look through all of it.

    The middle of the picture is the low-passed middle of the figure; the azimuth the low-passed heading plus
    three quarters; the distance the smallest, smoothed, from which the whole figure is inside the margin.
    """

    def __init__(self, staging: Staging, aspect: float, *, moments: Sequence[float] | None = None) -> None:
        """aspect is width over height; for pictures of a few moments [s] distance and azimuth stay the same."""
        self._aspect, self._staging = aspect, staging
        duration = staging.performance.duration_s
        if moments is None:
            count = int(np.clip(np.ceil(duration * PATH_RATE_HZ) + 1, 1, PATH_LONGEST))
            self._times = np.linspace(0.0, duration, count)
        else:
            self._times = np.unique(np.asarray(moments, float))
        seen = [self._look(time) for time in self._times]
        self._middles = np.array([look.middle_w for look in seen])
        headings = np.array([look.heading for look in seen])
        if moments is None:
            rate_hz = (count - 1) / duration if duration > 0.0 else 1.0
            self._middles = np.stack(
                [_low_pass(axis, _PLACE_SMOOTHING_S * rate_hz) for axis in self._middles.T], axis=1
            )
            self._azimuths = _smooth_azimuths(headings, _TURN_SMOOTHING_S * rate_hz)
            self._distances = _smooth_above(self._needed(seen), _ZOOM_WINDOW_S * rate_hz)
        else:
            self._azimuths = _smooth_azimuths(np.full(len(seen), headings.mean()), 1.0)
            self._distances = np.full(len(seen), self._needed(seen).max())

    def view(self, time_s: float, turn_rad: float = 0.0) -> View:
        """The view at that time, the camera gone round the figure by turn_rad."""
        middle = np.array([np.interp(time_s, self._times, self._middles[:, i]) for i in range(3)])
        azimuth = float(np.interp(time_s, self._times, self._azimuths)) + turn_rad
        distance = float(np.interp(time_s, self._times, self._distances))
        corners = self._look(time_s).figure_w - middle  # quick moves between the looks must stay inside too
        if turn_rad:
            return View(middle, max(_fit(corners, a, self._aspect) for a in _ALL_ROUND), azimuth)
        return View(middle, max(distance, _MARGIN * _fit(corners, azimuth, self._aspect)), azimuth)

    def _look(self, time_s: float) -> _Look:
        staging = self._staging
        staging.pose(time_s)
        figure = staging.corners(staging.figure_geoms)
        if not len(figure):
            figure = np.zeros((1, 3))
        ghost = staging.corners(staging.ghost_geoms) if staging.ghost is not None else figure[:0]
        forward = staging.forward()
        middle = 0.5 * (figure.min(axis=0) + figure.max(axis=0))
        return _Look(figure, ghost, middle, complex(forward[0], forward[1]))

    def _needed(self, seen: Sequence[_Look]) -> Array:
        """(T,) the least distance [m] at each look."""
        return np.array([self._distance(look, i) for i, look in enumerate(seen)])

    def _distance(self, look: _Look, index: int) -> float:
        middle, azimuth = self._middles[index], float(self._azimuths[index])
        alone = _fit(look.figure_w - middle, azimuth, self._aspect)
        if self._staging.has_scenery:
            alone *= _SCENERY_ZOOM
        if not len(look.ghost_w):
            return alone
        return max(alone, min(_fit(look.ghost_w - middle, azimuth, self._aspect), _GHOST_ZOOM * alone))


@dataclass(frozen=True)
class _Look:
    """What there is to see at one time: corners (N, 3), the middle (3,) [m], and the heading as a complex number."""

    figure_w: Array
    ghost_w: Array
    middle_w: Array
    heading: complex


def _axes(azimuth_rad: float, elevation_rad: float) -> Array:
    cos_a, sin_a = np.cos(azimuth_rad), np.sin(azimuth_rad)
    cos_e, sin_e = np.cos(elevation_rad), np.sin(elevation_rad)
    return np.array(
        [[sin_a, -cos_a, 0.0], [-cos_a * sin_e, -sin_a * sin_e, cos_e], [cos_a * cos_e, sin_a * cos_e, sin_e]]
    )


def _fit(places: Array, azimuth_rad: float, aspect: float) -> float:
    """The distance [m] from which places (N, 3) around the middle of the picture are all inside the margin."""
    right, up, ahead = _axes(azimuth_rad, float(_ELEVATION_RAD)) @ places.T
    tall = _MARGIN * np.tan(0.5 * FIELD_OF_VIEW_RAD)
    return float(np.max(np.maximum(np.abs(up) / tall, np.abs(right) / (tall * aspect)) - ahead))


def _smooth_azimuths(headings: Array, width: float) -> Array:
    """(T,) azimuths [rad] that follow headings (T,) (complex) slowly; a root that points up or down has little say."""
    smooth = _low_pass(headings.real, width) + 1j * _low_pass(headings.imag, width)
    sure = np.abs(smooth) > 0.1
    if not sure.any():
        return np.full(len(headings), _THREE_QUARTERS_RAD)
    angles = np.unwrap(np.angle(smooth[sure]))
    index = np.arange(len(headings))
    filled = np.interp(index, index[sure], angles)
    return _low_pass(filled, 0.5 * width) + _THREE_QUARTERS_RAD


def _low_pass(values: Array, width: float) -> Array:
    """(T,) averaged with the weights of a Gaussian that many samples wide; beyond its ends a curve stays level."""
    half = int(np.ceil(3.0 * width))
    weights = np.exp(-0.5 * (np.arange(-half, half + 1) / max(width, 1e-9)) ** 2)
    return np.convolve(np.pad(values, half, mode="edge"), weights / weights.sum(), mode="valid")


def _smooth_above(needed: Array, half_width: float) -> Array:
    """A smooth curve nowhere below needed (T,): each value averages maxima of windows that all hold its own time."""
    half = int(np.ceil(half_width))
    if half < 1 or len(needed) < 3:
        return np.full(len(needed), needed.max())
    highest = sliding_window_view(np.pad(needed, half, mode="edge"), 2 * half + 1).max(axis=1)
    weights = np.hanning(2 * half + 3)[1:-1]
    return np.convolve(np.pad(highest, half, mode="edge"), weights / weights.sum(), mode="valid")
