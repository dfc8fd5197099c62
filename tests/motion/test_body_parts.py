"""Finding the body parts of a skeleton, by names over the conventions and by shape."""

import numpy as np
import pytest

from understudy import anthropometry
from understudy.errors import UnknownNameError
from understudy.motion import Skeleton, body_parts, load_clip

SIDES = ("left", "right")
LIMBS = ("upper_arm", "lower_arm", "hand", "thigh", "shin", "foot")

# convention: (pelvis, spine, chest, neck, head), the left side's (clavicle, upper arm, lower arm, hand), (thigh, shin,
# foot, toes), how left names become right ones, and extra joints "name<parent" that must not be mistaken for parts.
CONVENTIONS = {
    "lafan1": (
        "Hips Spine Spine1 Neck Head",
        "LeftShoulder LeftArm LeftForeArm LeftHand",
        "LeftUpLeg LeftLeg LeftFoot LeftToe",
        ("Left", "Right"),
        "",
    ),
    "mixamo": (
        "mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Neck mixamorig:Head",
        "mixamorig:LeftShoulder mixamorig:LeftArm mixamorig:LeftForeArm mixamorig:LeftHand",
        "mixamorig:LeftUpLeg mixamorig:LeftLeg mixamorig:LeftFoot mixamorig:LeftToeBase",
        ("Left", "Right"),
        "mixamorig:HeadTop_End<mixamorig:Head mixamorig:LeftEye<mixamorig:Head mixamorig:RightEye<mixamorig:Head "
        "mixamorig:LeftHandThumb1<mixamorig:LeftHand mixamorig:LeftHandIndex1<mixamorig:LeftHand "
        "mixamorig:LeftToe_End<mixamorig:LeftToeBase",
    ),
    "smpl": (
        "pelvis spine1 spine3 neck head",
        "left_collar left_shoulder left_elbow left_wrist",
        "left_hip left_knee left_ankle left_foot",
        ("left", "right"),
        "left_hand<left_wrist left_index1<left_wrist jaw<head left_eye_smplhf<head",
    ),
    "cmu acclaim": (
        "root upperback thorax lowerneck head",
        "lclavicle lhumerus lradius lwrist",
        "lfemur ltibia lfoot ltoes",
        ("l", "r"),
        "upperneck<lowerneck lhand<lwrist lthumb<lwrist lfingers<lhand",
    ),
    "biovision": (
        "Hips ToSpine Chest Neck Head",
        "LeftCollar LeftShoulder LeftElbow LeftWrist",
        "LeftHip LeftKnee LeftAnkle LeftToe",
        ("Left", "Right"),
        "",
    ),
    "poser": (
        "hip abdomen chest neck head",
        "lCollar lShldr lForeArm lHand",
        "lThigh lShin lFoot lToe",
        ("l", "r"),
        "leftEye<head rightEye<head lThumb1<lHand lMid1<lHand lPinky1<lHand",
    ),
    "xsens": (
        "Pelvis L3 T8 Neck Head",
        "LeftShoulder LeftUpperArm LeftForeArm LeftHand",
        "LeftUpperLeg LeftLowerLeg LeftFoot LeftToe",
        ("Left", "Right"),
        "",
    ),
    "bandai namco": (
        "Hips Spine Chest Neck Head",
        "Shoulder_L UpperArm_L LowerArm_L Hand_L",
        "UpperLeg_L LowerLeg_L Foot_L Toes_L",
        ("_L", "_R"),
        "",
    ),
    "biped": (
        "Bip01_Pelvis Bip01_Spine Bip01_Spine1 Bip01_Neck Bip01_Head",
        "Bip01_L_Clavicle Bip01_L_UpperArm Bip01_L_Forearm Bip01_L_Hand",
        "Bip01_L_Thigh Bip01_L_Calf Bip01_L_Foot Bip01_L_Toe0",
        ("_L_", "_R_"),
        "Bip01_L_Finger0<Bip01_L_Hand Bip01_HeadNub<Bip01_Head Bip01_L_Toe0Nub<Bip01_L_Toe0",
    ),
    "unreal": (
        "pelvis spine_01 spine_02 neck_01 head",
        "clavicle_l upperarm_l lowerarm_l hand_l",
        "thigh_l calf_l foot_l ball_l",
        ("_l", "_r"),
        "upperarm_twist_01_l<upperarm_l thigh_twist_01_l<thigh_l index_01_l<hand_l ik_foot_l<pelvis ik_hand_l<pelvis",
    ),
    "makehuman": (
        "root spine04 spine01 neck01 head",
        "clavicle.L upperarm01.L lowerarm01.L wrist.L",
        "upperleg01.L lowerleg01.L foot.L toe1-1.L",
        (".L", ".R"),
        "finger1-1.L<wrist.L metacarpal1.L<wrist.L breast.L<spine01 eye.L<head",
    ),
    "rigify": (
        "DEF-hips DEF-spine DEF-chest DEF-neck DEF-head",
        "DEF-shoulder.L DEF-upper_arm.L DEF-forearm.L DEF-hand.L",
        "DEF-thigh.L DEF-shin.L DEF-foot.L DEF-toe.L",
        (".L", ".R"),
        "DEF-f_index.01.L<DEF-hand.L DEF-palm.01.L<DEF-hand.L",
    ),
    "optitrack": (
        "Hip Ab Chest Neck Head",
        "LShoulder LUArm LFArm LHand",
        "LThigh LShin LFoot LToe",
        ("L", "R"),
        "",
    ),
    "ours": (
        "pelvis spine chest neck head",
        "left_clavicle left_upper_arm left_lower_arm left_hand",
        "left_thigh left_shin left_foot left_toes",
        ("left", "right"),
        "",
    ),
}


def human(names=None, without=(), forward=(1.0, 0.0, 0.0)):
    """The neutral body with its joints renamed; ``names`` maps body parts to names."""
    places = {part: place for part, place in anthropometry.joint_places().items() if part not in without}
    parts = list(places)
    parents = [-1 if part == "pelvis" else parts.index(anthropometry.PARENTS[part]) for part in parts]
    turn = np.array([[forward[0], -forward[1], 0.0], [forward[1], forward[0], 0.0], [0.0, 0.0, 1.0]])
    offsets = [
        turn @ (places[part] - (places[parts[p]] if p >= 0 else 0.0)) for part, p in zip(parts, parents, strict=True)
    ]
    return Skeleton([names[part] if names else part for part in parts], parents, offsets)


def with_extra(skeleton, extras):
    names, parents, offsets = list(skeleton.names), list(skeleton.parents), list(skeleton.offsets)
    for name, parent in (extra.split("<") for extra in extras):
        parents.append(names.index(parent))
        names.append(name)
        offsets.append([0.03, 0.0, 0.01])
    return Skeleton(names, parents, offsets)


def convention_names(centre, arm, leg, marks):
    left = {
        **dict(zip([f"left_{p}" for p in ("clavicle", "upper_arm", "lower_arm", "hand")], arm.split(), strict=True)),
        **dict(zip([f"left_{p}" for p in ("thigh", "shin", "foot", "toes")], leg.split(), strict=True)),
    }
    right = {part.replace("left", "right"): swapped(name, marks) for part, name in left.items()}
    return dict(zip(("pelvis", "spine", "chest", "neck", "head"), centre.split(), strict=True)) | left | right


def swapped(name, marks):
    """The right-side name: the first mark that begins the bare name, else the last one found."""
    head, colon, bare = name.rpartition(":")
    at = 0 if bare.startswith(marks[0]) else bare.rfind(marks[0])
    return head + colon + bare[:at] + marks[1] + bare[at + len(marks[0]) :]


@pytest.mark.parametrize("convention", CONVENTIONS)
def test_every_convention_is_matched_by_its_names(convention):
    centre, arm, leg, marks, extras = CONVENTIONS[convention]
    names = convention_names(centre, arm, leg, marks)
    skeleton = with_extra(human(names), extras.split())
    found = body_parts(skeleton)
    assert found.found_by == "names"
    assert {part: skeleton.names[joint] for part, joint in found.joints.items()} == names


def test_joints_inside_the_pelvis_are_stepped_over():
    # CMU: Hips > LHipJoint (no offset) > LeftUpLeg; old endorphin: RightHipJoint_dum > RightHipJoint
    skeleton = Skeleton(
        ("Hips", "LHipJoint", "LeftHip", "LeftKnee", "RightHipJoint_dum", "RightHipJoint", "RightKneeJoint"),
        [-1, 0, 1, 2, 0, 4, 5],
        [[0, 0, 1], [0, 0, 0], [0, 0.1, 0], [0, 0, -0.4], [0, 0, 0], [0, -0.1, 0], [0, 0, -0.4]],
    )
    found = body_parts(skeleton)
    assert skeleton.names[found["left_thigh"]] == "LeftHip"
    assert skeleton.names[found["right_thigh"]] == "RightHipJoint"


def test_sides_are_taken_from_the_joints_around_when_names_repeat():
    # a file whose left and right joints share names, made different by a number
    skeleton = Skeleton(
        ("Hips", "LHipJoint", "UpLeg", "Leg", "RHipJoint", "UpLeg_2", "Leg_2"),
        [-1, 0, 1, 2, 0, 4, 5],
        [[0, 0, 1], [0, 0, 0], [0, 0.1, 0], [0, 0, -0.4], [0, 0, 0], [0, -0.1, 0], [0, 0, -0.4]],
    )
    found = body_parts(skeleton)
    assert (found["left_thigh"], found["right_thigh"], found["right_shin"]) == (2, 5, 6)


def test_a_body_without_names_is_matched_by_its_shape():
    skeleton = human({part: f"joint{i}" for i, part in enumerate(anthropometry.PARENTS)})
    found = body_parts(skeleton)
    assert found.found_by == "shape"
    assert dict(found.joints) == dict(body_parts(human()).joints)


@pytest.mark.parametrize("forward", [(0.0, 1.0), (-1.0, 0.0), (0.6, -0.8)])
def test_left_follows_the_toes_when_names_do_not_tell(forward):
    names = {part: f"joint{i}" for i, part in enumerate(anthropometry.PARENTS)}
    found = body_parts(human(names, forward=forward))
    assert dict(found.joints) == dict(body_parts(human()).joints)


def test_a_body_without_toes_or_clavicles_is_still_matched():
    missing = [f"{side}_{part}" for side in SIDES for part in ("toes", "clavicle")]

    def drop(part):
        return "chest" if part.endswith("clavicle") else part

    places = {part: place for part, place in anthropometry.joint_places().items() if part not in missing}
    parts = list(places)
    parents = [-1 if p == "pelvis" else parts.index(drop(anthropometry.PARENTS[p])) for p in parts]
    offsets = [places[p] - (places[parts[i]] if i >= 0 else 0.0) for p, i in zip(parts, parents, strict=True)]
    for names in (parts, [f"n{i}" for i in range(len(parts))]):
        found = body_parts(Skeleton(names, parents, offsets))
        assert {f"{side}_{limb}" for side in SIDES for limb in LIMBS} <= set(found)
        assert not set(missing) & set(found)


def test_something_that_is_no_body_has_no_parts():
    chain = Skeleton(("base", "child1", "child2"), [-1, 0, 1], [[0, 0, 0], [0, 0, 1], [0, 0, 1]])
    assert len(body_parts(chain)) == 0
    with pytest.raises(UnknownNameError, match="no body part named 'pelvis'"):
        body_parts(chain)["pelvis"]


# One clip of every skeleton in the shared collection: its left side and centre, parts it has none of left out.
REAL = {
    "cmu_bvh/02_01.bvh": "Hips Spine Spine1 Neck Head | LeftShoulder LeftArm LeftForeArm LeftHand | "
    "LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    "cmu_asfamc/07/07_01.amc": "root upperback thorax lowerneck head | lclavicle lhumerus lradius lwrist | "
    "lfemur ltibia lfoot ltoes",
    "cmu_asfamc/endorphin/walking.amc": "root MiddleSpineJoint UpperSpineJoint LowerNeckJoint UpperNeckJoint | "
    "LeftClavicleJoint LeftShoulderJoint LeftElbowJoint LeftWristJoint | "
    "LeftHipJoint LeftKneeJoint LeftAnkleJoint LeftToesJoint",
    "amass/cmu_07_01_walk_poses.npz": "pelvis spine1 spine3 neck head | "
    "left_collar left_shoulder left_elbow left_wrist | left_hip left_knee left_ankle left_foot",
    "deepmimic/humanoid3d_walk.txt": "root - chest neck - | - left_shoulder left_elbow - | "
    "left_hip left_knee left_ankle -",
    "lafan1/dance1_subject2_first10frames.bvh": "Hips Spine Spine2 Neck Head | "
    "LeftShoulder LeftArm LeftForeArm LeftHand | LeftUpLeg LeftLeg LeftFoot LeftToe",
    "lafan1/Geno_stance.bvh": "Hips Spine1 Spine3 Neck Head | LeftShoulder LeftArm LeftForeArm LeftHand | "
    "LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    "misc/animated_drawings/cmu1_jumping_jacks.bvh": "Hips Chest Chest2 lowerneck Head | "
    "LeftCollar LeftShoulder LeftElbow LeftWrist | LeftHip LeftKnee LeftAnkle LeftToe",
    "misc/animated_drawings/fair1_dab.bvh": "Hips Spine1 Spine3 Neck Head | "
    "LeftShoulder LeftArm LeftForeArm LeftHand | LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    "misc/animated_drawings/rokoko_jesse_dance.bvh": "Hips Spine Spine2 Neck Head | "
    "LeftShoulder LeftArm LeftForeArm LeftHand | LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    "misc/bandai_namco/dataset-1_bow_normal_001.bvh": "Hips Spine Chest Neck Head | "
    "Shoulder_L UpperArm_L LowerArm_L Hand_L | UpperLeg_L LowerLeg_L Foot_L Toes_L",
    "misc/bvh_python/test_mocapbank.bvh": "Hips Chest Chest2 Neck Head | "
    "LeftCollar LeftShoulder LeftElbow LeftWrist | LeftHip LeftKnee LeftAnkle -",
    "misc/bvh_toolbox/walk01.bvh": "Hips Spine Spine1 Neck Head | LeftShoulder LeftArm LeftForeArm LeftHand | "
    "LeftUpLeg LeftLeg LeftFoot -",
    "misc/bvhio/example.bvh": "Hips - Chest Neck Head | LeftCollar LeftUpArm LeftLowArm LeftHand | "
    "LeftUpLeg LeftLowLeg LeftFoot -",
    "misc/games105/idle.bvh": "RootJoint pelvis_lowerback lowerback_torso - torso_head | "
    "lTorso_Clavicle lShoulder lElbow lWrist | lHip lKnee lAnkle lToeJoint",
    "misc/makehuman/walk1.bvh": "Hips Spine2 Spine3 Neck Head | Clavicle_L UpArm_L LoArm_L Hand_L | "
    "UpLeg_L LoLeg_L Foot_L Toe_L",
    "misc/makehuman/tpose.bvh": "root spine03 spine01 neck01 head | "
    "clavicle.L upperarm01.L lowerarm01.L wrist.L | upperleg01.L lowerleg01.L foot.L toe3-1.L",
    "misc/makehuman/old_03_03.bvh": "hip abdomen chest neck head | lCollar lShldr lForeArm lHand | "
    "lThigh lShin lFoot -",
    "misc/makehuman/old_10_01.bvh": "Hips Chest CS_BVH Neck Head | LeftCollar LeftShoulder LeftElbow LeftWrist | "
    "LeftHip LeftKnee LeftAnkle -",
    "misc/pybvh/bvh_test2.bvh": "Hips Chest2 Chest4 Neck Head | LeftCollar LeftShoulder LeftElbow LeftWrist | "
    "LeftHip LeftKnee LeftAnkle LeftToe",
    "misc/pymo/AV_8Walk_Meredith_HVHA_Rep1.bvh": "Hips - Spine - Head | "
    "LeftShoulder LeftArm LeftForeArm LeftHand | LeftUpLeg LeftLeg LeftFoot LeftToeBase",
    "misc/scadiver/amass_hierarchy.bvh": "root lowerback chest lowerneck upperneck | "
    "lclavicle lshoulder lelbow lwrist | lhip lknee lankle ltoe",
    "misc/wild_malformed/TomTomTest.bvh": "hip abdomen chest neck head | lcollar lshldr lforearm lhand | "
    "lthigh lshin lfoot -",
}
LISTED = ("pelvis", "spine", "chest", "neck", "head", "left_clavicle", "left_upper_arm", "left_lower_arm", "left_hand",
          "left_thigh", "left_shin", "left_foot", "left_toes")  # fmt: skip


@pytest.mark.parametrize("path", REAL)
def test_every_skeleton_of_the_shared_collection_is_matched(mocap, path):
    skeleton = load_clip(mocap / path).skeleton
    found = body_parts(skeleton)
    wanted = dict(zip(LISTED, REAL[path].replace("|", "").split(), strict=True))
    wanted = {part: name for part, name in wanted.items() if name != "-"}
    assert {part: skeleton.names[found[part]] for part in LISTED if part in found} == wanted
    assert found.is_human
    assert {part.replace("left_", "right_") for part in found if "left_" in part} <= set(found)


# Without toes nothing tells the front from the back, and of limbs in several pieces names alone tell the joints.
SHAPED = [path for path in REAL if not REAL[path].endswith("-") and "tpose" not in path and "endorphin" not in path]


@pytest.mark.parametrize("path", SHAPED)
def test_the_shape_alone_tells_the_same_limbs(mocap, path):
    clip = load_clip(mocap / path)
    named = body_parts(clip.skeleton)
    count = len(clip.skeleton)
    hidden = Skeleton(
        [f"joint{j}" for j in range(count)],
        clip.skeleton.parents,
        clip.skeleton.offsets,
        clip.skeleton.end_parents,
        clip.skeleton.end_offsets,
    )
    shaped = body_parts(hidden, clip.joint_positions_w[0])
    assert shaped.found_by == "shape"
    for part in ("left_shin", "right_shin", "left_lower_arm", "right_lower_arm"):
        assert shaped[part] == named[part], part
