"""``python -m understudy.motion.authoring`` solves the bundled clips anew."""

from understudy.motion.authoring.library import AUTHORED, bundle

if __name__ == "__main__":
    path = bundle()
    print(f"{len(AUTHORED)} clips solved into {path.name}, {path.stat().st_size / 1024:.0f} kB")
