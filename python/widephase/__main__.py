"""The command line: python -m widephase collide scene.npz"""

import os
import sys

from ._command import command


def main():
    program = command()
    if program is None:
        sys.exit("widephase: the command is not installed beside this module; pip install . and Debian's package "
                 "widephase have it")
    os.execv(program, ["widephase", *sys.argv[1:]])


if __name__ == "__main__":
    main()
