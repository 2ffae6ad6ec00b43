"""Robots: their poses in many configurations, as arrays and as scenes."""

import numpy
import pytest

import widephase

ARM = """<robot name="arm"><link name="post"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="arm"><collision><origin xyz="1 0 0"/><geometry><sphere radius="0.1"/></geometry></collision></link>
<link name="tool"/><link name="slide"><collision><geometry><box size="1 1 1"/></geometry></collision></link>
<joint name="turn" type="revolute"><parent link="post"/><child link="arm"/><axis xyz="0 0 1"/>
<limit lower="-2" upper="2"/></joint>
<joint name="fix" type="fixed"><parent link="arm"/><child link="tool"/><origin xyz="2 0 0"/></joint>
<joint name="reach" type="prismatic"><parent link="tool"/><child link="slide"/><axis xyz="1 0 0"/></joint></robot>"""


@pytest.fixture
def arm(tmp_path):
    (tmp_path / "arm.urdf").write_text(ARM)
    return tmp_path / "arm.urdf"


def test_place(arm):
    robot = widephase.Robot.load(arm)
    assert robot.value_names == ["turn", "reach"]
    assert robot.body_names == ["post", "arm", "slide"] and robot.link_names == ["post", "arm", "tool", "slide"]
    assert robot.link_bodies.tolist() == [0, 1, 1, 2]
    assert robot.limits.tolist() == [[-2, 2], [-numpy.inf, numpy.inf]] and robot.start.tolist() == [0, 0]
    assert repr(robot) == "<Robot of 2 values, 3 bodies, 4 links>"
    # A quarter turn takes the tool to y = 2; the slide is at y = 3.
    q = numpy.array([[0, 0], [numpy.pi / 2, 1]])
    position, orientation = robot.place(q)
    assert position.shape == (2, 3, 3) and orientation.shape == (2, 3, 4)
    assert numpy.allclose(position[1], [[0, 0, 0], [0, 0, 0], [0, 3, 0]], atol=1e-15)
    assert numpy.allclose(orientation[1, 2], [0, 0, 0.5**0.5, 0.5**0.5], atol=1e-15)
    links = robot.place(q, frames="links")[0]
    assert links.shape == (2, 4, 3) and numpy.allclose(links[1, 2], [0, 2, 0], atol=1e-15)
    # One configuration; lists; any strides; float32; one thread.
    assert numpy.array_equal(robot.place(q[1])[0], position[1:])
    assert numpy.array_equal(robot.place([[0, 0], [numpy.pi / 2, 1]], threads=1)[0], position)
    assert numpy.array_equal(robot.place(numpy.asfortranarray(q)[::-1])[0], position[::-1])
    narrow = robot.place(q.astype(numpy.float32))
    assert narrow[0].dtype == numpy.float32 and numpy.allclose(narrow[0], position, atol=1e-6)
    assert robot.place(numpy.empty((0, 2)))[0].shape == (0, 3, 3)


def test_faults(arm):
    robot = widephase.Robot.load(arm)
    q = numpy.array([[0, 0], [3, 0], [0, numpy.nan]])
    with pytest.raises(widephase.Error, match=r"q\[2\] has nan as reach; expected a finite number up to 1e75") as caught:
        robot.place(q)
    assert caught.value.array == "q" and caught.value.row == 2
    with pytest.raises(widephase.Error, match=r"q\[1\] has 3 as turn; expected a value in \[-2, 2\]"):
        robot.place(q, limits="error")
    position, _, status = robot.place(q, limits="status")
    assert status.tolist() == [0, 2, 1]
    assert numpy.isnan(position).all(axis=(1, 2)).tolist() == [False, False, True]
    for wrong, said in (([1, 2, 3], "has 3 values"), (numpy.zeros((1, 1, 2)), "has the shape")):
        with pytest.raises(widephase.Error, match="q.* " + said):
            robot.place(wrong)
    for option in ("frames", "limits", "isa"):
        with pytest.raises(widephase.Error, match="none"):
            robot.place(q, **{option: "none"})
    with pytest.raises(widephase.Error, match=r"excluded_links\[0\] names the link 'hand'"):
        widephase.Robot.load(arm, excluded_links=[("arm", "hand")])
    with pytest.raises(widephase.Error, match="no.srdf"):
        widephase.Robot.load(arm, srdf="no.srdf")


@pytest.mark.parametrize("precision", ["float32", "float64", "mixed"])
def test_worlds_collide_with_what_is_kept(arm, precision):
    """A wall at x = 3.6: the slide's box reaches from 1.5 to 2.5 plus its value along the arm."""
    robot = widephase.Robot.load(arm, precision=precision)
    wall = widephase.Scene(dimension=3, precision=precision)
    wall.aabbs.set(min=[[3.6, -9, -9]], max=[[4, 9, 9]], world=[-1], owner=[100])
    scene = robot.scene([[0, 0], [0, 1.2], [numpy.pi / 2, 1.2]])
    assert scene.precision == robot.shapes.precision and scene.world_count == 3
    assert widephase.any_contact(scene, kept=widephase.StaticScene(wall)).tolist() == [0, 1, 0]


def test_any_contact(arm):
    robot = widephase.Robot.load(arm)
    wall = widephase.Scene(dimension=3, precision="float32")
    wall.aabbs.set(min=[[3.6, -9, -9]], max=[[4, 9, 9]])
    around = widephase.Environment(wall)
    assert len(around) == 1 and around.world_count == 1 and repr(around) == "<Environment of 1 obstacles>"
    q = numpy.array([[0, 0], [0, 1.2], [numpy.pi / 2, 1.2], [0, -2], [0, 1]])
    assert robot.any_contact(q).tolist() == [0, 0, 0, 1, 0]
    assert robot.any_contact(q, around).tolist() == [0, 1, 0, 1, 0]
    answers = robot.any_contact(q.astype(numpy.float32), around, margin=0.15)
    assert answers.dtype == numpy.bool_ and answers.tolist() == [0, 1, 0, 1, 1]
    wall.aabbs.set(min=[[9, 9, 9]], max=[[10, 10, 10]])
    assert robot.any_contact(q, around).tolist() == [0, 1, 0, 1, 0]  # it is a copy
    with pytest.raises(widephase.Error, match=r"q\[1\] has inf as turn"):
        robot.any_contact([[0, 0], [numpy.inf, 0]])
    with pytest.raises(widephase.Error, match="scene is in 2D"):
        widephase.Environment(widephase.Scene(dimension=2))


def test_points(arm):
    """The slide's box reaches to x = 2.5 plus its value: with the points' radius into the second."""
    robot = widephase.Robot.load(arm)
    xyz = numpy.array([[0, 9, 0], [3.8, 0, 0]])
    q = [[0, 0], [0, 1.2], [numpy.pi / 2, 1.2]]
    for points in (xyz, xyz.astype(numpy.float32), numpy.asfortranarray(xyz), xyz.tolist()):
        cloud = widephase.Environment.points(points, radius=0.2)
        assert len(cloud) == 2 and cloud.world_count == 1
        assert robot.any_contact(q, cloud).tolist() == [0, 1, 0]
        assert robot.first_contact(q, cloud)["obstacle"].tolist() == [-1, 1, -1]
    assert len(widephase.Environment.points(numpy.zeros((0, 3)), radius=0.2)) == 0
    xyz[1, 2] = numpy.nan
    with pytest.raises(widephase.Error, match=r"points\[1\] is nan along axis 2; it must be finite"):
        widephase.Environment.points(xyz, radius=0.2)
    with pytest.raises(widephase.Error, match="radius is -1; it must be a finite number >= 0"):
        widephase.Environment.points(xyz, -1)


def test_first_contact(arm):
    """The slide's box meets the wall, which is obstacle 1; drawn back by 2 it meets the post."""
    robot = widephase.Robot.load(arm)
    walls = widephase.Scene(dimension=3)
    walls.aabbs.set(min=[[-9, -9, -9], [3.6, -9, -9]], max=[[-8, 9, 9], [4, 9, 9]])
    first = robot.first_contact([[0, 0], [0, 1.2], [0, -2]], widephase.Environment(walls))
    names = [robot.link_names[link] if link >= 0 else "" for link in first["link"]]
    assert names == ["", "slide", "post"]
    assert first["obstacle"].tolist() == [-1, 1, -1]
    assert [robot.link_names[link] if link >= 0 else "" for link in first["other_link"]] == ["", "", "slide"]
    assert (first["shape"] >= 0).tolist() == (first["link"] >= 0).tolist()


def test_contacts(arm):
    """The slide's box reaches 0.1 into the wall, and drawn back by 2 it holds the post."""
    robot = widephase.Robot.load(arm)
    walls = widephase.Scene(dimension=3)
    walls.aabbs.set(min=[[-9, -9, -9], [3.6, -9, -9]], max=[[-8, 9, 9], [4, 9, 9]])
    found = robot.contacts([[0, 0], [0, 1.2], [0, -2]], widephase.Environment(walls))
    assert found["configuration"].tolist() == [1, 2]
    assert [robot.link_names[link] for link in found["link"]] == ["slide", "post"]
    assert found["obstacle"].tolist() == [1, -1] and found["other_link"].tolist() == [-1, 3]
    assert numpy.allclose(found["normal"][0], [1, 0, 0]) and numpy.isclose(found["depth"][0], 0.1)
    assert found["offset"].shape == (3,) and found["point"].shape == (found["offset"][-1], 3)
    assert numpy.allclose(found["point"][: found["offset"][1], 0], 3.7)
    near = robot.contacts([[0, 1]], widephase.Environment(walls), margin=0.15)
    assert numpy.isclose(near["depth"][0], -0.1)


def test_check_motions(arm):
    """A quarter turn takes the slide through a ball."""
    robot = widephase.Robot.load(arm)
    plate = widephase.Scene(dimension=3, precision="float64")
    plate.spheres.set(center=[[1.2, 1.2, 0]], radius=[0.6])
    around = widephase.Environment(plate)
    start, end = [[0, 0], [0, 0], [0, 0]], [[numpy.pi / 2, 0], [-1, 0], [0, 0]]
    for options in ({}, {"proof": True}):
        status, at = robot.check_motions(start, end, around, **options)
        assert status.tolist() == [1, 0, 0] and numpy.isnan(at).tolist() == [False, True, True]
        q = numpy.array(start[0]) + at[0] * (numpy.array(end[0]) - start[0])
        assert robot.any_contact(q, around).tolist() == [True]
    with pytest.raises(widephase.Error, match="end has 1 rows; expected 3, one for the start"):
        robot.check_motions(start, end[:1], around)


def test_min_distance(arm):
    robot = widephase.Robot.load(arm)
    walls = widephase.Scene(dimension=3)
    walls.aabbs.set(min=[[3.6, -9, -9]], max=[[4, 9, 9]])
    around = widephase.Environment(walls)
    found = robot.min_distance([[0, 0.5], [0, 1.2]], around, gradient=True)
    assert numpy.allclose(found["distance"], [0.6, -0.1]) and found["obstacle"].tolist() == [0, 0]
    assert found["gradient"].shape == (2, 2) and numpy.allclose(found["gradient"][:, 1], -1)
    assert "gradient" not in robot.min_distance([[0, 0.5]], around)
    assert robot.min_distance([[0, 0.5]], around, limit=0.1)["link"].tolist() == [-1]


def test_attached(arm):
    robot = widephase.Robot.load(arm)
    tool = widephase.Scene(dimension=3)
    tool.spheres.set(center=[[0, 0, 0]], radius=[0.2])
    carrying = robot.attached("tip", "slide", tool, position=[1, 0, 0])
    assert carrying.link_names[-1] == "tip" and carrying.attachments == ["tip"]
    assert robot.attachments == [] and robot.link_names[-1] == "slide"
    walls = widephase.Scene(dimension=3)
    walls.aabbs.set(min=[[3.1, -9, -9]], max=[[4, 9, 9]])
    around = widephase.Environment(walls)
    assert robot.any_contact([[0, 0]], around).tolist() == [False]  # the box ends at 2.5
    assert carrying.any_contact([[0, 0]], around).tolist() == [True]  # the tip at 3.2
    first = carrying.first_contact([[0, 0]], around)
    assert carrying.link_names[first["link"][0]] == "tip"
    assert carrying.detached("tip").any_contact([[0, 0]], around).tolist() == [False]
    with pytest.raises(widephase.Error, match="link names the link 'hand'"):
        robot.attached("tip", "hand", tool)
    with pytest.raises(widephase.Error, match="name is tip, which a link has"):
        carrying.attached("tip", "slide", tool)


def test_learn_allowed(arm, tmp_path):
    """Without limits the slide stays at its start, where its box never touches the post."""
    robot = widephase.Robot.load(arm)
    learned = robot.learn_allowed(200, seed=3)
    assert learned.samples == 200 and learned.links.tolist() == [[0, 3]] and learned.contacts.tolist() == [0]
    assert learned.never == [("post", "slide")] and learned.always == []
    assert learned.neighbours == [("post", "arm"), ("arm", "slide")]
    assert repr(learned) == "<LearnedPairs of 200 samples: 0 always, 1 never, 2 neighbours>"
    learned.write_srdf(tmp_path / "arm.srdf")
    again = widephase.Robot.load(arm, srdf=tmp_path / "arm.srdf")
    q = [[0, -2], [0, -1]]  # the box on the post, and on the arm's ball
    assert robot.any_contact(q).tolist() == [True, False] and again.any_contact(q).tolist() == [False, False]
    for options, expected in (({}, [1, 0]), ({"srdf": tmp_path / "arm.srdf"}, [0, 0])):
        assert widephase.any_contact(widephase.load(arm, joints=q, **options)).tolist() == expected
    with pytest.raises(widephase.Error, match="n is 0; expected 1 or more"):
        robot.learn_allowed(0)


def test_a_matrix(arm, tmp_path):
    matrix = tmp_path / "matrix.yaml"
    matrix.write_text("entry_names: [post, slide, shelf]\nentry_values:\n  - enabled: [false, true, false]\n"
                      "  - enabled: [true, false, false]\n  - enabled: [false, false, false]\n")
    with pytest.warns(UserWarning, match='names "shelf", which the robot does not have; left out'):
        robot = widephase.Robot.load(arm, srdf=matrix)
    assert robot.any_contact([[0, -2], [0, -1]]).tolist() == [False, True]


def test_worlds_of_configurations(arm):
    robot = widephase.Robot.load(arm)
    walls = widephase.Scene(dimension=3, precision="float64")
    walls.aabbs.set(min=[[3.6, -9, -9], [-9, 3.6, -9]], max=[[4, 9, 9], [9, 4, 9]], world=[0, 1])
    around = widephase.Environment(walls)
    q = [[0, 1.2], [0, 1.2], [numpy.pi / 2, 1.2], [numpy.pi / 2, 1.2]]
    worlds = numpy.int32([0, 1, 0, 1])
    assert robot.any_contact(q, around, worlds=worlds).tolist() == [1, 0, 0, 1]
    assert robot.first_contact(q, around, worlds=worlds)["obstacle"].tolist() == [0, -1, -1, 1]
    with pytest.raises(widephase.Error, match="worlds is empty, and the environment has 2 worlds"):
        robot.any_contact(q, around)


def test_scenes_are_placed_in_double(arm):
    robot = widephase.Robot.load(arm)
    q = numpy.float32([[0.3, -0.7], [1.1, 0.2]])
    narrow, wide = robot.scene(q).bodies, robot.scene(q.astype(float)).bodies
    assert (narrow.position == wide.position).all() and (narrow.orientation == wide.orientation).all()


def test_links_that_never_meet(arm, tmp_path):
    """The slide's box, drawn back by 2, is on the post; and on the arm's ball when drawn back by 1."""
    srdf = tmp_path / "arm.srdf"
    srdf.write_text('<robot name="arm"><disable_collisions link1="post" link2="slide"/></robot>')
    q = [[0, -2], [0, -1]]
    for options, expected in (({}, [1, 0]), ({"srdf": srdf}, [0, 1]),
                              ({"srdf": srdf, "excluded_links": [("slide", "arm")]}, [0, 0])):
        robot = widephase.Robot.load(arm, **options)
        assert widephase.any_contact(robot.scene(q)).tolist() == expected
