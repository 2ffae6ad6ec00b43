"""Meshes in Python: Scene.meshes and the triangles that they name."""

import copy
import pickle

import numpy
import pytest

import widephase

SQUARE = [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]]
TRIANGLES = [[0, 1, 2], [0, 2, 3]]


def square_scene(precision=None):
    scene = widephase.Scene(3, precision)
    assert scene.mesh_geometries.add(SQUARE, TRIANGLES) == 0
    scene.meshes.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=[0])
    return scene


def test_a_mesh_is_added_behind_the_others():
    scene = square_scene()
    meshes = scene.mesh_geometries
    assert len(meshes) == 1 and len(scene) == 1
    assert meshes.vertices.shape == (4, 3) and meshes.vertices.dtype == numpy.float32
    assert meshes.vertex_offsets.tolist() == [0, 4] and meshes.triangle_offsets.tolist() == [0, 2]
    assert meshes.indices.tolist() == TRIANGLES and meshes.two_sided is None
    assert scene.validate() == [] and scene.precision == "float"
    assert meshes.add(SQUARE, TRIANGLES, two_sided=True) == 1
    assert meshes.two_sided.tolist() == [0, 1]
    assert meshes.add(SQUARE, TRIANGLES) == 2
    assert meshes.two_sided.tolist() == [0, 1, 0] and meshes.triangle_offsets.tolist() == [0, 2, 4, 6]
    assert scene.kinds[11] == "mesh"
    assert "3 meshes" in repr(meshes)
    assert meshes.summary(0) == {
        "triangles": 2, "beyond": 0, "vertices": 4, "borders": 4, "flips": 0, "duplicates": 0,
        "without_area": 0,
    }
    with pytest.raises(widephase.Error, match="index is 3"):
        meshes.summary(3)


def test_a_ball_on_a_mesh_has_a_contact_that_names_the_triangle():
    scene = square_scene()
    scene.spheres.set(center=[[0.75, 0.25, 0.25], [0.25, 0.75, -0.25]], radius=0.5, owner=0)
    contacts = widephase.collide(scene)
    assert contacts.pair.tolist() == [[0, 2]]
    assert contacts.depth.tolist() == [0.25] and contacts.normal.tolist() == [[0, 0, -1]]
    assert contacts.part.tolist() == [[-1, 0]]
    scene.mesh_geometries.set(
        vertices=SQUARE, vertex_offsets=[0, 4], indices=TRIANGLES, triangle_offsets=[0, 2],
        two_sided=[1],
    )
    contacts = widephase.collide(scene)
    assert contacts.pair.tolist() == [[0, 2], [1, 2]]
    assert contacts.part.tolist() == [[-1, 0], [-1, 1]]


def test_triangles_beyond_a_border_are_the_neighbours():
    scene = widephase.Scene(3)
    meshes = scene.mesh_geometries
    assert meshes.add(SQUARE, TRIANGLES, beyond=1) == 0
    assert meshes.add(SQUARE, TRIANGLES[::-1], beyond=1) == 1
    assert meshes.beyond.tolist() == [1, 1] and meshes.two_sided is None
    assert meshes.add(SQUARE, TRIANGLES) == 2
    assert meshes.beyond.tolist() == [1, 1, 0] and meshes.summary(1)["beyond"] == 1
    scene.meshes.set(center=[[0, 0, 0]] * 2, orientation=[[0, 0, 0, 1]] * 2, geometry=[0, 1], fixed=1)
    # Over the seam's lower side: of the second mesh it meets nothing.
    scene.spheres.set(center=[[0.6, 0.5, 0.25]], radius=0.5)
    contacts = widephase.collide(scene)
    assert contacts.pair.tolist() == [[0, 1]]
    assert contacts.normal.tolist() == [[0, 0, -1]] and contacts.part.tolist() == [[-1, 0]]
    with pytest.raises(widephase.Error, match="beyond is 3; the mesh has 2 triangles"):
        meshes.add(SQUARE, TRIANGLES, beyond=3)
    meshes.set(
        vertices=SQUARE, vertex_offsets=[0, 4], indices=TRIANGLES, triangle_offsets=[0, 2], beyond=[2]
    )
    assert "not beyond its borders" in scene.validate()[0][2]


def test_arrays_are_read_in_place_by_every_call():
    scene = widephase.Scene(3, "float32")
    vertices = numpy.array(SQUARE, numpy.float32)
    indices = numpy.array(TRIANGLES, numpy.int32)
    scene.mesh_geometries.set(
        vertices=vertices, vertex_offsets=[0, 4], indices=indices, triangle_offsets=[0, 2]
    )
    scene.meshes.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=0)
    scene.spheres.set(center=[[0.75, 0.25, 0.5]], radius=0.25)
    assert scene.mesh_geometries.vertices is vertices
    workspace = widephase.Workspace()
    assert len(widephase.collide(scene, workspace=workspace)) == 0
    vertices[:, 2] = 0.375
    assert len(widephase.collide(scene, workspace=workspace)) == 1
    indices[1, 2] = 4
    assert scene.validate() == [
        ("meshes.indices", 1, "meshes.indices[1] names vertex 4; mesh 0 has 4 vertices, counted from 0")
    ]
    scene.mesh_geometries.set()
    assert len(scene.mesh_geometries) == 0


def test_what_is_wrong_is_said_and_changes_nothing():
    scene = square_scene()
    meshes = scene.mesh_geometries
    for vertices, indices, text in [
        ([0, 1, 2], TRIANGLES, "vertices is not an array"),
        (SQUARE, [0, 1, 2], "indices is not an array"),
        (SQUARE, [[0.5, 1, 2]], "indices is not an array"),
        (SQUARE, [[0, 1, 4]], "indices\\[0\\] names vertex 4"),
        (SQUARE, [[0, 1, 2**40]], "indices has numbers beyond int32"),
        (SQUARE, [[0, 1, 1]], "indices has 1 triangle;"),
        ([[0, 0, numpy.nan]] * 3, [[0, 1, 2]], "vertices\\[0\\] is nan"),
    ]:
        with pytest.raises(widephase.Error, match=text):
            meshes.add(vertices, indices)
    with pytest.raises(widephase.Error, match="meshes.indices is missing"):
        meshes.set(vertices=SQUARE, vertex_offsets=[0, 4], triangle_offsets=[0, 2])
    assert len(meshes) == 1 and scene.validate() == []
    with pytest.raises(AttributeError, match="2D scene"):
        widephase.Scene(2).mesh_geometries


def test_scenes_with_meshes_are_saved_copied_and_joined(tmp_path):
    scene = square_scene()
    scene.save(tmp_path / "square.npz")
    loaded = widephase.load(tmp_path / "square.npz")
    for other in (loaded, copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        numpy.testing.assert_array_equal(other.mesh_geometries.vertices, SQUARE)
        assert other.mesh_geometries.indices.tolist() == TRIANGLES and other.validate() == []
    loaded.extend(scene)
    assert loaded.meshes.geometry.tolist() == [0, 1]
    assert loaded.mesh_geometries.triangle_offsets.tolist() == [0, 2, 4] and loaded.validate() == []


def test_files_of_meshes_are_loaded_as_surfaces(tmp_path):
    path = tmp_path / "square.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.001\nv 0 1 0\nf 1 2 3\nf 1 3 4\nf 5 1 3\n")
    scene = widephase.load(path, surface=True)
    assert len(scene.meshes.geometry) == 1 and scene.hulls.geometry is None
    assert scene.mesh_geometries.summary(0)["vertices"] == 5
    with pytest.warns(UserWarning, match="united 1 of 5 vertices"):
        scene = widephase.load(path, surface=True, weld=0.01)
    assert scene.mesh_geometries.summary(0) == {
        "triangles": 3, "beyond": 0, "vertices": 4, "borders": 4, "flips": 0, "duplicates": 1,
        "without_area": 0,
    }
    with pytest.raises(widephase.Error, match="weld= is for surfaces; add surface= or leave it out"):
        widephase.load(path, weld=0.01)
