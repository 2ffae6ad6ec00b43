"""Shapes of a StaticScene near points, and moving shapes that overlap them."""

import numpy
import pytest

import widephase
from test_input import refused


def balls(precision=None):
    scene = widephase.Scene(3, precision) if precision else widephase.Scene(dimension=3)
    scene.spheres.set(center=numpy.array([[0.0, 0, 0], [5, 0, 0]]), radius=numpy.array([1.0, 2]),
                      world=[0, -1], owner=[1, 2])
    return widephase.StaticScene(scene)


@pytest.mark.parametrize("precision", ["float32", "float64", "mixed"])
def test_nearest(precision):
    points = numpy.array([[2.5, 0, 0], [5, 0, 1.5], [-4, 0, 0]])
    hits = widephase.nearest(balls(precision), points, 2, max_distance=6.5)
    assert len(hits) == 3 and hits.shape.tolist() == [[1, 0], [1, 0], [0, -1]]
    # 0.5 before the second ball and 1.5 behind the first; 0.5 deep in it; 7 away from it at last.
    assert hits.distance[0].tolist() == [0.5, 1.5] and hits.distance[1, 0] == -0.5
    assert hits.distance[2].tolist() == [3, numpy.finfo(hits.distance.dtype).max]
    assert hits.normal[0].tolist() == [[-1, 0, 0], [1, 0, 0]]
    assert hits.point[0].tolist() == [[3, 0, 0], [1, 0, 0]] and hits.point[1, 0].tolist() == [5, 0, 2]
    assert hits.found.tolist() == [[True, True], [True, True], [True, False]]
    assert hits.point.dtype == (numpy.float32 if precision == "float32" else numpy.float64)
    assert hits.distance.dtype == (numpy.float64 if precision == "float64" else numpy.float32)


def test_filters_and_threads():
    kept = balls()
    assert widephase.nearest(kept, [[0, 0, 0]], world=[1]).shape.tolist() == [[1]]
    assert widephase.nearest(kept, [[0, 0, 0]], owner=[1]).shape.tolist() == [[1]]
    assert widephase.nearest(kept, [[0, 0, 0]], excluded=[[0, 0]]).shape.tolist() == [[1]]
    many = numpy.random.default_rng(1).normal(size=(5000, 3)).astype(numpy.float32)
    first = widephase.nearest(kept, many, 2, threads=1)
    second = widephase.nearest(kept, many.astype(float), 2, threads=2, isa="scalar")
    assert first.distance.tobytes() == second.distance.tobytes() and first.found.all()


def test_any_overlap():
    moving = widephase.Scene(3, "float64")
    moving.spheres.set(center=[[1.5, 0, 0], [2.25, 0, 0], [0, 9, 0]], radius=0.5)
    found = widephase.any_overlap(moving, balls())
    assert found.dtype == bool and found.tolist() == [True, False, False]
    wider = widephase.Scene(3, "float64")
    wider.spheres.set(center=[[0, 0, 0], [5, 0, 0]], radius=[1, 2])
    kept = widephase.StaticScene(wider, margin=0.25)
    assert widephase.any_overlap(moving, kept, margin=0.25).tolist() == [True, True, False]


def test_errors():
    kept = balls()
    refused(lambda: widephase.nearest(kept, [[0, 0, 0], [0, numpy.nan, 0]]), "points", 1, "must be finite")
    refused(lambda: widephase.nearest(kept, [[0, 0, 0]], 0), "k", None, "must be 1 or more")
    refused(lambda: widephase.nearest(kept, [[0, 0, 0]], 1, -1), "max_distance", None, "must be a number >= 0")
    refused(lambda: widephase.nearest(kept, [[0, 0, 0]], world=[0, 1]), "world", None, "has 2 rows")
    with pytest.raises(TypeError):
        widephase.nearest(widephase.Scene(dimension=3), [[0, 0, 0]])
