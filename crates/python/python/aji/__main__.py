"""The command line: ``python -m aji`` is the program ``aji``."""

import signal
import sys

from . import _native


def main() -> None:
    """Runs the command line of this process, and exits."""
    # The command line has its own answer to Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["aji", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
