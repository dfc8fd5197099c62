"""Small BVH and Acclaim files, as text, for tests of the readers."""

HIERARCHY = """HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Chest
  {
    OFFSET 0 20 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT Head
    {
      OFFSET 0 35 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      End Site
      {
        OFFSET 0 20 0
      }
    }
  }
  JOINT LeftUpLeg
  {
    OFFSET 9 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT LeftLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT LeftFoot
      {
        OFFSET 0 -42 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -6 15
        }
      }
    }
  }
  JOINT RightUpLeg
  {
    OFFSET -9 0 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    JOINT RightLeg
    {
      OFFSET 0 -42 0
      CHANNELS 3 Zrotation Xrotation Yrotation
      JOINT RightFoot
      {
        OFFSET 0 -42 0
        CHANNELS 3 Zrotation Xrotation Yrotation
        End Site
        {
          OFFSET 0 -6 15
        }
      }
    }
  }
}
"""
"""A man of about 1.7 m in centimetres, y up, facing +z: 30 channels."""

CHANNELS = 6 + 8 * 3


def motion(rows, frame_time="0.0333333", frames=None):
    """The second half of a BVH file; a row is a list of numbers."""
    lines = "\n".join(" ".join(f"{value:.10g}" for value in row) for row in rows)
    return f"MOTION\nFrames: {len(rows) if frames is None else frames}\nFrame Time: {frame_time}\n{lines}\n"


def row(*numbers, x=0.0, y=90.0, z=0.0):
    """A row of the hierarchy above: the root's place, and angles in the order of the file, zero where left out."""
    return [x, y, z, *numbers, *[0.0] * (CHANNELS - 3 - len(numbers))]


ASF = """# a comment
:version 1.10
:units
  mass 1.0
  length 0.45
  angle deg
:root
  order TX TY TZ RX RY RZ
  axis XYZ
  position 0 0 0
  orientation 0 0 0
:bonedata
  begin
     id 1
     name lhipjoint
     direction 1 0 0
     length 2
     axis 0 0 0  XYZ
  end
  begin
     name lfemur
     direction 0 -1 0
     length 7
     axis 0 0 20  XYZ
    dof rx ry rz
    limits (-160.0 20.0)
           (-inf inf)
           (-60.0 70.0)
  end
  begin
     name ltibia
     direction 0 -1 0
     length 7
     axis 0 90 0  XYZ
    dof rx
    limits (-10.0 170.0)
  end
  begin
     name nothing_dum
     direction 1 0 0
     length 0
  end
  begin
     name head
     direction 0 1 0
     length 9
     axis 0 0 0  XYZ
    dof ry rz
  end
:hierarchy
  begin
    root lhipjoint nothing_dum
    lhipjoint lfemur
    lfemur ltibia
    nothing_dum head
  end
"""

AMC = """#!OML:ASF somewhere.asf
:FULLY-SPECIFIED
:DEGREES
1
root 0 16 0 0 0 0
lfemur 30 0 0
ltibia 40
head 0 0
2
root 0 16 1 0 0 90
lfemur 0 30 -2e1
ltibia 4.0e+001
head 10 20
"""


def written(folder, text, name="clip.bvh"):
    """A file with that text (or bytes)."""
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path
