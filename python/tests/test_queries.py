"""Distances, supports, trackers, hulls and outlines, each against what is known of it."""

import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays as numpy_arrays

import widephase
from conftest import same_bits


def three_spheres():
    scene = widephase.Scene(dimension=3)
    # Surfaces: 0 and 1 overlap by 0.5; 0 and 2 are 3 apart; 1 and 2 are 1.5 apart.
    scene.spheres.set(center=[[0, 0, 0], [1.5, 0, 0], [5, 0, 0]], radius=1)
    return scene


def test_pairs_and_distances():
    scene = three_spheres()
    assert widephase.find_pairs(scene).tolist() == [[0, 1]]
    assert sorted(widephase.find_pairs(scene, margin=1.5).tolist()) == [[0, 1], [1, 2]]
    low, high = widephase.bounds(scene)
    assert (low[:, 0] <= [-1, 0.5, 4]).all() and (high[:, 1] >= [1, 1, 1]).all()
    assert low[:, 0] == pytest.approx([-1, 0.5, 4]) and high[:, 1] == pytest.approx([1, 1, 1])
    pairs = np.array([[2, 0], [0, 1], [1, 2]], np.int32)
    answer = widephase.distance(scene, pairs)
    assert answer.pair is pairs and len(answer) == 3
    assert answer.distance.tolist() == [3, -0.5, 1.5]
    assert answer.normal.tolist() == [[-1, 0, 0], [1, 0, 0], [1, 0, 0]]
    assert answer.point_a.tolist() == [[4, 0, 0], [1, 0, 0], [2.5, 0, 0]]
    assert answer.point_b[0].tolist() == [1, 0, 0] and answer.status.tolist() == [0, 0, 0]
    assert widephase.test_pairs(scene, pairs).tolist() == [False, True, False]
    assert widephase.test_pairs(scene, pairs, margin=1.5).tolist() == [False, True, True]


def test_worlds():
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=[[0, 0], [1, 0], [0, 0], [5, 0], [0, np.nan]], radius=1,
                      world=[0, 0, 1, 1, 2])
    status = np.full(3, 9, np.uint8)
    assert widephase.any_contact(scene, world_status=status).tolist() == [True, False, False]
    assert status.tolist() == [0, 0, 1]
    least = widephase.min_distance(scene, world_mask=[True, True, False])
    assert least.pair.tolist() == [[0, 1], [2, 3], [-1, -1]]
    assert least.distance[:2].tolist() == [-1, 3]
    assert least.distance[2] == np.finfo(np.float32).max
    contacts = widephase.collide(scene, world_mask=[0, 1, 0], order="world")
    assert len(contacts) == 0 and contacts.world_offset.tolist() == [0, 0, 0, 0]


def test_supports_and_ids():
    scene = widephase.Scene(dimension=3, precision="double")
    scene.spheres.set(center=[[0, 0, 0]], radius=2)
    scene.boxes.set(center=[[0, 0, 0], [10, 0, 0]], orientation=[0, 0, 0, 1], half_extents=[1, 2, 3])
    assert scene.boxes.first_id == 1 and len(scene) == 3
    answer = widephase.support(scene, [0, 2, 1], [[0, 0, 9], [1, 1, 1], [-1, -1, 1]])
    assert answer.point.tolist() == [[0, 0, 2], [11, 2, 3], [-1, -2, 3]]
    # Kind vertex (1) in the two high bits; bit k for the upper side of axis k.
    assert answer.feature.tolist() == [0, 1 << 14 | 7, 1 << 14 | 4]
    one_direction = widephase.support(scene, [1, 2], [1, 1, 1])
    assert one_direction.point.tolist() == [[1, 2, 3], [11, 2, 3]]
    kinds, rows = scene.locate([2, 0, 1])
    assert [scene.kinds[kind] for kind in kinds] == ["box", "sphere", "box"]
    assert rows.tolist() == [1, 0, 0]


def test_ellipsoids_and_cones():
    # An egg that is 2 long along its own z, which a quarter turn about y takes to x: its ends are at 8 and 12.
    scene = widephase.Scene(dimension=3, precision="double")
    half = np.sqrt(0.5)
    scene.ellipsoids.set(center=[[10, 0, 0]], orientation=[0, half, 0, half], half_extents=[1, 1, 2])
    # A cone to the left, its apex up; a rounded one to the right, its apex to the egg. A rounded cylinder under the egg.
    scene.cones.set(center=[[5, 0, 0], [20, 0, 0]], half_height=1, radius=1, rounding=[0, 0.5],
                    orientation=[[0, 0, 0, 1], [0, -half, 0, half]])
    scene.cylinders.set(center=[[10, 0, -4]], orientation=[0, 0, 0, 1], half_height=1, radius=2, rounding=0.25)
    assert scene.kinds[8:10] == ["ellipsoid", "cone"] and scene.cones.first_id == 2
    cylinder, egg, standing, pointing = range(4)
    answer = widephase.distance(scene, [[egg, pointing], [cylinder, egg]])
    # From x = 12 to the apex at 19, less its rounding; from z = -1 to -3, less the cylinder's rounding.
    assert answer.distance == pytest.approx([6.5, 1.75], abs=1e-12) and answer.status.tolist() == [0, 0]
    assert answer.point_a[0] == pytest.approx([12, 0, 0], abs=1e-6)
    assert answer.point_b[0] == pytest.approx([18.5, 0, 0], abs=1e-6)
    support = widephase.support(scene, [egg, pointing, standing, cylinder],
                                [[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, 1]])
    expected = np.array([[12, 0, 0], [18.5, 0, 0], [5, 0, 1], [10, 0, -2.75]])
    assert support.point == pytest.approx(expected, abs=1e-12)
    # An ellipsoid is one feature; a cone's apex is vertex 33, and a cylinder's upper cap face 1.
    assert support.feature.tolist() == [0, 1 << 14 | 33, 1 << 14 | 33, 3 << 14 | 1]
    # The ground is at z = -0.5. The lowest points are at -5.25, -1, -1 and, of the rounded base's rim, at -1.5.
    scene.halfspaces.set(normal=[[0, 0, 1]], offset=[-0.5])
    ground = widephase.collide_pairs(scene, [[0, 1], [1, 2], [1, 3], [1, 4]], order="source")
    assert ground.depth == pytest.approx([4.75, 0.5, 0.5, 1], abs=1e-12)
    scene.cones.rounding = [0, -1]
    with pytest.raises(widephase.Error, match=r"rounding\[1\] is -1"):
        widephase.collide(scene)


def test_tracker():
    scene, tracker = three_spheres(), widephase.Tracker()
    assert tracker.last_contact.tolist() == []
    center = scene.spheres.center.copy()
    scene.spheres.center = center
    widephase.collide(scene, tracker=tracker)
    assert tracker.last_contact.tolist() == [-1]
    center[2, 0] = 3  # 1 and 2 overlap now
    contacts = widephase.collide(scene, tracker=tracker)
    assert contacts.pair.tolist() == [[0, 1], [1, 2]]
    first = tracker.last_contact
    assert first.tolist() == [0, -1] and tracker.last_point.tolist() == [0, -1]
    center[0, 0] = -5
    widephase.collide(scene, tracker=tracker)
    assert tracker.last_contact.tolist() == [1] and first.tolist() == [0, -1]
    ended = tracker.ended
    assert len(ended) == 1 and ended.pair.tolist() == [[0, 1]] and ended.contact.tolist() == [0]
    tracker.forget([0])
    widephase.collide_pairs(scene, [[2, 1]], tracker=tracker)
    assert tracker.last_contact.tolist() == [-1]
    with pytest.raises(widephase.Error, match="another dimension or precision"):
        widephase.collide(widephase.Scene(2), tracker=tracker)


@pytest.mark.parametrize("worlds", [[1, 2], (2, 1), np.array([1, 2]), np.array([1, 2], np.int8), [False, True, True],
                                    np.array([False, True, True, True])])
def test_worlds_are_forgotten_by_number_or_by_truth_values(worlds):
    scene, tracker = widephase.Scene(dimension=2), widephase.Tracker()
    scene.circles.set(center=np.zeros((6, 2)), radius=1.0, world=[0, 0, 1, 1, 2, 2])
    tracker.forget(worlds)  # before the first step there is nothing to forget
    for last in ([-1, -1, -1], [0, 1, 2]):
        widephase.collide(scene, tracker=tracker, order="id")
        assert tracker.last_contact.tolist() == last
    tracker.forget(worlds)
    tracker.forget([])
    widephase.collide(scene, tracker=tracker, order="id")
    assert tracker.last_contact.tolist() == [0, -1, -1] and len(tracker.ended) == 0
    tracker.forget()
    tracker.forget(7)  # of no step
    widephase.collide(scene, tracker=tracker, order="id")
    assert tracker.last_contact.tolist() == [-1, -1, -1]


def test_worlds_to_forget_are_those_of_the_last_step():
    scene, tracker = widephase.Scene(dimension=2), widephase.Tracker()
    scene.circles.set(center=np.zeros((6, 2)), radius=1.0, world=[0, 0, 1, 1, 2, 2])
    widephase.collide(scene, tracker=tracker)
    for worlds, row, text in [([0, 3], 1, r"worlds\[1\] is 3; the last step had 3 worlds, numbered from 0"),
                              ([-1], 0, r"worlds\[0\] is -1; "),
                              ([True, False], None, "worlds has 2 entries; the scene has 3 worlds"),
                              (np.array([0, 1, 1], np.uint8), None, "uint8, which may be a mask or numbers"),
                              ([0.5], None, "float64")]:
        with pytest.raises(widephase.Error, match=text) as caught:
            tracker.forget(worlds)
        assert caught.value.array == "worlds" and caught.value.row == row
    widephase.collide(scene, tracker=tracker)
    assert (tracker.last_contact >= 0).all()


def test_a_mask_of_worlds_is_not_their_numbers():
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=np.zeros((6, 2)), radius=1.0, world=[0, 0, 1, 1, 2, 2])
    for mask in (np.arange(3), np.array([0, 1, 2], np.uint8), [0, 1, 2]):
        with pytest.raises(widephase.Error, match=r"world_mask\[2\] is 2; a mask has True or False \(1 or 0\)"):
            widephase.collide(scene, world_mask=mask)
    tree = widephase.BoundsTree([[0.0, 0]], [[1.0, 1]])
    with pytest.raises(widephase.Error, match=r"world_mask\[0\] is 300; "):
        tree.find_pairs([[0.0, 0]], [[1.0, 1]], world_mask=[300])
    for mask in ([0, 1, 0], np.array([0, 1, 0]), np.array([0, 1, 0], np.uint8), [False, True, False],
                 np.isin(range(3), [1])):
        assert widephase.collide(scene, world_mask=mask).pair.tolist() == [[2, 3]]


def test_makers_and_measures():
    hulls = widephase.Geometries(3, "double")
    assert hulls.add_box([1, 2, 3]) == 0
    assert hulls.measures(0)["volume"] == pytest.approx(48)
    assert hulls.measures(0)["inertia"][0] == pytest.approx(48 / 12 * (16 + 36))
    hulls.add_cylinder(sides=6, half_height=1, radius=1)
    hulls.add_cone(sides=5, half_height=1, radius=1)
    hulls.add_icosphere(subdivisions=1, radius=1)
    index, excess = hulls.add_enclosing(np.random.default_rng(0).normal(size=(500, 3)), 16)
    assert index == 4 and excess > 0
    assert np.diff(hulls.offsets).tolist()[:4] == [8, 12, 6, 42]
    surface = hulls.topology(0)
    assert surface["normals"].shape == (6, 3) and surface["edges"].shape == (12, 4)
    assert surface["face_offsets"].tolist() == [0, 4, 8, 12, 16, 20, 24]
    flat = widephase.Geometries(2)
    assert [flat.add_box([1, 2]), flat.add_regular_polygon(6, 1), flat.add_capsule(1, 1, 3)] == [0, 1, 2]
    assert flat.measures(0)["area"] == pytest.approx(8) and len(flat) == 3
    assert flat.edge_normals(0).tolist() == [[0, -1], [1, 0], [0, 1], [-1, 0]]
    with pytest.raises(widephase.Error, match="add_cone needs those"):
        flat.add_cone(3, 1, 1)


def test_decompose():
    square = [[0, 0], [4, 0], [4, 4], [0, 4]]
    hole = [[1, 1], [1, 3], [3, 3], [3, 1]]
    outline = widephase.decompose([square, np.array(hole, float)])
    assert outline.area == 12 and not outline.is_repaired
    parts = outline.parts
    assert len(parts) == outline.part_count >= 4 and parts.inner.max() == 1
    scene = widephase.Scene(dimension=2, precision="double")
    scene.geometries = parts
    n = len(parts)
    scene.polygons.set(center=np.zeros((n, 2)), angle=0.0, geometry=np.arange(n, dtype=np.int32),
                       owner=0)
    scene.circles.set(center=[[2, 2], [0.5, 2]], radius=0.25)
    contacts = widephase.collide(scene)
    assert set(contacts.pair[:, 0].tolist()) == {1}  # the one in the hole touches nothing
    assert widephase.decompose([square], parts).part_count == 1 and len(parts) == n + 1


@given(points=numpy_arrays(np.float64, st.tuples(st.integers(0, 30), st.just(3)),
                           elements=st.floats(-5, 5)))
def test_hulls_hold_their_points(points):
    hulls = widephase.Geometries(3, "double")
    try:
        index = hulls.add(points)
    except widephase.Error as error:
        assert error.array == "points"  # no volume
        return
    surface = hulls.topology(index)
    beyond = points @ surface["normals"].T - surface["offsets"]
    assert beyond.max() <= 1e-12
    assert {tuple(row) for row in hulls.vertices.tolist()} <= {tuple(row) for row in points.tolist()}


def test_closest_of_a_pile_is_distance(balls):
    pairs = widephase.find_pairs(balls, margin=0.5)
    answer = widephase.distance(balls, pairs)
    least = widephase.min_distance(balls)
    assert same_bits(least.distance[0], answer.distance.min())


@pytest.mark.parametrize("precision", ["float", "double", "mixed"])
@pytest.mark.parametrize("dimension", [2, 3])
def test_a_static_scene_is_met_in_every_precision(precision, dimension):
    def scene(center):
        made = widephase.Scene(dimension, precision)
        table = made.circles if dimension == 2 else made.spheres
        table.set(center=[list(center) + [0.0] * (dimension - 2)], radius=1.0)
        return made

    kept = widephase.StaticScene(scene((0.0, 0.0)))
    assert len(kept) == 1
    contacts = widephase.collide(scene((1.5, 0.0)), kept=kept)
    assert contacts.pair.tolist() == [[0, 1]] and contacts.depth.tolist() == [0.5]
    other = widephase.Scene(dimension, "double" if precision == "float" else "float")
    with pytest.raises(widephase.Error, match=f"kept is {dimension}D, {precision}; the scene is {dimension}D, "):
        widephase.collide(other, kept=kept)


def test_every_call_asks_what_is_kept():
    """Four balls, of which the last two are kept: the same answers as of one scene."""
    centers = np.array([[0, 0], [5, 0], [1.5, 0], [9, 0]])
    worlds = np.array([0, 1, -1, 1], np.int32)

    def scene(rows):
        made = widephase.Scene(dimension=2, precision="double")
        made.circles.set(center=centers[rows], radius=np.ones(len(rows)), world=worlds[rows],
                         key=np.array(rows, np.int64), body=np.array(rows, np.int32) % 2)
        return made

    whole, moving, kept = scene([0, 1, 2, 3]), scene([0, 1]), widephase.StaticScene(scene([2, 3]), margin=1)
    whole.circles.set(center=centers, radius=np.ones(4), world=worlds, fixed=np.array([0, 0, 1, 1], np.uint8))
    pairs = np.array([[0, 2], [3, 1], [2, 3]], np.int32)
    tracker = widephase.Tracker()
    for step in range(2):
        contacts = widephase.collide(moving, kept=kept, tracker=tracker)
        assert contacts.pair.tolist() == [[0, 2]]
        assert tracker.last_contact.tolist() == [step - 1]
    assert widephase.contact_bodies(moving, contacts, kept).tolist() == [[0, 0]]
    assert widephase.any_contact(moving, kept=kept).tolist() == widephase.any_contact(whole).tolist() == [True, False]
    assert widephase.min_distance(moving, kept=kept).pair.tolist() == [[0, 2], [1, 2]]
    assert widephase.min_distance(whole).distance.tolist() == widephase.min_distance(moving, kept=kept).distance.tolist()
    assert widephase.distance(moving, pairs, kept=kept).distance.tolist() == [-0.5, 2, 5.5]
    assert widephase.test_pairs(moving, pairs, kept=kept).tolist() == [True, False, False]
    assert len(widephase.collide_pairs(moving, pairs, kept=kept, tracker=tracker)) == 1
    assert widephase.find_pairs(moving, kept=kept, margin=1).tolist() == [[0, 2]]
    assert widephase.support(moving, np.array([3], np.int32), [0.0, 1.0], kept=kept).point.tolist() == [[9, 1]]
    mask = np.array([0, 1], np.uint8)
    assert len(widephase.collide(moving, kept=kept, world_mask=mask)) == 0


def test_rows_of_a_static_scene_change():
    """A door of half width 0.5 opens: from x = 0 to x = 3. The ball touches it, then no more."""
    level = widephase.Scene(dimension=2)
    level.boxes.set(center=[[0, 0], [8, 0]], half_extents=[[0.5, 1], [1, 1]], angle=np.zeros(2, np.float32))
    moving = widephase.Scene(dimension=2)
    moving.circles.set(center=[[1, 0], [9, 0]], radius=0.75)
    kept, tracker = widephase.StaticScene(level), widephase.Tracker()
    assert widephase.collide(moving, kept=kept, tracker=tracker).pair.tolist() == [[0, 2], [1, 3]]
    level.boxes.center[0] = [3, 0]
    kept.update(level, np.array([0], np.int32))
    assert widephase.collide(moving, kept=kept, tracker=tracker).pair.tolist() == [[1, 3]]
    assert tracker.last_contact.tolist() == [1] and tracker.ended.pair.tolist() == [[0, 2]]
    assert tracker.ended.kept.tolist() == [[0, 1]]
    for ids, text in [([2], "ids[0] is 2; the static scene has 2 shapes, whose ids begin at 0"),
                      ([1], "box.center[1] is nan; center must be a finite number")]:
        level.boxes.center[1] = [np.nan, 0]
        with pytest.raises(widephase.Error) as caught:
            kept.update(level, np.array(ids, np.int32))
        assert str(caught.value) == text
    assert widephase.collide(moving, kept=kept).pair.tolist() == [[1, 3]]
    # A contact's side says which row of the static scene it is, and so does locate.
    (contact,) = widephase.collide(moving, kept=kept)
    assert contact.kind[1] == "box" and level.boxes.first_id + contact.row[1] == 1
    kinds, rows = moving.locate(contact.pair, kept=kept)
    assert [moving.kinds[kind] for kind in kinds] == ["circle", "box"] and rows.tolist() == [1, 1]
    with pytest.raises(widephase.Error, match=r"ids\[0\] is 4; the ids are 0 to 3"):
        moving.locate([4], kept)
    with pytest.raises(widephase.Error, match=r"ids\[1\] is 2; the ids are 0 to 1"):
        moving.locate([0, 2])
    near = widephase.min_distance(moving, kept=kept)
    with pytest.raises(widephase.Error, match=r"contacts is of the type Distances; it must be Contacts, .*locate"):
        widephase.contact_bodies(moving, near, kept=kept)
    with pytest.raises(widephase.Error, match="another dimension or precision"):
        kept.update(widephase.Scene(dimension=3), np.array([0], np.int32))
    with pytest.raises(widephase.Error, match="has 1 rows; the static scene was built with 2"):
        smaller = widephase.Scene(dimension=2)
        smaller.boxes.set(center=[[0, 0]], half_extents=[[1, 1]], angle=np.zeros(1, np.float32))
        kept.update(smaller, np.array([0], np.int32))


def test_a_floor_in_world_0_alone_is_a_warning():
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=[[0, 0], [0, 0]], radius=1.0, world=np.array([0, 1], np.int32))
    scene.halfspaces.set(normal=[[0, 1]], offset=0.0)
    text = "halfspace.world is not given, so its 1 row is in world 0 of 2 only; -1 puts them in all"
    assert scene.notes() == [("halfspace.world", -1, text)]
    with pytest.warns(UserWarning, match=text):
        assert len(widephase.collide(scene)) == 1
    scene.halfspaces.world = np.array([-1], np.int32)
    assert scene.notes() == [] and len(widephase.collide(scene)) == 2


def test_owners_that_a_scene_and_its_static_scene_share_are_a_warning():
    level, moving = widephase.Scene(dimension=2), widephase.Scene(dimension=2)
    level.circles.set(center=[[0, 0], [0, 0]], radius=1.0, owner=[0, 1])
    moving.circles.set(center=[[0, 0]], radius=1.0, owner=[1])
    with pytest.warns(UserWarning, match="kept.owner has owner 1 that the scene has too"):
        assert len(widephase.collide(moving, kept=widephase.StaticScene(level))) == 1
    level.circles.owner = np.array([2, 3], np.int32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(widephase.collide(moving, kept=widephase.StaticScene(level))) == 2


def test_excluded_bodies_never_meet():
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=[[0, 0], [0, 0], [0, 0]], radius=1.0, body=np.array([0, 1, 2], np.int32))
    scene.excluded_bodies = [[2, 0]]
    assert widephase.find_pairs(scene).tolist() == [[0, 1], [1, 2]]
    scene.bodies.set(position=np.zeros((3, 2), np.float32))
    scene.excluded_bodies = [[0, 9999]]
    text = "excluded_bodies[0] names body 9999; the scene has 3 bodies, counted from 0"
    assert scene.validate() == [("excluded_bodies", 0, text)]
    for call in (widephase.collide, widephase.any_contact, lambda scene: widephase.replicate(scene, 2)):
        with pytest.raises(widephase.Error) as caught:
            call(scene)
        assert str(caught.value) == text
