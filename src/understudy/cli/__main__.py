"""``python -m understudy.cli`` is the command ``understudy``."""

from understudy.cli import main

if __name__ == "__main__":
    main()
