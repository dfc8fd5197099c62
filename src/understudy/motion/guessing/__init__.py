"""What clip files do not say: the axes, the unit, the frames and the floor that are meant, told from the motion."""
