"""The command rehref: `python -m rehref`."""

import sys

from ._rehref import run_command


def main() -> int:
    return run_command(["rehref", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
