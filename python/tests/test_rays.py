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
    second = widephase.cast_rays(kept, [-3, 0, 0], many.astype(numpy.float32), threads=2, isa=widephase.isas()[0])
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


def test_one_row_stands_for_all_rays_and_for_none():
    kept = balls()
    ways = numpy.array([[1.0, 0, 0], [0, 1, 0], [-1, 0, 0]])
    row = numpy.array([-3.0, 0, 0])
    for origin in ([-3, 0, 0], [[-3, 0, 0]], row, row[None], row.astype(numpy.float32), numpy.broadcast_to(row, (3, 3))):
        assert widephase.cast_rays(kept, origin, ways, max_t=9, owner=5).shape.tolist() == [0, -1, -1]
    for way in ([1, 0, 0], (1, 0, 0), [[1, 0, 0]], numpy.array([1, 0, 0]), numpy.array([[1.0, 0, 0]])):
        hits = widephase.cast_rays(kept, [[-3, 0, 0], [2, 0, 0], [9, 0, 0]], way, world=numpy.array(0), max_t=[99.0])
        assert hits.shape.tolist() == [0, 1, -1] and hits.t.tolist()[:2] == [2, 1]
    assert widephase.cast_rays(kept, [-3, 0, 0], [1, 0, 0]).shape.tolist() == [0]
    nothing = numpy.empty((0, 3))
    for origin, way in ((nothing, [1, 0, 0]), ([0, 0, 0], nothing), (nothing, nothing)):
        hits = widephase.cast_rays(kept, origin, way, max_t=5, world=0, owner=1)
        assert len(hits) == 0 and hits.point.shape == (0, 3) and hits.found.tolist() == []
        assert widephase.any_hit(kept, origin, way, max_t=5).tolist() == []


def test_rays_at_limits():
    kept = balls()
    cast = lambda origin, way, **more: widephase.cast_rays(kept, origin, way, **more)
    # A ray of no length meets what it begins on or in, and nothing beyond.
    assert cast([[-1, 0, 0], [-1.5, 0, 0], [0, 0, 0]], [1, 0, 0], max_t=0).status.tolist() == [1, 3, 1]
    assert cast([-3, 0, 0], [1, 0, 0], max_t=2).found.tolist() == [True]
    assert cast([-3, 0, 0], [1, 0, 0], max_t=numpy.nextafter(2, 0)).found.tolist() == [False]
    # Directions of any length: t counts lengths of it.
    for scale in (2.0 ** -400, 2.0 ** -60, 2.0 ** 60, 2.0 ** 400):
        assert cast([-3, 0, 0], [scale, 0, 0]).t.tolist() == [2 / scale]
    far = cast([-(2.0 ** 40) - 1, 0, 0], [1, 0, 0])
    assert far.t.tolist() == [2.0 ** 40] and far.point.tolist() == [[-1, 0, 0]]
    for wrong in (5e-324, 1e-200, 1e200, numpy.inf, numpy.nan):
        refused(lambda: cast([0, 0, 0], [wrong, 0, 0]), "direction", 0, "vanishes nor overflows")
    for wrong in (-1, numpy.inf, numpy.nan):
        refused(lambda: cast([0, 0, 0], [1, 0, 0], max_t=wrong), "max_t", 0, "must be a finite number >= 0")
    empty = widephase.StaticScene(widephase.Scene(3, "float64"))
    assert widephase.cast_rays(empty, [[0, 0, 0]] * 3, [0, 0, 1], max_t=7).t.tolist() == [7, 7, 7]
    assert widephase.any_hit(empty, [[0, 0, 0]] * 3, [0, 0, 1]).tolist() == [False] * 3


def test_a_periodic_domain_is_refused():
    scene = widephase.Scene(3, "float64")
    scene.spheres.set(center=[[1, 1, 1]], radius=0.5)
    scene.set_domain([0, 0, 0], [9, 9, 9], periodic=[True, False, False])
    kept = widephase.StaticScene(scene)
    refused(lambda: widephase.cast_rays(kept, [0, 0, 0], [1, 0, 0]), "domain", None, "is periodic")
    refused(lambda: widephase.nearest(kept, [[0, 0, 0]]), "domain", None, "is periodic")


def test_errors():
    kept = balls()
    refused(lambda: widephase.cast_rays(kept, [[0, 0, 0]], [[0, 0, 0]]), "direction", 0, "must be finite")
    refused(lambda: widephase.cast_rays(kept, [[0, 0, 0]], [[0, 0, 1]], inside="out"), "inside", None,
            "expected one of hit, leave, exit")
    refused(lambda: widephase.any_hit(kept, [[0, 0, 0]] * 2, [[0, 0, 1]] * 3), "direction", None, "has 3 rows")
    with pytest.raises(TypeError):
        widephase.cast_rays(widephase.Scene(dimension=3), [[0, 0, 0]], [[0, 0, 1]])


def test_a_scene_that_moves_is_kept_again():
    scene = widephase.Scene(3)
    center = numpy.random.default_rng(3).uniform(0, 20, (600, 3))
    scene.spheres.set(center=center, radius=0.5)
    kept = widephase.StaticScene(scene, keeps_order=True)
    origin = numpy.random.default_rng(4).uniform(0, 20, (200, 3))
    for _ in range(3):
        center += 0.25
        kept.rebuild(scene, keeps_order=True)
        hits = widephase.cast_rays(kept, origin, [0, 0, -1])
        anew = widephase.cast_rays(widephase.StaticScene(scene), origin, [0, 0, -1])
        assert hits.found.sum() > 20
        assert numpy.array_equal(hits.shape, anew.shape) and numpy.array_equal(hits.t, anew.t)
    scene.spheres.set(center=center[:5], radius=0.5)
    kept.rebuild(scene)
    assert len(kept) == 5
    with pytest.raises(widephase.Error, match="another dimension or precision"):
        kept.rebuild(widephase.Scene(2))
