"""What NumPy users give: any type of numbers, parts of tables by rows, pickles, tensors."""

import copy
import inspect
import pickle

import numpy as np
import pytest

import widephase
from conftest import COLUMNS, same_bits, same_contacts
from test_input import CENTER, RADIUS, refused, scene_of

# Two balls of radius 1 whose centres are 1.5 apart overlap by 0.5; a third is far away.
WHOLE = (np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64, ">i4")
REAL = (np.float16, np.float64, np.longdouble, ">f4", ">f8")


@pytest.mark.parametrize("sizes, positions, precision", [
    (np.float32, np.float32, "float"), (np.float32, np.float64, "mixed"), (np.float64, np.float64, "double"),
    (np.float64, np.float32, "double"), (int, np.float64, "mixed"), (np.float16, np.float16, "float"),
])
def test_a_scene_is_as_wide_as_its_widest_columns(sizes, positions, precision):
    scene = scene_of(CENTER.astype(positions), RADIUS.astype(sizes))
    assert scene.precision == precision
    contacts = widephase.collide(scene)
    assert contacts.depth.tolist() == [0.5]
    assert contacts.depth.dtype == (np.float64 if precision == "double" else np.float32)
    assert contacts.point.dtype == (np.float32 if precision == "float" else np.float64)


def test_far_positions_keep_their_digits_without_a_word():
    # At 1e7 float32 has steps of 1: 0.75 apart would be 1 or 0.
    center = np.array([[1e7, 0, 0], [1e7 + 0.75, 0, 0]])
    assert widephase.collide(scene_of(center, 0.5)).depth.tolist() == [0.25]
    narrow = widephase.Scene(3, "float32")
    narrow.spheres.set(center=center, radius=0.5)
    assert narrow.precision == "float" and widephase.collide(narrow).depth.tolist() == [0]


@pytest.mark.parametrize("type", [*WHOLE, *REAL, np.float32, bool])
@pytest.mark.parametrize("precision", ["float32", "float64", "mixed", None])
def test_arrays_of_every_type_are_read_anew_by_every_call(type, precision):
    center = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 1]], type)  # gaps 1, sqrt(3), sqrt(2); radii 0.55
    scene = widephase.Scene(3, precision)
    scene.spheres.set(center=center, radius=0.55)
    assert scene.spheres.center is center
    for _ in range(2):
        assert widephase.collide(scene).pair.tolist() == [[0, 1]]
        center[1] = 0
        assert widephase.collide(scene).depth[0] == pytest.approx(1.1)
        center[1, 0] = 1


@pytest.mark.parametrize("type", [*WHOLE, bool])
def test_columns_of_integers_take_every_type_of_them(type):
    scene = scene_of(CENTER, RADIUS)
    world = np.array([0, 1, 0], type)
    for name in ("world", "owner", "body", "key", "fixed", "mask", "category"):
        setattr(scene.spheres, name, world)
        assert getattr(scene.spheres, name) is world
        setattr(scene.spheres, name, None)
    scene.spheres.world = world
    assert len(widephase.collide(scene)) == 0
    world[1] = 0
    assert len(widephase.collide(scene)) == 1
    pairs = np.array([[0, 1], [1, 0]], type)
    assert widephase.test_pairs(scene, pairs).tolist() == [True, True]
    assert widephase.support(scene, pairs[:, 0], [0, 0, 1]).point.tolist() == [[0, 0, 1], [1.5, 0, 1]]
    assert len(widephase.collide(scene, world_mask=np.array([0], type))) == 0
    scene.excluded = pairs
    assert len(widephase.collide(scene)) == 0


def test_numbers_that_no_longer_fit_are_named_by_the_call():
    scene = scene_of(CENTER, RADIUS)
    world = np.zeros(3, np.int64)
    scene.spheres.world = world
    world[2] = 2**31
    refused(lambda: widephase.collide(scene), "sphere.world", 2, "is 2147483648, which int32 does not hold")
    world[2] = 0
    assert len(widephase.collide(scene)) == 1
    narrow = widephase.Scene(3, "float32")
    center = CENTER.astype(float)
    narrow.spheres.set(center=center, radius=1)
    center[1, 1] = 1e300
    refused(lambda: widephase.collide(narrow), "sphere.center", 1, "which float32 does not hold")


def test_pairs_are_what_numpy_gives():
    scene = scene_of(CENTER, RADIUS)
    upper = np.triu_indices(3, 1)
    assert widephase.collide_pairs(scene, upper).pair.tolist() == [[0, 1]]
    assert widephase.test_pairs(scene, upper).tolist() == [True, False, False]
    assert widephase.test_pairs(scene, np.stack(upper, axis=1)).tolist() == [True, False, False]
    # A tuple of two arrays is two columns; lists and tuples of numbers are rows.
    assert widephase.test_pairs(scene, (np.array([0, 0]), np.array([1, 2]))).tolist() == [True, False]
    assert widephase.test_pairs(scene, ((0, 1), (0, 2))).tolist() == [True, False]
    assert widephase.test_pairs(scene, np.zeros((2, 4), np.int32)[:, ::2] + [0, 1]).tolist() == [True, True]
    scene.excluded = upper
    assert len(widephase.collide(scene)) == 0


def test_packed_records_are_read_wherever_their_fields_lie():
    record = np.zeros(3, np.dtype([("flag", "u1"), ("center", "f4", 3), ("radius", "f8"), ("world", "<i2")]))
    assert not record["center"].flags.aligned and not record["radius"].flags.aligned
    record["center"], record["radius"] = CENTER, RADIUS
    scene = widephase.Scene(3, "float32")
    scene.spheres.set(center=record["center"], radius=record["radius"], world=record["world"])
    assert same_contacts(widephase.collide(scene), widephase.collide(scene_of(CENTER, RADIUS)))
    record["world"][1] = 5
    assert len(widephase.collide(scene)) == 0


def test_precision_is_a_word_or_a_type():
    for words, precision in ((("float32", "float", np.float32, np.dtype("f4")), "float"),
                             (("float64", "double", np.float64, float), "double"), (("mixed",), "mixed")):
        for word in words:
            assert widephase.Scene(2, word).precision == precision
            assert widephase.Geometries(2, word).precision == ("double" if precision == "double" else "float")
    refused(lambda: widephase.Scene(2, np.int32), "precision", None, "is int32; expected float32, float64 or mixed")


def test_lists_become_as_wide_as_the_scene():
    scene = widephase.Scene(3)
    scene.spheres.set(center=[[0.1, 0, 0]], radius=0.1)
    assert scene.spheres.center.dtype == np.float32
    scene.capsules.set(a=np.zeros((1, 3)), b=np.ones((1, 3)), radius=0.1)
    assert scene.precision == "mixed" and scene.spheres.center[0, 0] == 0.1
    scene.spheres.center[0, 0] = 0.3  # what was written stays
    scene.capsules.radius = np.array([0.1])
    assert scene.precision == "double"
    assert scene.spheres.center[0, 0] == 0.3 and scene.spheres.radius[0] == 0.1
    scene.capsules.set()
    assert scene.precision == "float" and scene.spheres.center.dtype == np.float32


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda scene: pickle.loads(pickle.dumps(scene)),
                                 lambda scene: widephase.replicate(scene, 2)],
                         ids=["copy", "deepcopy", "pickle", "replicate"])
def test_lists_keep_their_digits_in_copies(way):
    scene = widephase.Scene(3)
    scene.geometries.add_box([1, 1, 1])
    scene.hulls.set(center=[0.1, 0, 0], orientation=[0, 0, 0, 1], geometry=0, body=0)
    scene.capsules.set(a=[0, 0, 0], b=[0, 0, 1], radius=[0.1], body=0)
    scene.spheres.set(center=np.zeros((1, 3), np.float32), radius=np.array([0.1], np.float32), body=0)
    scene.bodies.set(position=np.zeros((1, 3)), orientation=[0, 0, 0, 1])
    other = way(scene)
    assert other.precision == scene.precision == "mixed" and other.capsules.radius[0] == np.float32(0.1)
    assert other.geometries.precision == "float"
    count = len(other.bodies)
    other.bodies.set(position=np.zeros((count, 3)), orientation=np.tile([0.0, 0, 0, 1], (count, 1)))
    assert other.precision == "double" and len(other.hulls) == count
    # Arrays of float32 have the digits that they have.
    assert (other.capsules.radius == 0.1).all() and (np.float64(other.spheres.radius) != 0.1).all()
    assert len(widephase.collide(other)) == 0 and len(scene) == 3


def test_geometries_are_used_by_scenes_of_both_precisions():
    scene = widephase.Scene(3)
    scene.geometries.add_box([1, 1, 1])
    scene.hulls.set(center=np.array([[0, 0, 0], [1.5, 0, 0]]), orientation=np.tile([0.0, 0, 0, 1], (2, 1)),
                    geometry=np.zeros(2, np.int64))
    assert scene.precision == "double" and scene.geometries.precision == "float"
    assert widephase.collide(scene).depth.tolist() == [0.5]
    scene.geometries.add_box([2, 2, 2])
    scene.hulls.geometry = [1, 1]
    assert widephase.collide(scene).depth.tolist() == [2.5]
    wide = widephase.Geometries(3, "float64")
    wide.add_box([1, 1, 1])
    refused(lambda: setattr(widephase.Scene(3, "float32"), "geometries", wide), "geometries", None, "precision")


def test_a_table_without_rows_is_not_given_some_by_a_column():
    scene = widephase.Scene(3)
    for value in ([[0, 0, 0]], [0, 0, 0], 0, np.zeros((1, 3), np.float32)):
        refused(lambda: setattr(scene.spheres, "center", value), "sphere.center", None,
                "has 1 rows; the table has 0, and set() gives it columns of another length")
    assert len(scene) == 0


def test_parts_of_a_table_are_read_and_written_by_rows():
    center, radius = CENTER.copy(), RADIUS.copy()
    scene = scene_of(center, radius)
    part = scene.spheres[1:]
    assert len(part) == 2 and part.ids.tolist() == [1, 2] and part.center.base is center
    assert scene.spheres[-1].radius == 2 and scene.spheres[[2, 0]].radius.tolist() == [2, 1]
    assert scene.spheres[radius > 1].center.tolist() == [[9, 9, 9]] and part.world is None
    assert [row.radius for row in scene.spheres] == [1, 1, 2]
    part.set(center=[[0, 0, 1], [0, 0, 5]], radius=3)
    assert center.tolist() == [[0, 0, 0], [0, 0, 1], [0, 0, 5]] and radius.tolist() == [1, 3, 3]
    scene.spheres[0].center = np.array([7, 7, 7])
    assert center[0].tolist() == [7, 7, 7]
    # A column that was not given has its defaults elsewhere; one number for all becomes an array.
    scene.spheres[2].world = 4
    scene.spheres[[0, 1]].mask = np.array([1, 2])
    assert scene.spheres.world.tolist() == [0, 0, 4] and scene.spheres.mask.tolist() == [1, 2, 2**32 - 1]
    scene.spheres[:2].key = [10, 20]
    assert scene.spheres.key.tolist() == [10, 20, 2]
    scene.spheres.radius = 1.0
    scene.spheres[1].radius = 2.0
    assert scene.spheres.radius.tolist() == [1, 2, 1] and radius.tolist() == [1, 3, 3]


def test_parts_with_quaternions_keep_the_order_of_the_array():
    turn = np.array([[1.0, 0, 0, 0], [1, 0, 0, 0]], np.float32)
    scene = widephase.Scene(3)
    scene.boxes.set(center=np.zeros((2, 3)), half_extents=1, orientation=widephase.wxyz(turn))
    scene.boxes[1].orientation = [0, 0, 1, 0]  # x y z w: half a turn about z
    assert turn.tolist() == [[1, 0, 0, 0], [0, 0, 0, 1]]
    scene.boxes[0].orientation = widephase.wxyz(np.array([[0, 1.0, 0, 0]]))
    assert turn[0].tolist() == [0, 1, 0, 0] and scene.boxes[0].orientation.rows.tolist() == [0, 1, 0, 0]


def test_wrong_parts_are_named_and_change_nothing():
    center = CENTER.copy()
    scene = scene_of(center, RADIUS.copy())
    with pytest.raises(IndexError, match="index 3 is out of bounds"):
        scene.spheres[3]
    part = scene.spheres[:2]
    refused(lambda: part.set(center=[0, 0, 1], radius=[1, 2, 3]), "sphere.radius", None,
            "has 3 rows; the part of the table has 2")
    refused(lambda: part.set(center=0, size=1), "sphere.size", None, "those of sphere are")
    refused(lambda: setattr(part, "world", 0.5), "sphere.world", None, "must be int32")
    assert same_bits(center, CENTER)
    with pytest.raises(AttributeError, match="sphere has no column half_extents"):
        part.half_extents
    center.setflags(write=False)
    refused(lambda: setattr(part, "center", 0), "sphere.center", None, "must not be written")


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda scene: pickle.loads(pickle.dumps(scene))],
                         ids=["copy", "deepcopy", "pickle"])
def test_scenes_are_copied_and_pickled(way):
    scene = widephase.Scene(3)
    turn = np.array([[1.0, 0, 0, 0]] * 2)
    center = np.array([[0.0, 0, 0], [1.5, 0, 0]])
    scene.geometries.add_box([1, 1, 1])
    scene.hulls.set(center=center, orientation=widephase.wxyz(turn), geometry=0, key=np.array([5, 6], np.int16))
    scene.spheres.set(center=[0, 0, 1], radius=0.5, world=-1)
    scene.excluded = [[0, 1]]
    scene.pairs = [[0, 2]]
    scene.set_domain([-9, -9, -9], [9, 9, 9], [True, False, True])
    other = way(scene)
    assert (other.precision, other.domain, other.pairs) == (scene.precision, scene.domain, scene.pairs)
    assert other.excluded.tolist() == [[0, 1]] and other.hulls.key.tolist() == [5, 6]
    assert isinstance(other.hulls.orientation, widephase.wxyz)
    expected = widephase.collide(scene)
    assert len(expected) == 2 and same_contacts(widephase.collide(other), expected)
    # A copy shares the arrays, a deep copy and a pickle have their own.
    assert (other.hulls.center is center) == (way is copy.copy)
    other.spheres.set()
    assert len(scene) == 3


def test_contacts_and_geometries_are_copied_and_pickled(balls):
    contacts = widephase.collide(balls, order="world")
    for other in (pickle.loads(pickle.dumps(contacts)), copy.copy(contacts), copy.deepcopy(contacts)):
        assert same_contacts(other, contacts) and same_bits(other.world_offset, contacts.world_offset)
        assert other.hash() == contacts.hash()
    flat = widephase.Geometries(2, "float64")
    flat.add_regular_polygon(5, 1.0)
    other = pickle.loads(pickle.dumps(flat))
    assert other.precision == "double" and same_bits(other.vertices, flat.vertices)
    assert len(pickle.loads(pickle.dumps(widephase.Geometries(3)))) == 0


class Tensor:
    """On the CPU, and nothing but DLPack."""

    def __init__(self, array, device=1):
        self.array, self.device = array, device

    def __dlpack__(self, **options):
        if self.device != 1:
            raise BufferError("Unsupported device in DLTensor.")
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.device, 0


def test_tensors_come_and_go_by_dlpack_without_a_copy():
    center, pairs = CENTER.copy(), np.array([[0, 1]])
    scene = scene_of(Tensor(center), Tensor(RADIUS))
    assert widephase.collide_pairs(scene, Tensor(pairs)).depth.tolist() == [0.5]
    center[1, 0] = 1.25
    contacts = widephase.collide(scene)
    assert contacts.depth.tolist() == [0.75]
    for name in COLUMNS:
        array = getattr(contacts, name)
        tensor = np.from_dlpack(array)
        assert same_bits(tensor, array) and tensor.ctypes.data == array.ctypes.data
    refused(lambda: scene_of(Tensor(center, device=2), 1), "sphere.center", None,
            "does not share its memory: Unsupported device in DLTensor.; a tensor must be on the CPU (.cpu())")


def test_tables_of_other_libraries_are_arrays():
    class Series:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return self.array

    radius = RADIUS.astype(float)
    scene = scene_of(Series(CENTER), Series(radius))
    assert scene.precision == "double" and len(widephase.collide(scene)) == 1
    radius[0] = 0.25
    assert len(widephase.collide(scene)) == 0


def test_least_distances_say_whether_there_is_a_pair():
    scene = scene_of(CENTER, RADIUS)
    scene.spheres.world = [0, 0, 2]
    least = widephase.min_distance(scene)
    assert least.found.tolist() == [True, False, False] and np.isfinite(least.distance).all()
    assert least.distance[0] == -0.5
    assert widephase.distance(scene, [[0, 2]]).found.tolist() == [True]


def test_contacts_come_in_chunks(balls):
    expected = widephase.collide(balls)
    chunks = []
    widephase.stream_collide(balls, chunks.append, threads=2)
    assert len(chunks) >= 1 and sum(map(len, chunks)) == len(expected) > 1000
    for name in ("pair", "source", "normal", "depth", "point"):
        assert same_bits(np.concatenate([getattr(chunk, name) for chunk in chunks]), getattr(expected, name))

    def stop(chunk):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        widephase.stream_collide(balls, stop)
    assert len(widephase.collide(balls)) == len(expected)
    with pytest.raises(TypeError, match="cannot be called"):
        widephase.stream_collide(balls, 3)


def test_trees_answer_pairs_of_two_sets():
    # Boxes of side 1 at 0, 2, 4 along x; a region from 1.5 to 4.5 meets the last two.
    low = np.array([[0.0, 0], [2, 0], [4, 0]])
    tree = widephase.BoundsTree(low, low + 1, world=[0, 0, 1])
    assert len(tree) == 3
    assert tree.find_pairs([[1.5, 0]], [[4.5, 1]], world=[-1]).tolist() == [[1, 0], [2, 0]]
    assert tree.find_pairs([[1.5, 0]], [[4.5, 1]]).tolist() == [[1, 0]]
    assert tree.find_pairs([[1.5, 0]], [[4.5, 1]], world=[-1], excluded=[[1, 0]]).tolist() == [[2, 0]]
    # Around a circle of 6 the box at 4 to 5 is next to the one at 0.
    ring = widephase.BoundsTree(low, low + 1, domain=([0, 0], [6, 1], [True, False]))
    assert sorted(ring.find_pairs([[4.9, 0]], [[6.5, 1]]).tolist()) == [[0, 0], [2, 0]]
    with pytest.raises(TypeError, match=r"BoundsTree\(\) has no option margin; there are world"):
        widephase.BoundsTree(low, low + 1, margin=1)
    refused(lambda: widephase.BoundsTree([1, 2], [3, 4]), "min", None, "has no rows of 2 or 3 numbers")
    with pytest.raises(widephase.CapacityError):
        tree.find_pairs([[0, 0]], [[9, 9]], world=[-1], max_pairs=2)


def test_scenes_are_moved_rotated_and_scaled():
    scene = scene_of(CENTER, RADIUS)
    moved = widephase.translate(scene, [1, 2, 3])
    assert moved.spheres.center.tolist() == (CENTER + [1, 2, 3]).tolist() and moved.precision == "float"
    doubled = widephase.scale(scene, 2)
    assert doubled.spheres.center.tolist() == (2 * CENTER).tolist() and doubled.spheres.radius.tolist() == [2, 2, 4]
    assert widephase.scale(scene, 2, about=[9, 9, 9]).spheres.center[2].tolist() == [9, 9, 9]
    assert same_bits(scene.spheres.center, CENTER)
    flat = widephase.Scene(2)
    flat.circles.set(center=np.array([[2.0, 1]]), radius=1)
    # A quarter turn about (1, 1) takes (2, 1) to (1, 2).
    assert widephase.rotate(flat, np.pi / 2, [1, 1]).circles.center == pytest.approx(np.array([[1, 2]]))
    refused(lambda: widephase.rotate(scene, 1, [0, 0]), "scene", None, "is of 3D")
    refused(lambda: widephase.translate(scene, [1, 2]), "offset", None, "has 2 numbers; it must have 3")
    with pytest.raises(widephase.Error):
        widephase.scale(scene, 0)


def test_closest_points_of_points_and_segments():
    # The point (1, 2) lies 2 above the middle of the segment from (0, 0) to (2, 0).
    found = widephase.closest_points([[1, 2]], [[0, 0]], [[2, 0]])
    assert found.point.tolist() == [[1, 0]] and (found.parameter, found.distance) == (0.5, 2)
    assert found.distance.dtype == np.float32
    # The segments along x and y cross at a height of 3.
    found = widephase.closest_points(*np.array([[[-1.0, 0, 0]], [[1, 0, 0]], [[0, -1, 3]], [[0, 1, 3]]]))
    assert found.first.tolist() == [[0, 0, 0]] and found.second.tolist() == [[0, 0, 3]]
    assert found.distance.tolist() == [3] and found.distance.dtype == np.float64
    refused(lambda: widephase.closest_points([[1]], [[0]], [[2]]), "a", None, "has no rows of 2 or 3 numbers")
    with pytest.raises(widephase.Error):
        widephase.closest_points([[1, 2], [3, 4]], [[0, 0]], [[2, 0]])


def test_errors_and_classes_have_the_names_of_the_package():
    with pytest.raises(TypeError) as caught:
        widephase.collide(3)
    assert "_widephase" not in str(caught.value) and "widephase.Scene" in str(caught.value)
    for name in widephase.__all__:
        assert "_widephase" not in (getattr(widephase, name).__doc__ or "")
        assert getattr(widephase, name).__module__.split(".")[0] == "widephase"
    assert repr(widephase.Scene) == "<class 'widephase.Scene'>"
    listed = {word.strip(",") for word in widephase.__doc__.split()}
    functions = {name for name in widephase.__all__ if inspect.isroutine(getattr(widephase, name))}
    assert functions <= listed


def test_notebooks_show_tables():
    scene = scene_of(CENTER, RADIUS)
    assert "<td>spheres</td><td>3</td><td>center, radius</td>" in scene._repr_html_()
    assert scene.spheres._repr_html_().count("<tr>") == 4
    assert "<td>[0 1]</td><td>[1. 0. 0.]</td><td>0.5</td><td>1</td>" in widephase.collide(scene)._repr_html_()
    scene.spheres.set(center=np.zeros((50, 3)), radius=1)
    assert scene.spheres._repr_html_().count("<tr>") == 12  # a head, 10 rows and dots


def test_a_scene_is_viewed(tmp_path, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    # A sanitizer's runtime that came into this interpreter is in the command already.
    monkeypatch.delenv("LD_PRELOAD", raising=False)
    scene = scene_of(CENTER.astype(float), RADIUS)
    page = tmp_path / "page.html"
    try:
        assert scene.view(page, contacts=widephase.collide(scene)) == page
    except widephase.Error as error:
        assert "configure with -DWIDEPHASE_WEB=ON" in str(error) and not opened and not page.exists()
        return
    assert opened == [page.as_uri()] and page.read_text().startswith("<!")
    assert scene.view(show=False, margin=1).exists() and len(opened) == 1


def test_joints_are_arrays_texts_or_files(tmp_path):
    link = '<link name="{}"><collision><geometry><sphere radius="0.5"/></geometry></collision></link>'
    robot = tmp_path / "robot.urdf"
    robot.write_text('<robot name="two">' + link.format("base") + link.format("arm") +
                     '<joint name="slide" type="prismatic"><parent link="base"/><child link="arm"/>'
                     '<axis xyz="1 0 0"/><limit lower="-9" upper="9" effort="1" velocity="1"/></joint></robot>')
    values = tmp_path / "values.npy"
    np.save(values, np.array([[2.0], [3.0]]))

    def places(joints):
        return sorted(widephase.place(widephase.load(robot, joints=joints)).spheres.center[:, 0].tolist())

    for joints in ("2", [2], (2,), np.array([2]), np.array([[2.0]])):
        assert places(joints) == [0, 2]
    for joints in (values, str(values), [[2], [3]], np.array([[2], [3]])):
        assert places(joints) == [0, 0, 2, 3]
    with pytest.raises(widephase.Error):
        widephase.load(robot, joints=[1, 2, 3])
    refused(lambda: widephase.load(robot, joints=np.zeros((1, 1, 1))), "joints", None, "it must be (joints,)")
