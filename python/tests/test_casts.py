"""Shapes that move until they touch others."""

import numpy
import pytest

import widephase
from test_input import refused


def level(precision="float64"):
    scene = widephase.Scene(3, precision)
    scene.aabbs.set(min=[[-1, -1, -1], [9, -1, -1]], max=[[1, 1, 1], [10, 1, 1]])
    return widephase.StaticScene(scene)


def movers(precision="float64"):
    scene = widephase.Scene(3, precision)
    scene.spheres.set(center=[[5, 0, 0], [1, 0, 0]], radius=0.5)
    return scene


@pytest.mark.parametrize("precision", ["float32", "float64", "mixed"])
def test_cast_shapes(precision):
    hits = widephase.cast_shapes(movers(precision), [[-7, 0, 0], [1, 0, 0]], level(precision))
    assert len(hits) == 2 and hits.shape.tolist() == [0, 0] and hits.found.all()
    # From 5 to 1.5 is half of the way; the second one starts 0.5 deep.
    assert hits.t.tolist() == [0.5, 0] and hits.status.tolist() == [0, 1]
    assert hits.normal.tolist() == [[1, 0, 0], [1, 0, 0]] and hits.point[0].tolist() == [1, 0, 0]
    assert hits.depth.tolist() == [0, 0.5] and len(hits.part) == 0
    assert hits.t.dtype == (numpy.float64 if precision == "float64" else numpy.float32)


def test_options():
    kept, moving = level(), movers()
    away = widephase.cast_shapes(moving, [[8, 0, 0]], kept, start_overlap="leave_apart", margin=0.5, max_t=0.5)
    assert away.shape.tolist() == [1, -1] and away.t.tolist() == [0.375, 0.5]
    bare = widephase.cast_shapes(moving, [8, 0, 0], kept, start_overlap="pass", normals=False)
    assert bare.shape.tolist() == [1, 1] and len(bare.normal) == len(bare.depth) == 0
    assert widephase.cast_shapes(moving, [8, 0, 0], kept, tolerance=0.5).t[0] <= 3.5 / 8
    for threads, isa in ((1, widephase.isas()[0]), (2, "widest")):
        again = widephase.cast_shapes(moving, [8, 0, 0], kept, threads=threads, isa=isa)
        assert again.t.tolist() == [3.5 / 8, 0]


def test_cast_pairs():
    moving = movers()
    hits = widephase.cast_pairs(moving, [[0, 1], [2, 0]], [[4, 0, 0], [-7, 0, 0]], kept=level())
    # The second ball reaches the first after 3, of 4; the box is shape 2.
    assert hits.shape.tolist() == [0, 2] and hits.t.tolist() == [0.75, 0.5]


def test_wrong_input():
    refused(lambda: widephase.cast_shapes(movers(), [numpy.nan, 0, 0], level()), "direction", 0, "must be finite")
    refused(lambda: widephase.cast_shapes(movers(), [1, 0, 0], level(), start_overlap="stay"), "start_overlap", None,
            "expected one of report, leave_apart, pass")
    refused(lambda: widephase.cast_shapes(movers(), [1, 0, 0], level(), max_t=-1), "max_t", 0, "it must be a finite")
    refused(lambda: widephase.cast_shapes(movers(), [1, 0, 0], level(), tolerance=-1), "tolerance", None,
            "length from 0 to 1e30")
    refused(lambda: widephase.cast_pairs(movers(), [[0, 5]], [1, 0, 0]), "pairs", 0, "")
