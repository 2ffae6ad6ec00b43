"""What may be given, and what is said of what may not."""

import copy
import os
import re
import subprocess
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays as numpy_arrays

import widephase
from conftest import same_contacts

CENTER = np.array([[0, 0, 0], [1.5, 0, 0], [9, 9, 9]], np.float32)
RADIUS = np.array([1, 1, 2], np.float32)


def scene_of(center, radius):
    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=center, radius=radius)
    return scene


def strided(array, axis_steps):
    """The same numbers with gaps between them."""
    wide = np.full([n * k for n, k in zip(array.shape, axis_steps)], np.nan, array.dtype)
    view = wide[tuple(slice(None, None, k) for k in axis_steps)]
    view[...] = array
    return view


def test_arrays_are_read_in_place_whatever_their_strides():
    expected = widephase.collide(scene_of(CENTER, RADIUS))
    assert expected.pair.tolist() == [[0, 1]] and expected.depth.tolist() == [0.5]
    record = np.zeros(3, np.dtype([("mass", "f8"), ("center", "f4", 3), ("radius", "f4")]))
    record["center"], record["radius"] = CENTER, RADIUS
    ways = [
        (np.asfortranarray(CENTER), RADIUS),
        (strided(CENTER, (2, 3)), strided(RADIUS, (5,))),
        (CENTER[::-1][::-1], RADIUS[::-1].copy()[::-1]),
        (record["center"], record["radius"]),
    ]
    for center, radius in ways:
        scene = scene_of(center, radius)
        assert scene.spheres.center is center and scene.spheres.radius is radius
        assert same_contacts(widephase.collide(scene), expected)
        # What is written later is in the scene: no copy was made.
        center[0, 1] = 50
        assert len(widephase.collide(scene)) == 0
        center[0, 1] = 0

    readable = CENTER.copy()
    readable.setflags(write=False)
    assert same_contacts(widephase.collide(scene_of(readable, RADIUS)), expected)


def test_lists_and_scalars_are_converted_and_broadcast():
    expected = widephase.collide(scene_of(CENTER, np.ones(3, np.float32)))
    for radius in (1, 1.0, np.float64(1), [1, 1, 1], [1.0], (1, 1, 1), np.broadcast_to(np.float32(1), 3)):
        assert same_contacts(widephase.collide(scene_of(CENTER.tolist(), radius)), expected)
    scene = widephase.Scene(dimension=3)
    scene.boxes.set(center=CENTER, orientation=[0, 0, 0, 1], half_extents=1, world=[0, 0, 1])
    assert scene.boxes.orientation.tolist() == [[0, 0, 0, 1]] * 3
    assert scene.boxes.half_extents.shape == (3, 3) and scene.boxes.radius is None
    assert widephase.collide(scene).pair.tolist() == [[0, 1]]
    scene.boxes.world = [0, 1, 2]
    assert len(widephase.collide(scene)) == 0
    scene.boxes.world = None
    assert len(widephase.collide(scene)) == 1
    scene.boxes.set()
    assert len(scene) == len(scene.boxes) == 0 and len(widephase.collide(scene)) == 0
    one = scene_of([0, 0, 0], 1)
    assert len(one) == 1 and one.spheres.center.shape == (1, 3)
    none = scene_of([], [])
    assert len(none) == 0 and widephase.collide(none).offset.tolist() == [0]


def refused(call, array, row, words):
    with pytest.raises(widephase.Error) as caught:
        call()
    assert caught.value.array == array and caught.value.row == row
    assert str(caught.value).startswith(array) and words in str(caught.value)


@pytest.mark.parametrize("columns, array, row, words", [
    (dict(center=CENTER.astype(complex), radius=1), "sphere.center", None,
     "is an array of complex128; it must be of numbers, such as float32"),
    (dict(center=CENTER, radius=RADIUS.astype("U3")), "sphere.radius", None, "is an array of <U3"),
    (dict(center=CENTER, radius=1, world=RADIUS), "sphere.world", None,
     "is an array of float32; it must be of integers that fit int32 (astype makes it so)"),
    (dict(center=CENTER, radius=1, world=np.array([0, 0, 2**31])), "sphere.world", 2,
     "is 2147483648, which int32 does not hold"),
    (dict(center=CENTER, radius=1, fixed=np.array([0, -1, 2])), "sphere.fixed", 1,
     "is -1, which uint8 does not hold"),
    (dict(center=CENTER[:, :2], radius=1), "sphere.center", None,
     "has the shape (3, 2); it must be (n, 3)"),
    (dict(center=CENTER[0], radius=1), "sphere.center", None, "has the shape (3,)"),
    (dict(center=CENTER, radius=CENTER), "sphere.radius", None, "it must be (n,)"),
    (dict(center=CENTER, radius=RADIUS[:2]), "sphere.radius", None,
     "has 2 rows; sphere.center has 3"),
    (dict(center=CENTER), "sphere.radius", None, "is missing; sphere needs center, radius"),
    (dict(center=CENTER, size=1), "sphere.size", None, "those of sphere are center, radius, world"),
    (dict(center=CENTER, radius=[1, 1e300, 1]), "sphere.radius", 1, "float32 does not hold"),
    (dict(center=CENTER, radius="big"), "sphere.radius", None, "is given as <U3"),
    (dict(center=CENTER, radius=[1, 2j, 1]), "sphere.radius", None, "is given as complex128"),
    (dict(center=[[0, 0, 0], [1, 1]], radius=1), "sphere.center", None, "is not an array of numbers"),
    (dict(center=CENTER, radius=1, world=0.5), "sphere.world", None, "must be int32"),
    (dict(center=CENTER, radius=1, world=[0, 2**31, 0]), "sphere.world", 1, "int32 does not hold"),
    (dict(center=CENTER, radius=1, mask=[1, 1, -1]), "sphere.mask", 2, "uint32 does not hold"),
    (dict(center=CENTER, radius=widephase.wxyz(RADIUS)), "sphere.radius", None, "not a quaternion"),
])
def test_wrong_columns_are_named_and_change_nothing(columns, array, row, words):
    scene = scene_of(CENTER, RADIUS)
    refused(lambda: scene.spheres.set(**columns), array, row, words)
    assert scene.spheres.center is CENTER and len(widephase.collide(scene)) == 1


def test_wrong_numbers_are_named_by_the_call():
    center = CENTER.copy()
    scene = scene_of(center, RADIUS)
    center[1, 2] = np.nan
    refused(lambda: widephase.collide(scene), "sphere.center", 1, "is nan; center must be a finite number")
    assert scene.validate()[0][:2] == ("sphere.center", 1)
    center[1, 2] = np.inf
    refused(lambda: widephase.bounds(scene), "sphere.center", 1, "inf")
    center[1, 2] = 0
    assert scene.validate() == []
    scene.spheres.radius = [1, -1, 1]
    refused(lambda: widephase.find_pairs(scene), "sphere.radius", 1, "is -1")
    scene.spheres.radius = RADIUS
    refused(lambda: setattr(scene.spheres, "radius", RADIUS[:2]), "sphere.radius", None,
            "has 2 rows; the table has 3")
    refused(lambda: setattr(scene.spheres, "center", None), "sphere.center", None, "is needed")


def test_wrong_arguments_are_named():
    scene = scene_of(CENTER, RADIUS)
    pairs = np.array([[0, 1]], np.int32)
    refused(lambda: widephase.collide_pairs(scene, pairs.astype(float)), "pairs", None,
            "is an array of float64; it must be of integers that fit int32")
    refused(lambda: widephase.collide_pairs(scene, pairs.astype(int) + 2**32), "pairs", 0,
            "which int32 does not hold")
    refused(lambda: widephase.collide_pairs(scene, (np.zeros(2, int), np.zeros(3, int))), "pairs",
            None, "has columns of 2 and 3 rows")
    refused(lambda: widephase.collide_pairs(scene, [[0, 3]]), "pairs", 0, "names shape 3")
    refused(lambda: widephase.distance(scene, [[0, 0]]), "pairs", 0, "names shape 0 twice")
    refused(lambda: widephase.support(scene, [0, 1], [[0, 0, 1], [0, 0, 0]]), "direction", 1,
            "must be finite and of a length")
    refused(lambda: widephase.any_contact(scene, moving_pairs=False), "moving_pairs", None,
            "is False, which leaves the pairs with kept; give kept= a StaticScene")
    level = widephase.StaticScene(scene_of(CENTER.astype(float), RADIUS))
    refused(lambda: widephase.collide(scene, kept=level), "kept", None,
            "is 3D, mixed; the scene is 3D, float: Scene(dimension, precision) says it for both")
    level = widephase.StaticScene(scene)
    refused(lambda: widephase.contact_bodies(scene, widephase.collide(scene, kept=level)), "pair", 1,
            "the scene's ids are 0 to 2, and those of kept shapes need kept")
    refused(lambda: widephase.collide(scene, margin=-1), "margin", None, "is -1")
    refused(lambda: widephase.collide(scene, margin="wide"), "margin", None, "is 'wide'")
    refused(lambda: widephase.collide(scene, threads=-1), "threads", None, "is -1")
    refused(lambda: widephase.collide(scene, order="size"), "order", None, "kind, source, id, world")
    refused(lambda: widephase.collide(scene, tracker=3), "tracker", None, "expected a Tracker")
    refused(lambda: widephase.collide(scene, max_pairs=-2), "max_pairs", None, "is -2")
    refused(lambda: widephase.collide(scene, world_status=[0]), "world_status", None, "not an array")
    refused(lambda: widephase.Scene(dimension=4), "dimension", None, "is 4; expected 2 or 3")
    refused(lambda: widephase.Scene(3, "half"), "precision", None,
            "is half; expected float32, float64 or mixed")
    refused(lambda: scene.set_domain([0, 0], [1, 1, 1]), "domain.min", None, "has 2 numbers")
    refused(lambda: widephase.decompose([[[0, 0], [1, 1], [1, 0], [0, 1]]]), "outline.rings[0]", 0,
            "begins an edge that crosses")
    refused(lambda: widephase.Geometries(3).add([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), "points", None,
            "has fewer than 4 distinct points")
    refused(lambda: widephase.collide(scene, world_mask=[]), "world_mask", None, "has no rows")
    refused(lambda: widephase.collide(scene, world_mask=np.ones(1)), "world_mask", None,
            "is an array of float64; it must be of integers")
    refused(lambda: widephase.any_contact(scene, world_status=np.zeros(0, np.uint8)),
            "world_status", None, "has no rows")
    with pytest.raises(widephase.Error, match="unknown instruction set 'mmx'"):
        widephase.collide(scene, isa="mmx")
    with pytest.raises(TypeError, match=r"collide\(\) has no option margins"):
        widephase.collide(scene, margins=1)
    with pytest.raises(TypeError):
        widephase.collide(3)
    with pytest.raises(AttributeError, match="a 3D scene has no circles"):
        scene.circles
    with pytest.raises(AttributeError, match="sphere has no column half_extents"):
        scene.spheres.half_extents
    flat = widephase.Scene(dimension=2)
    refused(lambda: setattr(flat, "geometries", scene.geometries), "geometries", None, "another")


def test_caps_tell_exact_counts():
    center = np.zeros((10, 3), np.float32)
    scene = scene_of(center, 1)
    with pytest.raises(widephase.CapacityError) as caught:
        widephase.collide(scene, max_contacts=44)
    assert (caught.value.pairs, caught.value.contacts, caught.value.points) == (45, 45, 45)
    assert caught.value.exact
    assert len(widephase.collide(scene, max_contacts=45)) == 45


@pytest.mark.parametrize("threads", [1, 2])
def test_far_beyond_a_cap_the_count_is_a_lower_bound(threads):
    # 1,000 balls at one place: 499,500 pairs, more than 64 times 100, fewer than 64 times 10,000.
    scene = scene_of(np.zeros((1000, 3), np.float32), 1)
    with pytest.raises(widephase.CapacityError, match="needs at least 6400$") as caught:
        widephase.collide(scene, max_pairs=100, threads=threads)
    assert (caught.value.pairs, caught.value.exact) == (6400, False)
    with pytest.raises(widephase.CapacityError, match="needs 499500$") as caught:
        widephase.find_pairs(scene, max_pairs=10000, threads=threads)
    assert (caught.value.pairs, caught.value.exact) == (499500, True)


def test_worlds_far_apart_are_refused_where_each_takes_room():
    scene = scene_of(CENTER, RADIUS)
    scene.spheres.world = [0, 2**31 - 2, 0]
    status = np.zeros(4, np.uint8)
    for call in (lambda: widephase.any_contact(scene), lambda: widephase.min_distance(scene),
                 lambda: widephase.collide(scene, order="world"),
                 lambda: widephase.collide(scene, world_mask=[1, 1]),
                 lambda: widephase.collide(scene, world_status=status)):
        with pytest.raises(widephase.Error, match="is 2147483646; .* worlds below 16777216") as caught:
            call()
        assert (caught.value.array, caught.value.row) == ("sphere.world", 1)
    assert len(widephase.collide(scene)) == 0 and scene.world_count == 2**31 - 1


CLASSES = [cls for cls in vars(widephase).values()
           if isinstance(cls, type) and not issubclass(cls, (Exception, tuple))]


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_an_object_that_was_never_made_is_refused(cls):
    empty = cls.__new__(cls)
    members = [name for name, member in vars(cls).items()
               if not name.startswith("__") and not isinstance(member, staticmethod)]
    # What object has is not the module's: a repr without a look at the value is fine.
    special = [name for name in ("__len__", "__repr__", "__getattr__") if name in vars(cls)]
    assert members or special or cls is widephase.Workspace
    for name in members + special:
        member = vars(cls)[name]
        with pytest.raises(TypeError, match="never made|incompatible function arguments"):
            if isinstance(member, property):
                getattr(empty, name)
            elif name == "__getattr__":
                member(empty, "center")
            else:
                member(empty)
    with pytest.raises((TypeError, AttributeError)):
        copy.copy(empty).anything


def test_objects_that_were_never_made_are_refused_as_arguments():
    scene = scene_of(CENTER, RADIUS)
    def bare(cls):
        return cls.__new__(cls)

    for call in (lambda: widephase.collide(bare(widephase.Scene)),
                 lambda: widephase.collide(scene, workspace=bare(widephase.Workspace)),
                 lambda: widephase.collide(scene, tracker=bare(widephase.Tracker)),
                 lambda: widephase.collide(scene, kept=bare(widephase.StaticScene)),
                 lambda: widephase.contact_bodies(scene, bare(widephase.Contacts)),
                 lambda: setattr(scene, "geometries", bare(widephase.Geometries)),
                 lambda: setattr(scene.boxes, "orientation", bare(widephase.wxyz))):
        with pytest.raises(TypeError, match="never made"):
            call()

    class Early(widephase.Scene):
        def __init__(self):
            len(self)  # before the scene is made

    with pytest.raises(TypeError, match="never made"):
        Early()


def test_file_names_are_any_bytes(tmp_path):
    scene = scene_of(CENTER, RADIUS)
    expected = widephase.collide(scene)
    folder = os.fsencode(tmp_path)
    # 0xff is in no UTF-8; a str has it as a surrogate.
    for name in (folder + b"/\xff.npz", os.fsdecode(folder + b"/\xfe.json"),
                 tmp_path / os.fsdecode(b"\xfd.npz")):
        scene.save(name)
        assert os.path.exists(name)
        assert widephase.collide(widephase.load(name)).pair.tolist() == expected.pair.tolist()
    missing = os.fsdecode(folder + b"/\xfc.npz")
    with pytest.raises(widephase.Error) as caught:
        widephase.load(missing)
    assert str(caught.value).startswith(missing + ": ")
    with pytest.raises(widephase.Error, match="path has a zero byte in it"):
        widephase.load("scene.npz\0.json")
    with pytest.raises(TypeError):
        widephase.load(3)


def test_a_lack_of_memory_is_told_in_a_sentence():
    if "LD_PRELOAD" in os.environ:
        pytest.skip("a sanitizer needs more room than there is")
    # 20,000 balls at one place have 2e8 pairs of 8 bytes; there are 400 MB for them.
    program = """if True:
        import resource
        import numpy as np, widephase
        scene = widephase.Scene(dimension=3)
        scene.spheres.set(center=np.zeros((20000, 3), np.float32), radius=1.0)
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + 400_000_000,) * 2)
        try:
            widephase.collide(scene, threads=1)
        except MemoryError as error:
            print(error)
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert re.match(r"out of memory: a column of \d+ rows takes \d+ bytes; give fewer shapes .*max_pairs",
                    done.stdout), done.stdout + done.stderr


finite = st.floats(-10, 10, width=32)


@given(center=numpy_arrays(np.float32, st.tuples(st.integers(0, 20), st.just(3)), elements=finite),
       steps=st.tuples(st.integers(1, 3), st.integers(1, 3)), fortran=st.booleans(),
       radius=st.floats(0, 4, width=32))
def test_any_layout_gives_the_same_contacts(center, steps, fortran, radius):
    expected = widephase.collide(scene_of(center, np.full(len(center), radius, np.float32)))
    given_center = np.asfortranarray(center) if fortran else strided(center, steps)
    assert same_contacts(widephase.collide(scene_of(given_center, radius)), expected)
    assert same_contacts(widephase.collide(scene_of(center.tolist(), radius)), expected)
    # Each pair by brute force, in double; none within rounding of touching is judged.
    a, b = np.triu_indices(len(center), 1)
    between = np.linalg.norm(center[a].astype(float) - center[b], axis=1) - 2 * radius
    found = set(map(tuple, expected.pair.tolist()))
    for i, j, distance in zip(a.tolist(), b.tolist(), between):
        if abs(distance) > 1e-5:
            assert ((i, j) in found) == (distance < 0)


@given(st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
                    lambda inner: st.lists(inner, max_size=4), max_leaves=12))
def test_whatever_is_given_is_taken_or_refused(anything):
    scene = widephase.Scene(dimension=2)
    try:
        scene.circles.set(center=anything, radius=anything, world=anything)
        widephase.collide(scene)
    except (widephase.Error, TypeError):
        pass


def test_load_reads_what_its_options_allow(tmp_path):
    """Files that a file names, and columns that a file does not name."""
    for folder in ("main", "other"):
        (tmp_path / folder).mkdir()
    (tmp_path / "other/kid.xml").write_text('<mujoco><worldbody><geom size="3"/></worldbody></mujoco>')
    main = tmp_path / "main/all.xml"
    main.write_text('<mujoco><asset><model name="kid" file="../other/kid.xml"/></asset>'
                    '<worldbody><attach model="kid" prefix="a_"/></worldbody></mujoco>')
    with pytest.raises(widephase.Error, match="is not below the folder of"):
        widephase.load(main)
    scene = widephase.load(main, allow_files=[tmp_path / "other"])
    assert np.asarray(scene.spheres.radius).tolist() == [3]
    # A robot whose mesh is in a package: the hull of a corner of the unit cube.
    (tmp_path / "arms").mkdir()
    (tmp_path / "arms/corner.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\n")
    robot = tmp_path / "main/robot.urdf"
    robot.write_text('<robot><link name="a"><collision><geometry><mesh filename="package://arms/corner.obj"/>'
                     '</geometry></collision></link></robot>')
    with pytest.raises(widephase.Error, match="package_path="):
        widephase.load(robot)
    with pytest.warns(UserWarning, match="1 mesh became a convex hull"):
        scene = widephase.load(robot, package_path=[tmp_path], world=-1)
    assert len(scene.hulls) == 1 and np.asarray(scene.hulls.world).tolist() == [-1]
    slide = tmp_path / "slide.xml"
    slide.write_text('<mujoco><worldbody><body><joint type="slide" axis="1 0 0"/><geom size="1"/></body></worldbody>'
                     '<keyframe><key name="out" qpos="2"/></keyframe></mujoco>')
    assert np.asarray(widephase.load(slide, keyframe="out").bodies.position).tolist() == [[2, 0, 0]]
    data = tmp_path / "data.spheres"
    data.write_text("balls\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\n"
                    "Atoms\n\n1 1 1 2 5 5 5\n")
    with pytest.raises(widephase.Error, match="does not say the atom style"):
        widephase.load(data)
    with pytest.warns(UserWarning, match="data.spheres has a box and does not say whether it wraps; periodic='xyz' makes "
                                         "it so, periodic='none' says that it does not"):
        assert np.asarray(widephase.load(data, style="sphere").spheres.radius).tolist() == [0.5]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert widephase.load(data, style="sphere", periodic="none").domain is None
        assert widephase.load(data, style="sphere", periodic="xyz").domain[2] == (True, True, True)


def big_ball(count):
    """Points on a ball, all of them vertices of their hull."""
    at = np.arange(count) + 0.5
    z, turn = 1 - 2 * at / count, np.pi * (1 + 5**0.5) * at
    r = np.sqrt(1 - z * z)
    return np.stack([r * np.cos(turn), r * np.sin(turn), z], axis=1).astype(np.float32)


def test_messages_name_what_python_has(tmp_path):
    """Arguments as `name=`, functions and attributes of the module, never those of C++ or of the command line."""
    def said(call):
        with pytest.raises(widephase.Error) as caught:
            call()
        text = str(caught.value)
        for other in ("--", "add_hull", "add_polygon", "warm_starts", "build_static_scene", "turn["):
            assert other not in text, text
        return text

    assert "add_enclosing makes a simpler one" in said(lambda: widephase.Geometries(3).add(big_ball(300)))
    scene = scene_of(CENTER, RADIUS)
    assert said(lambda: widephase.collide(scene, steadiness=1)) == (
        "steadiness goes by the last step; give a tracker with it")
    assert said(lambda: widephase.collide(scene, most_patches=-1)) == "most_patches is -1; it must be >= 0, 0 for all"
    assert said(lambda: widephase.collide_pairs(scene, [[0, 1]], patch_angle=91)) == (
        "patch_angle is 91; it must be 0 to 90 degrees")
    moving = widephase.Scene(3)
    moving.geometries = widephase.Geometries(3)
    moving.geometries.add_tetrahedron(1)
    kept = widephase.StaticScene(scene)
    text = said(lambda: widephase.collide(moving, kept=kept))
    assert text.startswith("hulls.vertices has 4 rows") and text.endswith("to StaticScene")
    moving.boxes.set(center=CENTER, orientation=[0, 0, 1, 1], half_extents=1)
    assert said(lambda: widephase.collide(moving)).startswith("box.orientation[0] has squared length 2")

    def file(name, text):
        (tmp_path / name).write_text(text)
        return tmp_path / name

    def loaded(path, **options):
        return said(lambda: widephase.load(path, **options)).replace(str(tmp_path) + "/", "")

    walk = file("walk.txt", "# id frame x/m y/m\n1 1 0 0\n")
    assert loaded(walk).endswith("for example radius=0.2")
    row = file("row.csv", "x,y,radius\n0,0,1\n")
    assert loaded(row, radius=1) == "row.csv has radii of its own; leave radius= out"
    assert loaded(row, unit="m").endswith("leave unit= out")
    assert loaded(row, joints="1").endswith("leave joints= out")
    assert loaded(row, ignore_columns=True) == "ignore_columns= is for the file of joints=; leave it out"
    assert loaded(row, style="sphere").endswith("leave style= out")
    assert loaded(row, max_vertices=9).endswith("leave max_vertices= out")
    assert loaded(row, allow_files=[tmp_path]).endswith("leave allow_files= out")
    assert loaded(row, package_path=[tmp_path]).endswith("leave package_path= out")
    assert loaded(row, keyframe="home").endswith("leave keyframe= out")
    assert loaded(row, srdf="arm.srdf").endswith("leave srdf= out")
    assert loaded(row, dimension=3) == "row.csv is a 2D scene; expected dimension=2"
    assert loaded(row, periodic="x") == "row.csv has no box, so nothing can be periodic; leave periodic= out"
    assert "say which with format=: npz" in loaded(file("strange.bin", "\0"))
    data = file("data.spheres", "balls\n\n1 atoms\n1 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\n"
                "Atoms\n\n1 1 1 2 5 5 5\n")
    assert loaded(data).endswith("say so with style='sphere'")
