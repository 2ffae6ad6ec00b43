"""Rays against a StaticScene."""

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
    kept = balls(precision)
    direction = numpy.array([[1.0, 0, 0], [0, 1, 0], [2, 0, 0]])
    hits = widephase.cast_rays(kept, [-3, 0, 0], direction, max_t=[10, 10, 10], world=[0, 0, 1])
    assert len(hits) == 3 and hits.shape.tolist() == [0, -1, 1]
    # 3 - 1 away; world 1 has only the second ball, 8 - 2 away at twice the speed.
    assert hits.t.tolist() == [2, 10, 3]
    assert hits.normal.tolist() == [[-1, 0, 0], [0, 0, 0], [-1, 0, 0]]
    assert hits.point.tolist() == [[-1, 0, 0], [-3, 10, 0], [3, 0, 0]]
    assert hits.status.tolist() == [0, 3, 0] and hits.found.tolist() == [True, False, True]
    assert hits.point.dtype == (numpy.float32 if precision == "float32" else numpy.float64)
    assert hits.t.dtype == (numpy.float64 if precision == "float64" else numpy.float32)
    any_hit = widephase.any_hit(kept, [-3, 0, 0], direction, world=[0, 0, 1])
    assert any_hit.dtype == bool and any_hit.tolist() == [True, False, True]


def test_inside_filters_and_threads():
    kept = balls()
    along = [[1, 0, 0]]
    origin = [[0.5, 0, 0]]
    assert widephase.cast_rays(kept, origin, along).status.tolist() == [1]
    assert widephase.cast_rays(kept, origin, along, inside="leave").t.tolist() == [2.5]
    assert widephase.cast_rays(kept, origin, along, inside="exit").t.tolist() == [0.5]
    assert widephase.cast_rays(kept, origin, along, owner=[1]).shape.tolist() == [1]
    assert widephase.cast_rays(kept, origin, along, excluded=[[0, 0]]).shape.tolist() == [1]
    assert widephase.cast_rays(kept, [[-3, 0, 0]], along, margin=0.5).t.tolist() == [1.5]
    bare = widephase.cast_rays(kept, origin, along, normals=False)
    assert len(bare) == 1 and len(bare.normal) == 0
    rng = numpy.random.default_rng(1)
    many = rng.normal(size=(5000, 3)).astype(numpy.float32).astype(float)
    first = widephase.cast_rays(kept, [-3, 0, 0], many, threads=1)
    second = widephase.cast_rays(kept, [-3, 0, 0], many.astype(numpy.float32), threads=2, isa="scalar")
    assert first.t.tobytes() == second.t.tobytes() and first.found.any()


def test_parts_are_triangles_of_a_field():
    scene = widephase.Scene(3)
    scene.heightfield_geometries.add(numpy.zeros((3, 3)), 1)
    scene.heightfields.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=[0])
    scene.spheres.set(center=[[10, 0, 0]], radius=1)
    kept = widephase.StaticScene(scene)
    origin = [[1.5, 0.25, 2], [10, 0, 2], [5, 5, 2], [0.5, 0.5, -1]]
    hits = widephase.cast_rays(kept, origin, [[0, 0, -1]])
    # Row 0, column 1, below the diagonal: 2 * (0 * 3 + 1).
    assert hits.part.tolist() == [2, -1, -1, -1] and hits.part.dtype == numpy.int32
    assert hits.shape.tolist() == [1, 0, -1, 1] and hits.status.tolist() == [0, 0, 3, 1]
    assert hits.normal[0].tolist() == [0, 0, 1] and hits.t.tolist()[0] == 2
    assert len(widephase.cast_rays(kept, origin, [[0, 0, -1]], normals=False).part) == 0
    assert len(widephase.cast_rays(balls(), origin, [[0, 0, -1]]).part) == 0


def test_errors():
    kept = balls()
    refused(lambda: widephase.cast_rays(kept, [[0, 0, 0]], [[0, 0, 0]]), "direction", 0, "must be finite")
    refused(lambda: widephase.cast_rays(kept, [[0, 0, 0]], [[0, 0, 1]], inside="out"), "inside", None,
            "expected one of hit, leave, exit")
    refused(lambda: widephase.any_hit(kept, [[0, 0, 0]] * 2, [[0, 0, 1]] * 3), "direction", None, "has 3 rows")
    with pytest.raises(TypeError):
        widephase.cast_rays(widephase.Scene(dimension=3), [[0, 0, 0]], [[0, 0, 1]])
