"""The proportions of an average adult, in a T-pose facing +x with the soles on z = 0.

Heights and widths as fractions of stature follow Drillis and Contini (1966), as printed in D. A. Winter,
"Biomechanics and Motor Control of Human Movement" (4th ed. 2009), Fig. 4.1: ankle 0.039, knee 0.285, hip 0.530,
shoulder 0.818, upper arm 0.186, forearm 0.146, hand 0.108, foot length 0.152. Joint centres inside the trunk, which
that figure does not give (waist, thorax, neck, sternoclavicular and hip joints), follow P. de Leva, "Adjustments to
Zatsiorsky-Seluyanov's segment inertia parameters", J. Biomechanics 29 (1996), rounded to 0.005 of stature.
"""

from __future__ import annotations

import numpy as np

from understudy.rotations import Array

PARENTS: dict[str, str | None] = {
    "pelvis": None,
    "spine": "pelvis",
    "chest": "spine",
    "neck": "chest",
    "head": "neck",
    "left_clavicle": "chest",
    "left_upper_arm": "left_clavicle",
    "left_lower_arm": "left_upper_arm",
    "left_hand": "left_lower_arm",
    "right_clavicle": "chest",
    "right_upper_arm": "right_clavicle",
    "right_lower_arm": "right_upper_arm",
    "right_hand": "right_lower_arm",
    "left_thigh": "pelvis",
    "left_shin": "left_thigh",
    "left_foot": "left_shin",
    "left_toes": "left_foot",
    "right_thigh": "pelvis",
    "right_shin": "right_thigh",
    "right_foot": "right_shin",
    "right_toes": "right_foot",
}
"""Body parts, each with the part it hangs on; a part turns about the joint at its near end."""

_CENTRE_AND_LEFT: dict[str, tuple[float, float, float]] = {
    "pelvis": (0.0, 0.0, 0.530),
    "spine": (0.0, 0.0, 0.585),
    "chest": (0.0, 0.0, 0.660),
    "neck": (0.0, 0.0, 0.840),
    "head": (0.005, 0.0, 0.885),
    "left_clavicle": (0.005, 0.015, 0.815),
    "left_upper_arm": (0.0, 0.110, 0.818),
    "left_lower_arm": (0.0, 0.110 + 0.186, 0.818),
    "left_hand": (0.0, 0.110 + 0.186 + 0.146, 0.818),
    "left_thigh": (0.0, 0.052, 0.530),
    "left_shin": (0.0, 0.052, 0.285),
    "left_foot": (0.0, 0.052, 0.039),
    "left_toes": (0.072, 0.052, 0.012),
}
_ENDS: dict[str, tuple[float, float, float]] = {
    "head": (0.005, 0.0, 1.0),
    "left_hand": (0.0, 0.110 + 0.186 + 0.146 + 0.108, 0.818),
    "left_toes": (0.112, 0.052, 0.012),
    "left_foot": (-0.040, 0.052, 0.0),  # the heel
}


def _both_sides(places: dict[str, tuple[float, float, float]], height_m: float) -> dict[str, Array]:
    result = {part: height_m * np.array(place) for part, place in places.items()}
    for part, place in list(result.items()):
        if part.startswith("left_"):
            result[part.replace("left_", "right_")] = place * np.array([1.0, -1.0, 1.0])
    return result


def joint_places(height_m: float = 1.7) -> dict[str, Array]:
    """Body part to the place (3,) [m] of the joint at its near end, in the T-pose."""
    places = _both_sides(_CENTRE_AND_LEFT, height_m)
    return {part: places[part] for part in PARENTS}


def end_places(height_m: float = 1.7) -> dict[str, Array]:
    """Body part to the place (3,) [m] of its far end, for parts with no further part; a foot's is its heel."""
    return _both_sides(_ENDS, height_m)


MASS_FRACTIONS: dict[str, float] = {
    "pelvis": 0.0835,
    "spine": 0.0893,
    "chest": 0.2418,
    "neck": 0.0104,
    "head": 0.0590,
    "left_clavicle": 0.0100,
    "left_upper_arm": 0.0271,
    "left_lower_arm": 0.0162,
    "left_hand": 0.0061,
    "right_clavicle": 0.0100,
    "right_upper_arm": 0.0271,
    "right_lower_arm": 0.0162,
    "right_hand": 0.0061,
    "left_thigh": 0.1416,
    "left_shin": 0.0433,
    "left_foot": 0.0117,
    "left_toes": 0.0020,
    "right_thigh": 0.1416,
    "right_shin": 0.0433,
    "right_foot": 0.0117,
    "right_toes": 0.0020,
}
"""Body part to its share of the body's mass; they sum to one.

Limbs, and the sums of trunk and head, are de Leva (1996) Table 4, men: head with neck 6.94 %, upper, middle and lower
trunk 15.96, 16.33 and 11.17 %, upper arm 2.71, forearm 1.62, hand 0.61, thigh 14.16, shank 4.33, foot 1.37 %. That
table cuts the trunk at the navel and the breastbone's tip; here it is cut again at the ``spine`` and ``chest`` joints,
each slab taken as uniform along its height. The neck's, clavicles' and toes' shares of the head, upper trunk and
foot are our own choice (15 %, 1 % of the body each, 15 %).
"""

CENTRE_RATIOS: dict[str, float] = {
    "upper_arm": 0.5772,
    "lower_arm": 0.4574,
    "hand": 0.3624,
    "thigh": 0.4095,
    "shin": 0.4395,
    "foot": 0.4415,
}
"""How far along a limb's segment its centre of mass lies, from the near joint centre to the next one; the hand's from
wrist to fingertip, the foot's (toes included) from heel to toe tip. De Leva (1996), Tables 4 and 5, men."""

_TRUNK_CENTRES: dict[str, tuple[float, float, float]] = {
    "pelvis": (0.0, 0.0, 0.550),
    "spine": (0.0, 0.0, 0.622),
    "chest": (0.0, 0.0, 0.760),
    "neck": (0.0, 0.0, 0.862),
    "head": (0.005, 0.0, 0.940),
    "left_clavicle": (0.0, 0.060, 0.817),
}


def mass_centres(height_m: float = 1.7) -> dict[str, Array]:
    """Body part to the place (3,) [m] of its centre of mass, in the T-pose, by CENTRE_RATIOS."""
    joints, ends = joint_places(height_m), end_places(height_m)
    result = _both_sides(_TRUNK_CENTRES, height_m)
    for side in ("left_", "right_"):
        for part, following in (("upper_arm", "lower_arm"), ("lower_arm", "hand"), ("thigh", "shin"), ("shin", "foot")):
            near, far = joints[side + part], joints[side + following]
            result[side + part] = near + CENTRE_RATIOS[part] * (far - near)
        wrist, fingertip = joints[side + "hand"], ends[side + "hand"]
        result[side + "hand"] = wrist + CENTRE_RATIOS["hand"] * (fingertip - wrist)
        heel, toe_tip = ends[side + "foot"], ends[side + "toes"]
        toes = 0.5 * (joints[side + "toes"] + toe_tip)
        whole = heel + CENTRE_RATIOS["foot"] * (toe_tip - heel)
        share = MASS_FRACTIONS[side + "toes"] / (MASS_FRACTIONS[side + "toes"] + MASS_FRACTIONS[side + "foot"])
        result[side + "toes"], result[side + "foot"] = toes, (whole - share * toes) / (1.0 - share)
    return {part: result[part] for part in PARENTS}
