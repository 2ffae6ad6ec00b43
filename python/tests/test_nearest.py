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


def from_triangles(points, corners):
    """Distances of points (n, 3) from triangles (m, 3, 3), all in double: of their planes within, else of edges."""
    def to_segment(p, q):
        along = q - p
        at = ((points[:, None] - p) * along).sum(-1) / (along * along).sum(-1)
        return numpy.linalg.norm(points[:, None] - p - numpy.clip(at, 0, 1)[..., None] * along, axis=-1)
    a, b, c = corners.transpose(1, 0, 2)
    normal = numpy.cross(b - a, c - a)
    normal /= numpy.linalg.norm(normal, axis=1, keepdims=True)
    inside = numpy.ones((len(points), len(corners)), bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= ((points[:, None] - p) * numpy.cross(normal, q - p)).sum(-1) >= 0
    height = numpy.abs(((points[:, None] - a) * normal).sum(-1))
    return numpy.where(inside, height, numpy.minimum(to_segment(a, b), numpy.minimum(to_segment(b, c), to_segment(c, a))))


def expect_nearest(hits, exact, rows, tolerance):
    """`exact` (points, shapes): distances. Shapes may differ only where theirs are as near."""
    order = numpy.sort(exact, axis=1)[:, :hits.distance.shape[1]]
    assert numpy.abs(hits.distance - order)[rows].max() < tolerance
    assert numpy.abs(numpy.take_along_axis(exact, hits.shape, 1) - order)[rows].max() < tolerance


@pytest.mark.parametrize("precision, tolerance", [("float64", 1e-13), ("float32", 4e-6), ("mixed", 4e-6)])
@pytest.mark.parametrize("radius", [0, 0.125])
def test_meshes_are_as_far_as_their_triangles(precision, tolerance, radius):
    random = numpy.random.default_rng(7)
    scene = widephase.Scene(3, precision)
    corners = []
    for mesh in range(6):
        vertices = random.integers(-64, 65, (12, 3)) / 32
        triangles = [t for t in random.integers(0, 12, (20, 3)) if len(set(t)) == 3]
        area = numpy.linalg.norm(numpy.cross(*(vertices[[t[k] for t in triangles]] - vertices[[t[0] for t in triangles]]
                                               for k in (1, 2))), axis=1)
        triangles = numpy.array(triangles)[area > 0.05]
        scene.mesh_geometries.add(vertices, triangles, two_sided=bool(mesh % 2))
        corners.append(vertices[triangles] + [3 * mesh, 0, 0])
    scene.meshes.set(center=[[3 * mesh, 0, 0] for mesh in range(6)], orientation=[[0, 0, 0, 1]] * 6,
                     geometry=range(6), radius=radius)
    points = random.integers(-128, 640, (300, 3)) / 32 + [0, -4, -4]
    hits = widephase.nearest(widephase.StaticScene(scene), points, 3)
    exact = numpy.stack([from_triangles(points, some).min(axis=1) for some in corners], axis=1)
    # Within the thickness a point is as deep as its side tells; outside all agree.
    expect_nearest(hits, exact - radius, numpy.sort(exact, axis=1)[:, :3].min(axis=1) > radius, 20 * tolerance)
    on_surface = hits.point.astype(float) - numpy.where(radius > 0, radius * hits.normal, 0)
    near = numpy.array([[from_triangles(on_surface[i, k][None], corners[hits.shape[i, k]]).min() for k in range(3)]
                        for i in range(60)])
    assert near[(exact.min(axis=1) > radius)[:60]].max() < 20 * tolerance


@pytest.mark.parametrize("precision, tolerance", [("float64", 1e-13), ("float32", 4e-6), ("mixed", 4e-6)])
def test_height_fields_are_as_far_as_their_triangles_from_above(precision, tolerance):
    random = numpy.random.default_rng(8)
    scene = widephase.Scene(3, precision)
    heights = random.integers(0, 33, (9, 12)) / 32
    fields = scene.heightfield_geometries
    fields.add(heights, (0.5, 0.75))
    scene.heightfields.set(center=[[0, 0, 0], [0, 0, -2]], orientation=[[0, 0, 0, 1]] * 2, geometry=0)
    # Above and within the borders by more than any height, so that no wall is as near.
    points = numpy.column_stack((random.uniform(1.2, 4.3, 200), random.uniform(1.2, 4.8, 200), random.uniform(-0.5, 2, 200)))
    points = numpy.round(points * 64) / 64
    numbers = [2 * (row * 12 + column) + k for row in range(8) for column in range(11) for k in (0, 1)]
    corners = numpy.array([fields.triangle(0, number) for number in numbers], float)
    hits = widephase.nearest(widephase.StaticScene(scene), points, 2)
    exact = numpy.stack([from_triangles(points, corners + [0, 0, low]).min(axis=1) for low in (0, -2)], axis=1)
    plane = [numpy.linalg.solve(numpy.column_stack((t[:, :2], numpy.ones(3))), t[:, 2]) for t in corners]
    under = numpy.full(len(points), numpy.nan)
    for t, p in zip(corners, plane):
        a, b, c = t[:, :2]
        turn = lambda u, v: (v - u)[0] * (points[:, 1] - u[1]) - (v - u)[1] * (points[:, 0] - u[0])
        within = (turn(a, b) >= 0) & (turn(b, c) >= 0) & (turn(c, a) >= 0)
        under[within] = points[within, :2] @ p[:2] + p[2]
    assert not numpy.isnan(under).any()
    above = points[:, 2] > under
    assert above.sum() > 80 and (~above).sum() > 20
    expect_nearest(hits, exact, above, 20 * tolerance)
    # Below the surface it is a way out, which is never longer than straight up.
    deep = hits.distance[~above][hits.shape[~above] == 0]
    assert (deep < 0).all() and (-deep <= (under - points[:, 2])[~above] + 20 * tolerance).all()


@pytest.mark.parametrize("kind", ["heightfield", "mesh"])
def test_doubles_near_a_surface_have_a_distance(kind):
    """One point in a hundred had none: its nearest triangle was farther than its own bound, by rounding."""
    scene = widephase.Scene(3, "float64")
    corners = numpy.array([[0, 0, 0.53125], [0.5, 0, 0.125], [0, 0.75, 1], [0.5, 0.75, 0.375]])
    if kind == "mesh":
        scene.mesh_geometries.add(corners, [[0, 1, 3], [0, 3, 2]])
        scene.meshes.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=0)
    else:
        scene.heightfield_geometries.add(corners[:, 2].reshape(2, 2), (0.5, 0.75))
        scene.heightfields.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=0)
    points = numpy.random.default_rng(1).uniform((0, 0, 0.1), (0.5, 0.75, 1.2), (5000, 3))
    hits = widephase.nearest(widephase.StaticScene(scene), points)
    assert hits.found.all() and (numpy.abs(hits.distance) < 1).all()


def test_limits():
    kept = balls()
    for points in ([2.5, 0, 0], [[2.5, 0, 0]], numpy.array([2.5, 0, 0])):
        assert widephase.nearest(kept, points).distance.tolist() == [[0.5]]
    nothing = widephase.nearest(kept, numpy.empty((0, 3)), 2, world=0)
    assert nothing.shape.shape == (0, 2) and nothing.normal.shape == (0, 2, 3)
    # No farther than 0: what touches the point or holds it.
    assert widephase.nearest(kept, [[1, 0, 0], [1.25, 0, 0]], max_distance=0).shape.tolist() == [[0], [-1]]
    assert widephase.nearest(kept, [[2.5, 0, 0]], 2, max_distance=numpy.inf).found.all()
    empty = widephase.StaticScene(widephase.Scene(3, "float64"))
    assert widephase.nearest(empty, [[0, 0, 0]], 2).shape.tolist() == [[-1, -1]]
    assert widephase.any_overlap(widephase.Scene(3, "float64"), kept).tolist() == []
    moving = widephase.Scene(3, "float64")
    moving.spheres.set(center=[[0, 0, 0]], radius=0)
    assert widephase.any_overlap(moving, empty).tolist() == [False]
    assert widephase.any_overlap(moving, kept).tolist() == [True]


def test_world_mask():
    scene = widephase.Scene(3, "float64")
    scene.spheres.set(center=[[0, 0, 0], [3, 0, 0], [6, 0, 0]], radius=1, world=[0, 1, -1])
    kept = widephase.StaticScene(scene)
    points = [[0, 0, 0]] * 3
    assert widephase.nearest(kept, points, world=[0, 1, -1]).shape.tolist() == [[0], [1], [0]]
    masked = widephase.nearest(kept, points, world=[0, 1, -1], world_mask=[False, True])
    assert masked.shape.tolist() == [[-1], [1], [1]]
    refused(lambda: widephase.nearest(kept, points, world=[0, 0, -1], world_mask=[True]), "world_mask", None, "the largest world is 1")


def test_filters_and_threads():
    kept = balls()
    assert widephase.nearest(kept, [[0, 0, 0]], world=[1]).shape.tolist() == [[1]]
    assert widephase.nearest(kept, [[0, 0, 0]], owner=[1]).shape.tolist() == [[1]]
    assert widephase.nearest(kept, [[0, 0, 0]], excluded=[[0, 0]]).shape.tolist() == [[1]]
    many = numpy.random.default_rng(1).normal(size=(5000, 3)).astype(numpy.float32)
    first = widephase.nearest(kept, many, 2, threads=1)
    second = widephase.nearest(kept, many.astype(float), 2, threads=2, isa=widephase.isas()[0])
    assert first.distance.tobytes() == second.distance.tobytes() and first.found.all()


def test_any_overlap_of_shapes_with_many_partners():
    """Most pairs are tested in later rounds: the one contact of a shape may be its last candidate."""
    random = numpy.random.default_rng(3)
    rods = widephase.Scene(3, "float32")
    a = random.uniform(-1, 1, (400, 3)).astype(numpy.float32)
    b = random.uniform(-1, 1, (400, 3)).astype(numpy.float32)
    rods.capsules.set(a=a, b=b, radius=0.01)
    kept = widephase.StaticScene(rods)
    moving = widephase.Scene(3, "float32")
    moving.spheres.set(center=random.uniform(-1, 1, (3000, 3)).astype(numpy.float32), radius=0.02)
    contacts = widephase.collide(moving, kept=kept, moving_pairs=False)
    expected = numpy.zeros(3000, bool)
    expected[contacts.pair.min(axis=1)] = True
    assert 100 < expected.sum() < 2900
    assert (widephase.any_overlap(moving, kept) == expected).all()
    assert (widephase.any_overlap(moving, kept, threads=1) == expected).all()


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
