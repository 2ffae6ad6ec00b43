"""What the tests share. Every example of hypothesis is the same in every run."""

import os
import subprocess

import numpy as np
import pytest
from hypothesis import settings

import widephase

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=40, database=None)
settings.load_profile("fixed")

COLUMNS = ("pair", "source", "normal", "depth", "status", "offset", "point", "point_depth", "feature")


def same_bits(a, b):
    """Equal to the bit, zeros' signs too."""
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def same_contacts(contacts, others, without=()):
    """`others`: Contacts, or the arrays of a contacts file."""
    def column(name):
        return others[name] if hasattr(others, "files") else getattr(others, name)

    return all(same_bits(getattr(contacts, name), column(name)) for name in COLUMNS
               if name not in without)


@pytest.fixture(scope="session")
def command():
    """Runs the command line, the same answers from C++."""
    program = os.environ["WIDEPHASE_CLI"]
    # A sanitizer's runtime that came into this interpreter is in the program already.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}

    def run(*words):
        done = subprocess.run([program, *map(str, words)], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def balls():
    """4,000 spheres of radius 1 in a box, about two pairs each."""
    random = np.random.default_rng(7)
    scene = widephase.Scene(dimension=3)
    center = random.uniform(0, 20, (4000, 3)).astype(np.float32)
    scene.spheres.set(center=center, radius=1.0)
    return scene
