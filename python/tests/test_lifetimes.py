"""Who holds what: arrays outlive what they came from, and steps reuse memory that nobody sees."""

import gc
import weakref

import numpy as np

import widephase
from conftest import COLUMNS, same_bits


def address(array):
    return array.__array_interface__["data"][0]


def test_arrays_outlive_contacts_scene_and_workspace(balls):
    workspace = widephase.Workspace()
    contacts = widephase.collide(balls, workspace=workspace)
    arrays = {name: getattr(contacts, name) for name in COLUMNS}
    copies = {name: array.copy() for name, array in arrays.items()}
    assert len(contacts) > 1000
    for array in arrays.values():
        assert not array.flags.owndata  # a view, of memory that its base holds
    assert address(contacts.depth) == address(arrays["depth"])
    del contacts, balls, workspace
    gc.collect()
    # Other calls, of the same sizes, take other memory.
    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=np.zeros((100, 3), np.float32), radius=1)
    for _ in range(5):
        widephase.collide(scene)
    for name in COLUMNS:
        assert same_bits(arrays[name], copies[name])


def test_a_scene_holds_its_arrays():
    scene = widephase.Scene(dimension=3)
    center = np.zeros((2, 3), np.float32)
    seen = weakref.ref(center)
    scene.spheres.set(center=center, radius=1)
    table = scene.spheres
    del center, scene
    gc.collect()
    assert seen() is not None and table.center.shape == (2, 3)
    table.set()
    gc.collect()
    assert seen() is None


def test_memory_of_contacts_is_reused_once_nobody_looks(balls):
    workspace = widephase.Workspace()
    first = address(widephase.collide(balls, workspace=workspace).depth)
    assert address(widephase.collide(balls, workspace=workspace).depth) == first
    held = widephase.collide(balls, workspace=workspace).depth
    assert address(held) == first
    other = widephase.collide(balls, workspace=workspace)
    assert address(other.depth) != first and same_bits(other.depth, held)


def test_geometries_stay_as_calls_and_arrays_see_them():
    scene = widephase.Scene(dimension=3)
    box = scene.geometries.add_box([1, 1, 1])
    vertices = scene.geometries.vertices
    assert vertices.shape == (8, 3) and not vertices.flags.writeable
    other = widephase.Scene(dimension=3)
    other.geometries = scene.geometries
    tetrahedron = scene.geometries.add_tetrahedron(2)
    assert (box, tetrahedron) == (0, 1) and len(other.geometries) == 2
    assert len(vertices) == 8 and scene.geometries.offsets.tolist() == [0, 8, 12]
    for each in (scene, other):
        each.hulls.set(center=[[0, 0, 0], [1, 0, 0]], orientation=[0, 0, 0, 1], geometry=[0, 1])
    del scene
    gc.collect()
    assert len(widephase.collide(other)) == 1


def test_loaded_copied_and_placed_scenes_own_their_arrays(tmp_path):
    scene = widephase.Scene(dimension=2)
    scene.circles.set(center=[[0, 0], [1, 0]], radius=1, body=[0, 1])
    scene.bodies.set(position=[[0, 0], [0.5, 0]])
    scene.save(tmp_path / "scene.json")
    scene.bodies.set(position=np.zeros((2, 2), np.float32))
    center = widephase.load(tmp_path / "scene.json").circles.center
    copy = widephase.replicate(scene, 3).circles.center
    placed = widephase.place(scene).circles.center
    del scene
    gc.collect()
    assert center.tolist() == [[0, 0], [1, 0]] and center.dtype == np.float64
    assert copy.tolist() == [[0, 0], [1, 0]] * 3
    assert placed.tolist() == [[0, 0], [1, 0]]
