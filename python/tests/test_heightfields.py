"""Height fields in Python: Scene.heightfields and the samples that they name."""

import copy
import pickle

import numpy
import pytest

import widephase


def hill_scene(precision=None):
    scene = widephase.Scene(3, precision)
    heights = numpy.zeros((3, 4))
    heights[1, 1] = 1
    heights[2, 3] = numpy.nan
    assert scene.heightfield_geometries.add(heights, (2, 1)) == 0
    scene.heightfields.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=[0])
    return scene


def test_a_field_is_added_row_by_row():
    scene = hill_scene()
    fields = scene.heightfield_geometries
    assert len(fields) == 1 and len(scene) == 1
    assert fields.heights.shape == (12,) and fields.heights.dtype == numpy.float32
    assert fields.heights[5] == 1 and numpy.isnan(fields.heights[11])
    assert fields.offsets.tolist() == [0, 12] and fields.columns.tolist() == [4]
    assert fields.cell.tolist() == [[2, 1]] and fields.neighbours is None
    assert scene.validate() == [] and scene.precision == "float"
    assert fields.add(numpy.ones((2, 2)), 0.5) == 1
    assert fields.offsets.tolist() == [0, 12, 16] and fields.cell.tolist() == [[2, 1], [0.5, 0.5]]
    assert scene.kinds[10] == "heightfield"
    assert "2 fields" in repr(fields)


def test_many_fields_are_added_one_by_one():
    # Each add takes what it adds; copies of all would be 26 gigabytes.
    scene = widephase.Scene(3)
    fields = scene.heightfield_geometries
    heights = numpy.arange(256.0).reshape(16, 16)
    for number in range(4096):
        assert fields.add(heights + number, 1) == number
    assert fields.heights.shape == (4096 * 256,) and fields.heights[-1] == 255 + 4095
    assert fields.offsets[-1] == 4096 * 256 and len(fields) == 4096
    assert numpy.array_equal(fields.columns, numpy.full(4096, 16))


def test_copies_of_a_scene_add_fields_of_their_own():
    first = hill_scene()
    first.heightfield_geometries.add(numpy.ones((2, 2)), 1)
    other = copy.copy(first)
    first.heightfield_geometries.add(numpy.full((2, 2), 3), 1)
    other.heightfield_geometries.add(numpy.full((2, 2), 5), 1)
    assert first.heightfield_geometries.heights[-4:].tolist() == [3, 3, 3, 3]
    assert other.heightfield_geometries.heights[-4:].tolist() == [5, 5, 5, 5]
    # What somebody wrote stays when more is added, and digits wait for a scene of doubles.
    first.heightfield_geometries.heights[-1] = 7
    first.heightfield_geometries.add(numpy.full((2, 2), 0.1), 1)
    assert first.heightfield_geometries.heights[-5:-3].tolist() == [7, numpy.float32(0.1)]


def test_triangles_are_those_that_part_names():
    # The cell of row 1 and column 1 begins at the hill, at (2, 1, 1): number 2 * (1 * 4 + 1) = 10.
    fields = hill_scene().heightfield_geometries
    assert fields.triangle(0, 10).tolist() == [[2, 1, 1], [4, 1, 0], [4, 2, 0]]
    assert fields.triangle(0, 11).tolist() == [[2, 1, 1], [4, 2, 0], [2, 2, 0]]
    with pytest.raises(widephase.Error, match="triangle is 16"):
        fields.triangle(0, 16)


def test_arrays_are_read_in_place_by_every_call():
    scene = widephase.Scene(3, "float32")
    heights = numpy.zeros(4, numpy.float32)
    scene.heightfield_geometries.set(
        heights=heights, offsets=[0, 4], columns=[2], cell=[[1, 1]], neighbours=[[-1, -1, -1, -1]]
    )
    scene.heightfields.set(center=[[0, 0, 0]], orientation=[[0, 0, 0, 1]], geometry=0)
    assert scene.heightfield_geometries.heights is heights
    assert scene.validate() == []
    heights[2] = numpy.inf
    assert scene.validate() == [
        ("heightfields.heights", 2, "heightfields.heights[2] is inf; a height must be a finite number, or NaN for a hole")
    ]
    with pytest.raises(widephase.Error, match="is inf"):
        widephase.collide(scene)
    heights[2] = 0
    # A field that is added is copied behind them, without neighbours.
    scene.heightfield_geometries.add(numpy.ones((2, 3)), (1, 1))
    assert scene.heightfield_geometries.neighbours.tolist() == [[-1] * 4, [-1] * 4]
    assert scene.validate() == []
    scene.heightfield_geometries.set()
    assert len(scene.heightfield_geometries) == 0
    assert scene.validate()[0][0] == "heightfield.geometry"


def test_what_is_wrong_is_said_and_changes_nothing():
    scene = hill_scene()
    fields = scene.heightfield_geometries
    for heights, cell, text in [
        (numpy.zeros(4), 1, "heights is not an array of rows"),
        (numpy.zeros((1, 4)), 1, "heights has 4 samples"),
        (numpy.zeros((4, 1)), 1, "columns is 1"),
        (numpy.full((2, 2), numpy.inf), 1, "heights\\[0\\] is inf"),
        (numpy.zeros((2, 2)), (1, 0), "cell_y is 0"),
    ]:
        with pytest.raises(widephase.Error, match=text):
            fields.add(heights, cell)
    with pytest.raises(widephase.Error, match="heightfields.cell is missing"):
        fields.set(heights=[0, 0, 0, 0], offsets=[0, 4], columns=[2])
    with pytest.raises(TypeError):
        fields.set(height=[0, 0, 0, 0])
    assert len(fields) == 1 and scene.validate() == []
    with pytest.raises(AttributeError, match="2D scene"):
        widephase.Scene(2).heightfield_geometries


@pytest.mark.parametrize(
    "change, text",
    [
        ({"columns": [4, 1]}, "heightfields.columns[1] is 1; a field has 2 columns or more"),
        (
            {"columns": [12, 2]},
            "heightfields.offsets[0] begins field 0, which has 1 row; a field has 2 rows or more",
        ),
        (
            {"columns": [5, 2]},
            "heightfields.offsets[0] begins field 0, which has 12 samples, but rows of 5; it must "
            "have whole rows",
        ),
        (
            {"offsets": [0, 12, 17]},
            "heightfields.offsets[2] is 17; the last offset must be the count of heights, 16",
        ),
        (
            {"offsets": [1, 12, 16]},
            "heightfields.offsets[0] is 1; the first geometry begins at 0",
        ),
        (
            {"cell": [[1, 1], [-1, 1]]},
            "heightfields.cell[1] is -1 along x; a cell's sizes must be finite numbers > 0",
        ),
        (
            {"heights": [0] * 13 + [numpy.inf] + [0] * 2},
            "heightfields.heights[13] is inf; a height must be a finite number, or NaN for a hole",
        ),
        (
            {"neighbours": [[-1] * 4, [-1, -1, 7, -1]]},
            "heightfields.neighbours[1] names field 7 at -y; the scene has 2 fields, counted from "
            "0, and -1 means none",
        ),
        (
            {"neighbours": [[1, -1, -1, -1], [-1] * 4]},
            "heightfields.neighbours[0] names field 1 at -x, whose border has 2 samples where this "
            "one's has 3; neighbours share the samples of a border",
        ),
    ],
)
def test_a_wrong_field_is_named_by_array_and_row(change, text):
    arrays = {
        "heights": [0] * 16,
        "offsets": [0, 12, 16],
        "columns": [4, 2],
        "cell": [[1, 1], [1, 1]],
    }
    scene = hill_scene()
    scene.heightfield_geometries.set(**(arrays | change))
    (array, row, message), *_ = scene.validate()
    assert message == text and text.startswith(f"{array}[{row}] ")
    with pytest.raises(widephase.Error) as error:
        widephase.collide(scene)
    assert str(error.value).endswith(text)


def test_scenes_with_fields_are_saved_copied_and_joined(tmp_path):
    scene = hill_scene()
    scene.save(tmp_path / "hill.npz")
    loaded = widephase.load(tmp_path / "hill.npz")
    for other in (loaded, copy.deepcopy(scene), pickle.loads(pickle.dumps(scene))):
        fields = other.heightfield_geometries
        numpy.testing.assert_array_equal(fields.heights, scene.heightfield_geometries.heights)
        assert fields.columns.tolist() == [4] and other.validate() == []
    loaded.extend(scene)
    assert loaded.heightfields.geometry.tolist() == [0, 1]
    assert loaded.heightfield_geometries.columns.tolist() == [4, 4] and loaded.validate() == []


def test_fields_in_float64_make_the_scene_wide():
    scene = widephase.Scene(3)
    scene.heightfield_geometries.set(
        heights=numpy.zeros(4), offsets=[0, 4], columns=[2], cell=[[1, 1]]
    )
    assert scene.precision == "double"
    assert hill_scene("float64").heightfield_geometries.triangle(0, 0).dtype == numpy.float64
