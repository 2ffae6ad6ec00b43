"""Where the command `widephase` is."""

import os
import shutil
from pathlib import Path


def command():
    """The program that came with this module, or the one on the path; None where there is neither."""
    named = os.environ.get("WIDEPHASE_CLI")
    if named:
        return named
    try:
        from importlib.metadata import PackageNotFoundError, files
        try:
            installed = [path.locate() for path in files("widephase") or [] if path.name == "widephase"]
        except PackageNotFoundError:
            installed = []
    except ImportError:
        installed = []
    # In a build folder: tools/ is beside python/.
    installed.append(Path(__file__).resolve().parent.parent.parent / "tools" / "widephase")
    for path in installed:
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return os.fspath(path)
    return shutil.which("widephase")
