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
    wall = widephase.Scene(dimension=3, precision="float64")
    wall.aabbs.set(min=[[3.6, -9, -9]], max=[[4, 9, 9]], world=[-1])
    kept = widephase.StaticScene(wall, margin=0.2)
    q = numpy.array([[0, 0], [0, 1.2], [numpy.pi / 2, 1.2], [0, -2], [0, 1]])
    assert robot.any_contact(q).tolist() == [0, 0, 0, 1, 0]
    assert robot.any_contact(q, kept).tolist() == [0, 1, 0, 1, 0]
    answers = robot.any_contact(q.astype(numpy.float32), kept, margin=0.15)
    assert answers.dtype == numpy.bool_ and answers.tolist() == [0, 1, 0, 1, 1]
    with pytest.raises(widephase.Error, match=r"q\[1\] has inf as turn"):
        robot.any_contact([[0, 0], [numpy.inf, 0]])
    with pytest.raises(widephase.Error, match=r"kept\[0\] is of world 0"):
        wall.aabbs.world = [0]
        robot.any_contact(q, widephase.StaticScene(wall))
    with pytest.raises(widephase.Error, match="kept"):
        robot.any_contact(q, widephase.StaticScene(widephase.Scene(3, "float32")))


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
