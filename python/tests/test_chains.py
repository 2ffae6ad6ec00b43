"""Chains in Python: Scene.chains and the vertices that they name."""

import copy
import pickle

import numpy
import pytest

import widephase

GROUND = [[3, 0], [1, 0], [-1, 0], [-3, 0]]


def ground_scene(precision=None):
    scene = widephase.Scene(2, precision)
    assert scene.chain_geometries.add(GROUND) == 0
    scene.chains.set(center=[[0, 0]], angle=[0], geometry=[0])
    return scene


def test_a_chain_is_added_behind_the_others():
    scene = ground_scene()
    chains = scene.chain_geometries
    assert len(chains) == 1 and len(scene) == 1
    assert chains.vertices.shape == (4, 2) and chains.vertices.dtype == numpy.float32
    assert chains.offsets.tolist() == [0, 4] and chains.offsets.dtype == numpy.int64
    assert chains.loop is None and chains.two_sided is None
    assert chains.before is None and chains.after is None
    assert scene.validate() == [] and scene.precision == "float"
    assert chains.add(GROUND, loop=True, two_sided=True) == 1
    assert chains.loop.tolist() == [0, 1] and chains.two_sided.tolist() == [0, 1]
    assert chains.add(GROUND, before=1, after=1) == 2
    assert chains.before.tolist() == [0, 0, 1] and chains.after.tolist() == [0, 0, 1]
    assert chains.loop.tolist() == [0, 1, 0] and chains.offsets.tolist() == [0, 4, 8, 12]
    assert "chain" in scene.kinds
    assert "3 chains" in repr(chains)


def test_a_circle_on_a_chain_has_a_contact_that_names_the_segment():
    scene = ground_scene()
    scene.circles.set(center=[[0, 0.25], [2, -0.25]], radius=0.5, owner=0)
    contacts = widephase.collide(scene)
    assert contacts.pair.tolist() == [[0, 2]]
    assert contacts.depth.tolist() == [0.25] and contacts.normal.tolist() == [[0, -1]]
    assert contacts.part.tolist() == [[-1, 1]]
    scene.chain_geometries.set(vertices=GROUND, offsets=[0, 4], two_sided=[1])
    contacts = widephase.collide(scene)
    assert contacts.pair.tolist() == [[0, 2], [1, 2]]
    assert contacts.part.tolist() == [[-1, 1], [-1, 0]]
    scene.chain_geometries.set()
    assert len(scene.chain_geometries) == 0


def test_rays_and_shapes_meet_the_front_of_a_chain():
    kept = widephase.StaticScene(ground_scene())
    hits = widephase.cast_rays(kept, numpy.float32([[0, 2], [0, -2]]), numpy.float32([[0, -1], [0, 1]]))
    assert hits.shape.tolist() == [0, -1] and hits.part.tolist() == [1, -1]
    assert hits.t[0] == 2 and hits.normal[0].tolist() == [0, 1]
    moving = widephase.Scene(2, "float32")
    moving.circles.set(center=[[-2, 2], [0, -2]], radius=0.5)
    hits = widephase.cast_shapes(moving, numpy.float32([[0, -3], [0, 3]]), kept)
    assert hits.shape.tolist() == [0, -1] and hits.part.tolist() == [2, -1]
    assert abs(hits.t[0] - 0.5) < 1e-6 and hits.normal[0].tolist() == [0, 1]


def test_arrays_are_read_in_place_by_every_call():
    scene = widephase.Scene(2, "float32")
    vertices = numpy.array(GROUND, numpy.float32)
    scene.chain_geometries.set(vertices=vertices, offsets=[0, 4])
    scene.chains.set(center=[[0, 0]], angle=[0], geometry=0)
    scene.circles.set(center=[[0, 0.5]], radius=0.25)
    assert scene.chain_geometries.vertices is vertices
    workspace = widephase.Workspace()
    assert len(widephase.collide(scene, workspace=workspace)) == 0
    vertices[:, 1] = 0.375
    assert len(widephase.collide(scene, workspace=workspace)) == 1
    vertices[2, 0] = numpy.inf
    assert scene.validate()[0][:2] == ("chains.vertices", 2)


def test_what_is_wrong_is_said_and_changes_nothing():
    scene = ground_scene()
    chains = scene.chain_geometries
    for vertices, options, text in [
        ([0, 1, 2], {}, "vertices is not an array"),
        ([[0, 0, 0]] * 3, {}, "vertices is not an array"),
        ([[0, 0], [numpy.nan, 0]], {}, "vertices\\[1\\] is nan"),
        (GROUND, {"before": 4}, "before is 4"),
        (GROUND, {"loop": True, "after": 1}, "after is 1"),
    ]:
        with pytest.raises(widephase.Error, match=text):
            chains.add(vertices, **options)
    with pytest.raises(widephase.Error, match="chains.offsets is missing"):
        chains.set(vertices=GROUND)
    assert len(chains) == 1 and scene.validate() == []
    with pytest.raises(AttributeError, match="3D scene"):
        widephase.Scene(3).chain_geometries


def test_scenes_with_chains_are_saved_copied_and_joined(tmp_path):
    scene = ground_scene()
    scene.save(tmp_path / "ground.npz")
    loaded = widephase.load(tmp_path / "ground.npz")
    for other in (loaded, copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        numpy.testing.assert_array_equal(other.chain_geometries.vertices, GROUND)
        assert other.chain_geometries.offsets.tolist() == [0, 4] and other.validate() == []
    scene.chain_geometries.set(vertices=GROUND, offsets=[0, 4], loop=[1])
    loaded.extend(scene)
    assert loaded.chains.geometry.tolist() == [0, 1]
    assert loaded.chain_geometries.offsets.tolist() == [0, 4, 8] and loaded.validate() == []
    assert loaded.chain_geometries.loop.tolist() == [0, 1]
