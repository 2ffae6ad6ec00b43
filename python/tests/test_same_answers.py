"""The answers of C++, to the bit: those of the command line over the same files."""

import json
import warnings

import numpy as np
import pytest
from conftest import same_bits, same_contacts

import widephase

SCENES = [
    ("mixed", 3, "float"), ("mixed", 3, "double"), ("mixed", 2, "float"), ("pile", 3, "float"),
    ("worlds", 2, "double"), ("packed", 3, "float"), ("stack", 2, "double"),
    ("smooth_pile", 3, "float"),
]


@pytest.mark.parametrize("name, dimension, precision", SCENES)
@pytest.mark.parametrize("order", ["kind", "world"])
def test_generated_scenes(command, tmp_path, name, dimension, precision, order):
    scene_file, contacts_file = tmp_path / "scene.npz", tmp_path / "contacts.npz"
    command("generate", name, "-o", scene_file, "--count", 600, "--dimension", dimension,
            "--precision", precision)
    told = json.loads(command("collide", scene_file, "-o", contacts_file, "--json", "--order",
                              order, "--margin", "0.01"))
    scene = widephase.load(scene_file)
    assert (scene.dimension, scene.precision) == (dimension, precision)
    contacts = widephase.collide(scene, margin=0.01, order=order)
    assert len(contacts) > 100
    assert contacts.hash() == told["hash"]
    assert same_contacts(contacts, np.load(contacts_file))
    if order == "world":
        assert same_bits(contacts.world_offset, np.load(contacts_file)["world_offset"])

    # Threads and instruction sets change nothing.
    for options in ({"threads": 1}, {"threads": 3}, {"isa": widephase.isas()[0]}):
        assert same_contacts(widephase.collide(scene, margin=0.01, order=order, **options), contacts)

    # Nor do files that Python wrote.
    contacts.save(tmp_path / "again.npz")
    assert same_contacts(contacts, np.load(tmp_path / "again.npz"))
    assert scene.save(tmp_path / "scene2.npz") == []
    assert json.loads(command("collide", tmp_path / "scene2.npz", "--json", "--order", order,
                              "--margin", "0.01"))["hash"] == told["hash"]


def test_columns_set_one_by_one_are_the_files(command, tmp_path):
    scene_file = tmp_path / "scene.npz"
    command("generate", "mixed", "-o", scene_file, "--count", 500)
    told = json.loads(command("collide", scene_file, "--json"))
    arrays = np.load(scene_file)
    scene = widephase.Scene(dimension=3)
    scene.geometries = widephase.Geometries(3, "float", arrays["hulls.vertices"],
                                            arrays["hulls.offsets"])
    tables = {"sphere": scene.spheres, "capsule": scene.capsules, "aabb": scene.aabbs,
              "box": scene.boxes, "hull": scene.hulls, "cylinder": scene.cylinders,
              "halfspace": scene.halfspaces}
    for kind, table in tables.items():
        table.set(**{name.partition(".")[2]: arrays[name] for name in arrays.files
                     if name.startswith(kind + ".")})
    assert len(scene) == told["shapes"]
    assert widephase.collide(scene).hash() == told["hash"]


def test_mixed_precision(command, tmp_path):
    scene = widephase.Scene(dimension=3, precision="mixed")
    random = np.random.default_rng(3)
    scene.spheres.set(center=1e6 + random.uniform(0, 8, (300, 3)),
                      radius=random.uniform(0.2, 0.8, 300).astype(np.float32))
    scene.save(tmp_path / "scene.npz")
    told = json.loads(command("collide", tmp_path / "scene.npz", "--json"))
    contacts = widephase.collide(scene)
    assert told["precision"] == "mixed" and len(contacts) == told["contacts"] > 50
    assert contacts.hash() == told["hash"]
    assert contacts.point.dtype == np.float64 and contacts.depth.dtype == np.float32


def test_periodic_domains_and_filters(command, tmp_path):
    random = np.random.default_rng(5)
    scene = widephase.Scene(dimension=2)
    n = 400
    scene.circles.set(center=random.uniform(0, 20, (n, 2)).astype(np.float32), radius=0.6,
                      category=random.integers(1, 4, n).astype(np.uint32), mask=3,
                      owner=random.integers(-1, 40, n).astype(np.int32),
                      fixed=random.integers(0, 2, n).astype(bool))
    scene.excluded = random.integers(0, n, (50, 2)).astype(np.int32)
    scene.excluded_owners = [[0, 1], [2, 3]]
    scene.set_domain([0, 0], [20, 20], [True, False])
    scene.save(tmp_path / "scene.npz")
    told = json.loads(command("collide", tmp_path / "scene.npz", "--json"))
    contacts = widephase.collide(scene)
    assert len(contacts) == told["contacts"] > 20
    assert contacts.hash() == told["hash"]
    assert scene.domain == ((0, 0), (20, 20), (True, False))
    scene.clear_domain()
    assert scene.domain is None
    assert len(widephase.collide(scene)) < len(contacts)


def test_pairs_of_a_file(command, tmp_path):
    (tmp_path / "scene.json").write_text(
        '{"dimension": 2, "circle": {"center": [[0, 0], [1.5, 0], [0, 1.5]], "radius": 1},'
        ' "pairs": [[2, 0]]}')
    command("collide", tmp_path / "scene.json", "-o", tmp_path / "contacts.npz")
    scene = widephase.load(tmp_path / "scene.json")
    assert scene.pairs.tolist() == [[2, 0]]
    contacts = widephase.collide_pairs(scene, scene.pairs)
    assert same_contacts(contacts, np.load(tmp_path / "contacts.npz"))
    assert contacts.pair.tolist() == [[2, 0]]


def test_bodies_and_copies(command, tmp_path):
    template = widephase.Scene(dimension=3)
    template.spheres.set(center=[[0, 0, 0], [1, 0, 0]], radius=0.5, body=[0, 1])
    template.aabbs.set(min=[-9, -9, -1], max=[9, 9, 0], world=-1, fixed=1)
    template.bodies.set(position=[[0, 0, 0.4], [0, 0.7, 0.4]], orientation=[0, 0, 0, 1])
    scene = widephase.replicate(template, 50)
    assert len(scene) == 101 and scene.world_count == 50 and len(scene.bodies) == 100

    random = np.random.default_rng(11)
    position = random.uniform(0, 1, (100, 3)).astype(np.float32)
    turns = random.normal(size=(100, 4))
    turns = (turns / np.linalg.norm(turns, axis=1, keepdims=True)).astype(np.float32)
    scene.bodies.set(position=position, orientation=turns)
    contacts = widephase.collide(scene, order="id")
    assert len(contacts) > 50
    scene.save(tmp_path / "scene.npz")
    command("collide", tmp_path / "scene.npz", "-o", tmp_path / "contacts.npz", "--bodies",
            "--order", "id")
    files = np.load(tmp_path / "contacts.npz")
    assert same_contacts(contacts, files)
    assert same_bits(widephase.contact_bodies(scene, contacts), files["body"])

    # Placed beforehand, and with the scalar part first.
    placed = widephase.place(scene)
    assert placed.aabbs.min is scene.aabbs.min
    assert not np.array_equal(placed.spheres.center, scene.spheres.center)
    assert placed.notes() == []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert same_contacts(widephase.collide(placed, order="id"), contacts)
    scene.bodies.orientation = widephase.wxyz(np.ascontiguousarray(turns[:, [3, 0, 1, 2]]))
    assert same_contacts(widephase.collide(scene, order="id"), contacts)
    scene.save(tmp_path / "wxyz.npz")
    assert same_bits(np.load(tmp_path / "wxyz.npz")["bodies.orientation"], turns)


def test_other_files(tmp_path):
    (tmp_path / "box.obj").write_text(
        "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 2))
        + "f 1 2 4 3\nf 5 6 8 7\nf 1 2 6 5\nf 3 4 8 7\n")
    scene = widephase.load(tmp_path / "box.obj")
    assert scene.hulls.geometry.tolist() == [0] and len(scene.geometries) == 1
    assert scene.geometries.measures(0)["volume"] == pytest.approx(2)
    (tmp_path / "crowd.txt").write_text("1 0 0 0\n2 0 0.3 0\n1 1 0 0\n2 1 0.5 0\n")
    crowd = widephase.load(tmp_path / "crowd.txt", format="trajectory", radius=0.2, unit="m",
                           precision="float")
    assert crowd.world_count == 2 and crowd.precision == "float"
    assert widephase.any_contact(crowd).tolist() == [True, False]
    with pytest.raises(widephase.Error, match="nothing.npz: "):
        widephase.load(tmp_path / "nothing.npz")
