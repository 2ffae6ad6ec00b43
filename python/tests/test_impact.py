"""When bodies that move and rotate meet first."""

import numpy
import pytest

import widephase
from test_input import refused


def bullets(precision=None):
    """A bullet of radius 0.5 at -10, one at 20, and a thin wall at 0 that stands."""
    scene = widephase.Scene(3, precision) if precision else widephase.Scene(dimension=3)
    scene.spheres.set(center=numpy.zeros((2, 3)), radius=0.5, body=[0, 1])
    scene.aabbs.set(min=[[-0.001, -5, -5]], max=[[0, 5, 5]])
    scene.bodies.set(position=[[-10.001, 0, 0], [20, 0, 0]])
    return scene


@pytest.mark.parametrize("precision", ["float32", "float64", "mixed"])
def test_a_bullet_meets_a_thin_wall(precision):
    end = numpy.array([[89.999, 0, 0], [20, 1, 0]])
    found = widephase.first_impacts(bullets(precision), position_end=end, tolerance=1e-3)
    # From -10.001 the ball meets the wall after 9.5 of 100. It goes on for all that the other ball knows, which it
    # would meet after 29.04.
    assert len(found) == 2 and found.found.tolist() == [True, True]
    assert 0.095 - 1e-5 - 1e-6 <= found.t[0] <= 0.095 + 1e-6 and 0.29044 - 2e-5 <= found.t[1] <= 0.29044 + 1e-5
    assert found.pair.tolist() == [[2, 0], [0, 1]] and found.status.tolist() == [0, 0]
    assert found.normal[0].tolist() == [-1, 0, 0] and found.depth.tolist() == [0, 0]
    assert numpy.abs(found.normal[1] - [0.95690, 0.29044, 0]).max() < 2e-3
    alone = widephase.first_impacts(bullets(precision), position_end=[[89.999, 0, 9], [20, 1, 0]], tolerance=1e-3)
    assert alone.found.tolist() == [True, False] and alone.t[1] == 1 and alone.pair[1].tolist() == [-1, -1]
    assert alone.status.tolist() == [0, 3] and alone.normal[1].tolist() == [0, 0, 0]
    assert found.t.dtype == (numpy.float64 if precision == "float64" else numpy.float32)
    assert found.point.dtype == (numpy.float32 if precision == "float32" else numpy.float64)
    pairs = widephase.time_of_impact(bullets(precision), [[2, 0], [0, 1], [1, 2]], position_end=end,
                                     tolerance=1e-3)
    assert pairs.t[0] == found.t[0] and pairs.found.tolist() == [True, True, False]
    assert widephase.first_impacts(bullets(precision), position_end=end, normals=False).normal.shape == (0, 3)


def test_rods_that_rotate():
    scene = widephase.Scene(2, "float64")
    scene.boxes.set(center=[[0.0, 0]], angle=[0.0], half_extents=[[1.0, 0]], body=[0])
    scene.circles.set(center=[[0.5, 0.5]], radius=0.0)
    scene.bodies.set(position=[[0.0, 0]], angle=[0.0])
    # On the diagonal of a quarter turn, in the middle of the way; the other way round its other end is there after
    # three eighths of a turn, which two radians are not.
    assert abs(widephase.first_impacts(scene, angle_end=[numpy.pi / 2]).t[0] - 0.5) < 1e-3
    assert not widephase.first_impacts(scene, angle_end=[-2.0]).found[0]
    assert widephase.first_impacts(scene, angle_end=[-3.0]).found[0]
    refused(lambda: widephase.first_impacts(scene, angle_end=[numpy.pi]), "angle_end", 0, "half a turn")
    refused(lambda: widephase.first_impacts(scene, orientation_end=[[0, 0, 0, 1]]), "orientation_end", None,
            "angle_end")


def test_the_triangle_that_is_met():
    scene = bullets("float64")
    assert len(widephase.first_impacts(scene, position_end=[[5.0, 0, 0], [20, 0, 0]]).part) == 0
    # The second of two triangles, on the side of y.
    scene.mesh_geometries.add([[5, -1, -1], [5, 1, -1], [5, 1, 1], [5, -1, 1]], [[0, 1, 2], [0, 2, 3]], two_sided=True)
    scene.meshes.set(center=[[0.0, 0, 0]], orientation=[[0.0, 0, 0, 1]], geometry=[0])
    mesh = len(scene) - 1
    found = widephase.first_impacts(scene, position_end=[[-10.001, 0, 0], [0.0, -0.5, 0.5]])
    assert found.pair.tolist() == [[-1, -1], [mesh, 1]] and found.part.tolist() == [[-1, -1], [1, -1]]
    pairs = widephase.time_of_impact(scene, [[1, mesh]], position_end=[[-10.001, 0, 0], [0.0, -0.5, 0.5]])
    assert pairs.part.tolist() == [[-1, 1]] and pairs.t[0] == found.t[1]


def test_what_overlaps_at_the_start():
    scene = bullets("float64")
    scene.bodies.set(position=[[-0.3, 0, 0], [20, 0, 0]])
    out, deeper = [[-5.0, 0, 0], [20, 0, 0]], [[5.0, 0, 0], [20, 0, 0]]
    report = widephase.first_impacts(scene, position_end=out)
    assert report.status[0] == 1 and report.t[0] == 0
    assert report.depth[0] == -widephase.distance(scene, [[2, 0]]).distance[0] > 0
    for way, word, is_found in [(out, "leave_apart", False), (deeper, "leave_apart", True), (deeper, "pass", False)]:
        assert widephase.first_impacts(scene, position_end=way, start_overlap=word).found[0] == is_found
    refused(lambda: widephase.first_impacts(scene, start_overlap="stay"), "start_overlap", None, "expected one of")


def test_kept_scenes_threads_and_errors():
    walls = widephase.Scene(3, "float64")
    walls.aabbs.set(min=[[-0.001, -5, -5]], max=[[0, 5, 5]])
    scene = widephase.Scene(3, "float64")
    random = numpy.random.default_rng(3)
    position = random.uniform(-9, 9, size=(500, 3))
    scene.boxes.set(center=numpy.zeros((500, 3)), half_extents=0.2,
                    orientation=[[0, 0, 0, 1]], body=numpy.arange(500))
    scene.bodies.set(position=position, orientation=numpy.tile([0.0, 0, 0, 1], (500, 1)))
    turned = numpy.tile([0.6, 0, 0, 0.8], (500, 1))
    ways = dict(position_end=position + random.normal(size=(500, 3)), orientation_end=turned,
                kept=widephase.StaticScene(walls))
    first = widephase.first_impacts(scene, threads=1, **ways)
    second = widephase.first_impacts(scene, threads=2, isa=widephase.isas()[0], **ways)
    for name in ("pair", "t", "normal", "point", "depth", "feature", "status", "part"):
        assert getattr(first, name).tobytes() == getattr(second, name).tobytes()
    assert first.found.any() and (first.pair[:, 0] == 500).any()
    alone = widephase.first_impacts(scene, moving_pairs=False, **ways)
    assert set(alone.pair[alone.found][:, 0]) == {500}
    nan = position.copy()
    nan[7, 1] = numpy.nan
    refused(lambda: widephase.first_impacts(scene, position_end=nan), "position_end", 7, "must be finite")
    refused(lambda: widephase.first_impacts(scene, tolerance=-1), "tolerance", None, "length from 0 to 1e30")
    refused(lambda: widephase.time_of_impact(scene, [[0, 500]]), "pairs", 0, "500")
