"""Names, frames, what contacts say of both sides, and scenes that are joined."""

import copy
import pickle

import numpy as np
import pytest

import widephase
from conftest import same_contacts

ARM = """<robot name="r"><link name="base"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<link name="hand"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="base"/><child link="hand"/><origin xyz="2 0 0"/></joint></robot>"""
SHELF = """world: {collision_objects: [{id: shelf_top, primitives: [{type: sphere, dimensions: [1]}],
 primitive_poses: [{position: [3.05, 0, 0], orientation: [0, 0, 0, 1]}]}]}"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    return widephase.load(tmp_path / "arm.urdf")


@pytest.fixture
def shelf(tmp_path):
    (tmp_path / "shelf.yaml").write_text(SHELF)
    return widephase.load(tmp_path / "shelf.yaml")


@pytest.fixture
def crowd(tmp_path):
    """Four frames of two people, who touch in the middle ones."""
    rows = [(7, f, x, 0) for f, x in ((2700, 0), (2710, 0), (2750, 0), (2760, 0))]
    rows += [(3, f, x, 0) for f, x in ((2700, 1), (2710, 0.3), (2750, 0.3), (2760, 1))]
    (tmp_path / "crowd.txt").write_text("".join(f"{i} {f} {x} {y}\n" for i, f, x, y in rows))
    return widephase.load(tmp_path / "crowd.txt", radius=0.2)


def test_names_of_robots(arm, shelf):
    assert arm.names.tolist() == ["hand", "base"] and arm.names.dtype.kind == "U"
    assert arm.body_names.tolist() == ["base", "hand"] and shelf.body_names is None
    assert widephase.Scene(dimension=3).names is None
    many = widephase.replicate(arm, 3)
    assert many.names.tolist() == ["hand"] * 3 + ["base"] * 3
    assert many.body_names.tolist() == ["base", "hand"] * 3
    assert widephase.place(arm).names.tolist() == ["hand", "base"]


@pytest.mark.parametrize("ending", ["npz", "json"])
def test_names_are_saved(arm, tmp_path, ending):
    path = tmp_path / f"arm.{ending}"
    assert arm.save(path) == []
    again = widephase.load(path)
    assert again.names.tolist() == ["hand", "base"] and again.body_names.tolist() == ["base", "hand"]
    if ending == "npz":
        with np.load(path, allow_pickle=False) as arrays:
            assert arrays["sphere.name"].tolist() == ["hand"] and arrays["bodies.name"].dtype == "<U4"


def test_names_that_numpy_saved(tmp_path):
    names = np.array(["Bär", "a", ""])
    np.savez(tmp_path / "balls.npz", **{"sphere.center": np.zeros((3, 3)), "sphere.radius": np.ones(3),
                                        "sphere.name": names, "world.frame": np.array([9])})
    scene = widephase.load(tmp_path / "balls.npz")
    assert scene.names.tolist() == names.tolist() and scene.frames.tolist() == [9]


def test_names_are_set_and_go_with_the_rows(tmp_path):
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=[[0, 0], [1, 0]], radius=1)
    scene.names = ["left", "right"]
    assert scene.names.tolist() == ["left", "right"]
    for other in (copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        assert other.names.tolist() == ["left", "right"]
    scene.circles.center = [[0, 0], [3, 0]]
    assert scene.names.tolist() == ["left", "right"]
    scene.circles.set(center=[[0, 0]], radius=1)
    assert scene.names is None
    scene.names = None
    for wrong, text in ((["a", "b"], r"names has the shape \(2,\); expected \(1,\)"), ([1], "names must be texts"),
                        ([None], "not a str"), (["a" * 256], r"names\[0\] has more than 255 characters")):
        with pytest.raises(widephase.Error, match=text):
            scene.names = wrong


def test_frames(crowd, tmp_path):
    assert crowd.frames.tolist() == [2700, 2710, 2750, 2760]
    crowd.save(tmp_path / "crowd.npz")
    assert widephase.load(tmp_path / "crowd.npz").frames.tolist() == [2700, 2710, 2750, 2760]
    contacts = widephase.collide(crowd)
    assert contacts.frame.tolist() == [2710, 2750] and contacts.world.tolist() == [1, 2]
    assert sorted(contacts.key[0].tolist()) == [3, 7]
    with pytest.raises(widephase.Error, match="frames has 1 numbers; expected one for each of the 4 worlds"):
        crowd.frames = [1]
    with pytest.raises(widephase.Error, match="must be integers"):
        crowd.frames = [0.5] * 4
    crowd.frames = None
    assert crowd.frames is None and widephase.collide(crowd).frame is None


def test_contacts_tell_keys_and_frames(crowd, arm):
    contact = widephase.collide(crowd)[0]
    words = [f"circle {row} (key {key})" for row, key in zip(contact.row, contact.key)]
    assert repr(contact).startswith(f"<widephase.Contact: {words[0]} meets {words[1]} in frame 2710 (world 1), depth 0.1")
    crowd.frames = None
    assert f"{words[1]} in world 1, depth" in repr(widephase.collide(crowd)[0])
    crowd.circles.key = None
    assert "(key" not in repr(widephase.collide(crowd)[0])


@pytest.mark.parametrize("way", [lambda contacts, path: contacts, lambda contacts, path: contacts[5:5],
                                 lambda contacts, path: pickle.loads(pickle.dumps(contacts)),
                                 lambda contacts, path: contacts.save(path) or widephase.Contacts.load(path)],
                         ids=["found", "sliced", "pickled", "loaded"])
def test_no_contacts_have_the_columns_of_some(crowd, shelf, arm, way, tmp_path):
    crowd.circles.radius = 0.01
    none = way(widephase.collide(crowd), tmp_path / "contacts.npz")
    assert len(none) == 0 and none.frame.shape == (0,) and none.frame.dtype == np.int64
    assert none.kept is None and none.name.shape == (0, 2) and none.name.dtype.kind == "U"
    crowd.circles.radius = 0.2
    assert none.to_numpy().dtype.names == widephase.collide(crowd).to_numpy().dtype.names
    arm.spheres.radius = [0.01]
    none = way(widephase.collide(arm, kept=widephase.StaticScene(shelf)), tmp_path / "contacts.npz")
    assert len(none) == 0 and none.kept.shape == (0, 2) and none.frame is None
    none.save(tmp_path / "contacts.csv")
    assert (tmp_path / "contacts.csv").read_text().endswith(",body_a,body_b,kept_a,kept_b,name_a,name_b\n")
    none.save(tmp_path / "again.npz")
    with np.load(tmp_path / "again.npz", allow_pickle=False) as arrays:
        assert arrays["name"].shape == (0, 2) and arrays["kept"].shape == (0, 2) and "frame" not in arrays


def test_contacts_say_what_their_sides_are(arm, shelf):
    shelf.spheres.owner = [9]  # the arm's links have 0 and 1
    contacts = widephase.collide(arm, kept=widephase.StaticScene(shelf))
    assert contacts.name.tolist() == [["hand", "shelf_top"]]
    assert contacts.kind.tolist() == [["sphere", "sphere"]] and contacts.row.tolist() == [[0, 0]]
    assert contacts.body.tolist() == [[1, -1]] and contacts.kept.tolist() == [[0, 1]]
    assert contacts.key.tolist() == [[0, 0]] and contacts.world.tolist() == [0]
    assert np.array_equal(contacts.body, widephase.contact_bodies(arm, contacts, kept=widephase.StaticScene(shelf)))
    (contact,) = contacts
    assert contact.name == ("hand", "shelf_top") and contact.pair == (0, 2) and contact.frame is None
    assert contact.depth == pytest.approx(0.05) and contact.point.shape == (1, 3)
    assert contact.kind == ("sphere", "sphere") and contact.body == (1, -1) and contact.world == 0
    assert repr(contact).startswith("<widephase.Contact: hand meets shelf_top, depth 0.0")


def test_rows_keys_and_worlds_are_those_of_the_columns(balls):
    random = np.random.default_rng(3)
    balls.spheres.world = random.integers(-1, 5, len(balls)).astype(np.int32)
    balls.spheres.key = random.integers(0, 10**12, len(balls))
    contacts = widephase.collide(balls)
    world = np.asarray(balls.spheres.world)[contacts.pair]
    assert len(contacts) > 500 and np.array_equal(contacts.world, world.max(axis=1))
    assert np.array_equal(contacts.key, np.asarray(balls.spheres.key)[contacts.pair])
    assert np.array_equal(contacts.row, contacts.pair) and (contacts.kind == "sphere").all()
    assert contacts.name[0, 0] == f"sphere {contacts.pair[0, 0]}" and contacts.kept is None


def test_items_and_slices(balls):
    contacts = widephase.collide(balls)
    for i in (0, 1, len(contacts) - 1):
        contact = contacts[i]
        first, last = contacts.offset[i:i + 2]
        assert contact.pair == tuple(contacts.pair[i]) and contact.depth == contacts.depth[i]
        assert np.array_equal(contact.point, contacts.point[first:last])
        assert np.array_equal(contact.feature, contacts.feature[first:last])
    assert contacts[-1].pair == tuple(contacts.pair[-1])
    assert [c.pair for c in contacts[:5]] == [tuple(p) for p in contacts.pair[:5].tolist()]
    deep = contacts[contacts.depth > 0.5]
    assert 0 < len(deep) < len(contacts) and deep.depth.min() > 0.5
    assert len(deep.offset) == len(deep) + 1 and deep.offset[-1] == len(deep.point)
    assert np.array_equal(deep.key, contacts.key[contacts.depth > 0.5])
    assert same_contacts(contacts[:], contacts) and contacts[:].hash() == contacts.hash()
    assert contacts[[3, 1]].pair.tolist() == contacts.pair[[3, 1]].tolist()
    assert len(contacts[5:5]) == 0 and list(contacts[5:5]) == []
    for wrong in (len(contacts), -len(contacts) - 1):
        with pytest.raises(IndexError, match=f"there are {len(contacts)} contacts"):
            contacts[wrong]
    with pytest.raises(IndexError):
        contacts["a"]


def test_parts(balls, tmp_path):
    contacts = widephase.collide(balls)
    assert contacts.part.shape == (0, 2) and contacts.part.dtype == np.int32 and contacts[0].part.shape == (0, 2)
    assert "part_b" not in contacts.to_numpy(points=True).dtype.names
    contacts.save(tmp_path / "plain.npz")
    with np.load(tmp_path / "plain.npz") as file:
        assert "part" not in file
        arrays = dict(file)
    part = np.stack([np.full(len(contacts.point), -1), np.arange(len(contacts.point))], axis=1).astype(np.int32)
    np.savez(tmp_path / "parts.npz", **arrays, part=part)
    loaded = widephase.Contacts.load(tmp_path / "parts.npz")
    loaded.save(tmp_path / "again.npz")
    again = widephase.Contacts.load(tmp_path / "again.npz")
    for other in (loaded, again, copy.deepcopy(loaded), pickle.loads(pickle.dumps(loaded)), loaded[:]):
        assert np.array_equal(other.part, part) and other.hash() == loaded.hash() != contacts.hash()
    assert np.array_equal(loaded[3:9].part, part[loaded.offset[3]:loaded.offset[9]])
    assert np.array_equal(loaded[3].part, part[loaded.offset[3]:loaded.offset[4]])
    points = loaded.to_numpy(points=True)
    assert np.array_equal(points["part_a"], part[:, 0]) and np.array_equal(points["part_b"], part[:, 1])
    loaded.save(tmp_path / "parts.csv")
    header, first = (tmp_path / "parts.csv").read_text().split("\n")[:2]
    assert ",feature,part_a,part_b,world," in header and ",-1,0,0,sphere," in first
    np.savez(tmp_path / "wrong.npz", **arrays, part=part[1:])
    with pytest.raises(widephase.Error, match="part has the shape"):
        widephase.Contacts.load(tmp_path / "wrong.npz")


def test_structured_arrays(balls, arm, shelf):
    contacts = widephase.collide(balls)
    rows = np.asarray(contacts)
    assert len(rows) == len(contacts) and rows["normal"].shape == (len(contacts), 3)
    assert np.array_equal(rows["a"], contacts.pair[:, 0]) and np.array_equal(rows["key_b"], contacts.key[:, 1])
    assert rows["point_count"].sum() == len(contacts.point) and rows["kind_a"][0] == "sphere"
    points = contacts.to_numpy(points=True)
    assert np.array_equal(points["point"], contacts.point) and np.array_equal(points["feature"], contacts.feature)
    assert np.array_equal(points["b"], contacts.pair[points["contact"], 1])
    arm.extend(shelf)
    assert widephase.collide(arm).to_numpy()[0]["name_b"] == "shelf_top"


@pytest.mark.parametrize("precision", ["float", "double", "mixed"])
def test_contacts_are_saved_and_loaded(arm, shelf, tmp_path, precision):
    shelf.spheres.owner = [9]
    arm.save(tmp_path / "arm.npz")
    shelf.save(tmp_path / "shelf.npz")
    moving, static = (widephase.load(tmp_path / name, precision=precision) for name in ("arm.npz", "shelf.npz"))
    contacts = widephase.collide(moving, kept=widephase.StaticScene(static))
    contacts.save(tmp_path / "contacts.npz")
    for again in (widephase.Contacts.load(tmp_path / "contacts.npz"), pickle.loads(pickle.dumps(contacts))):
        assert again.hash() == contacts.hash() and same_contacts(again, contacts)
        assert again.name.tolist() == [["hand", "shelf_top"]] and again.kept.tolist() == [[0, 1]]
        assert again.body.tolist() == [[1, -1]]
    with np.load(tmp_path / "contacts.npz", allow_pickle=False) as arrays:
        assert arrays["kinds"][arrays["kind"]].tolist() == [["sphere", "sphere"]]
        assert arrays["name"].tolist() == [["hand", "shelf_top"]]


def test_files_that_hold_no_contacts(arm, tmp_path, balls):
    arm.save(tmp_path / "arm.npz")
    with pytest.raises(widephase.Error, match="arm.npz: normal is missing; expected contacts"):
        widephase.Contacts.load(tmp_path / "arm.npz")
    with pytest.raises(widephase.Error, match="save .npz to load it again"):
        widephase.Contacts.load(tmp_path / "contacts.csv")
    # As earlier versions wrote them: without sides.
    contacts = widephase.collide(balls)
    contacts.save(tmp_path / "new.npz")
    with np.load(tmp_path / "new.npz") as arrays:
        old = {name: arrays[name] for name in ("pair", "source", "normal", "depth", "status", "offset", "point",
                                               "point_depth", "feature")}
    np.savez(tmp_path / "old.npz", **old)
    loaded = widephase.Contacts.load(tmp_path / "old.npz")
    assert loaded.hash() == contacts.hash() and loaded[0].pair == contacts[0].pair
    with pytest.raises(widephase.Error, match="does not say what their shapes are"):
        loaded.world
    assert "world" not in loaded.to_numpy().dtype.names


def test_extend(arm, shelf, command, tmp_path):
    arm.save(tmp_path / "arm.npz")
    shelf.save(tmp_path / "shelf.npz")
    command("convert", tmp_path / "arm.npz", tmp_path / "shelf.npz", "-o", tmp_path / "both.npz")
    assert arm.extend(shelf) == []
    assert arm.names.tolist() == ["hand", "shelf_top", "base"]
    contacts = widephase.collide(arm)
    assert contacts.name.tolist() == [["hand", "shelf_top"]]
    assert contacts.hash() == widephase.collide(widephase.load(tmp_path / "both.npz")).hash()
    # The shelf's owner 0 is not the base's.
    assert arm.spheres.owner.tolist() == [1, 2] and arm.boxes.owner.tolist() == [0]


def test_extend_numbers_worlds_names_and_point_sets():
    def scene(**columns):
        made = widephase.Scene(dimension=3)
        made.geometries.add_box([1, 1, 1])
        made.hulls.set(center=[[0, 0, 0]], orientation=[0, 0, 0, 1], geometry=0, **columns)
        made.names = ["crate"]
        return made

    one, two = scene(world=[4]), scene()
    notes = one.extend(two)
    assert one.hulls.geometry.tolist() == [0, 1] and len(one.geometries) == 2
    assert one.hulls.world.tolist() == [4, -1] and one.names.tolist() == ["crate", "crate#2"]
    assert notes == ["the other scene names no world: its shapes are in all 5 worlds (world -1)",
                     "the other scene has 1 name that an input before has: crate becomes crate#2"]
    empty = widephase.Scene(dimension=3)
    empty.extend(one)
    assert len(empty) == 2 and empty.hulls.world.tolist() == [4, -1]
    with pytest.raises(widephase.Error, match="the other scene: is in 2D and the scene in 3D"):
        empty.extend(widephase.Scene(dimension=2))
    assert len(empty) == 2
