"""The annotations name what the module has, no more and no less."""

import ast
import inspect
import re
from pathlib import Path

import pytest

import widephase

STUB = ast.parse((Path(widephase.__file__).parent / "__init__.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}


def names_in(node):
    """The attributes and methods that a class of the stub has."""
    for child in node.body:
        if isinstance(child, ast.FunctionDef):
            yield child.name
        elif isinstance(child, ast.AnnAssign):
            yield child.target.id


def test_names():
    assert set(CLASSES) | set(FUNCTIONS) == set(widephase.__all__)
    public = {name for name in vars(widephase) if not name.startswith("_")}
    assert public == set(widephase.__all__)
    assert re.fullmatch(r"\d+\.\d+\.\d+", widephase.__version__)
    assert widephase.chosen_isa() in widephase.isas()


@pytest.mark.parametrize("name", sorted(CLASSES))
def test_members(name):
    stub = set(names_in(CLASSES[name]))
    cls = getattr(widephase, name)
    if issubclass(cls, Exception):
        return  # attributes of instances: test_input reads them
    if issubclass(cls, tuple):
        assert stub == set(cls._fields) and cls.__doc__
        return
    own = {member for member in vars(cls) if not member.startswith("_")}
    assert {member for member in stub if not member.startswith("_")} == own
    assert {"__len__"} & stub == {"__len__"} & set(vars(cls))
    for member in own:
        assert getattr(cls, member).__doc__, f"{name}.{member} has no docstring"
    assert cls.__doc__


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_parameters(name):
    stub = FUNCTIONS[name].args
    positional = [argument.arg for argument in stub.args]
    options = [argument.arg for argument in stub.kwonlyargs]
    function = getattr(widephase, name)
    assert len(function.__doc__.splitlines()) >= 1 and function.__module__.startswith("widephase")
    parameters = inspect.signature(function).parameters.values()
    assert [parameter.name for parameter in parameters][:len(positional)] == positional
    assert {parameter.name for parameter in parameters if parameter.kind == parameter.KEYWORD_ONLY} == set(options)
    # Their defaults are the stub's.
    defaults = dict(zip(positional[len(positional) - len(stub.defaults):], stub.defaults))
    defaults.update(zip(options, stub.kw_defaults))
    assert {parameter.name: parameter.default for parameter in parameters
            if parameter.default is not parameter.empty} == {
        argument: ast.literal_eval(default) for argument, default in defaults.items()}
    if "workspace" not in options:
        return
    # What it says of an option that it does not have lists those that it has.
    scene = widephase.Scene(dimension=3)
    rest = {"pairs": [[0, 1]], "ids": [0], "direction": [[0, 0, 1]], "origin": [[0, 0, 0]], "take": print,
            "points": [[0, 0, 0]], "k": 1, "max_distance": None, "kept": widephase.StaticScene(scene)}
    asked = widephase.StaticScene(scene) if positional[0] == "kept" else scene
    with pytest.raises(TypeError) as caught:
        function(asked, *(rest[argument] for argument in positional[1:]), no_such_option=1)
    assert set(str(caught.value).partition("there are ")[2].split(", ")) == set(options)


METHODS = [(cls, node) for cls in sorted(CLASSES) for node in CLASSES[cls].body
           if isinstance(node, ast.FunctionDef) and not node.decorator_list
           and not node.name.startswith("_")]


@pytest.mark.parametrize("cls, node", METHODS, ids=[f"{cls}.{node.name}" for cls, node in METHODS])
def test_methods_have_signatures(cls, node):
    parameters = inspect.signature(getattr(getattr(widephase, cls), node.name)).parameters
    if "kwargs" in parameters:  # columns and filters by name
        options = [argument.arg for argument in node.args.kwonlyargs]
        if cls != "StaticScene":
            assert len(options) > 5
            return
        scene = widephase.Scene(dimension=3)
        with pytest.raises(TypeError) as caught:
            arguments = [scene, []][:len(node.args.args) - 1]
            getattr(widephase.StaticScene(scene), node.name)(*arguments, no_such_option=1)
        assert set(str(caught.value).partition("there are ")[2].split(", ")) == set(options)
        return
    assert list(parameters) == [argument.arg for argument in node.args.args + node.args.kwonlyargs]


@pytest.mark.parametrize("name", ["Scene", "Geometries", "StaticScene", "wxyz"])
def test_classes_have_signatures(name):
    stub = next(node for node in CLASSES[name].body if getattr(node, "name", "") == "__init__").args
    parameters = inspect.signature(getattr(widephase, name)).parameters
    assert list(parameters) == [argument.arg for argument in stub.args[1:] + stub.kwonlyargs]


def test_static_scene_has_the_options_of_its_docstring():
    stub = next(node for node in CLASSES["StaticScene"].body if node.name == "__init__").args
    written = str(inspect.signature(widephase.StaticScene))
    defaults = {argument.arg: repr(ast.literal_eval(default))
                for argument, default in zip(stub.kwonlyargs, stub.kw_defaults)}
    assert defaults == dict(re.findall(r"(\w+)=('\w+'|[\w.]+)", written))


@pytest.mark.parametrize("alias, option", [("Order", "order"), ("Method", "method")])
def test_words(alias, option):
    """The words that an annotation allows are those of the option."""
    node = next(node for node in STUB.body if isinstance(node, ast.Assign) and node.targets[0].id == alias)
    words = [word.value for word in node.value.slice.elts]
    said = re.search(rf"^  {option}: .*\((.*)\)$", widephase.collide.__doc__, re.M)[1]
    assert words == said.split(", ")
    scene = widephase.Scene(dimension=2)
    for word in words:
        widephase.collide(scene, **{option: word})


def test_options_mean_the_same_everywhere():
    """Each function has the options of the calls that it makes, as options.hpp lists them."""
    has = {name: {argument.arg for argument in node.args.kwonlyargs} for name, node in FUNCTIONS.items()}
    alone = {"threads", "isa", "workspace"}
    everywhere = alone | {"kept"}
    worlds = {"world_mask", "world_status"}
    contacts = {"margin", "method"} | worlds | everywhere
    patches = {"most_patches", "patch_angle", "flush_tolerance"}
    stored = contacts | patches | {"order", "max_contacts", "max_points", "steadiness", "tracker"}
    assert has["collide_pairs"] == stored
    assert has["collide"] == stored | {"max_pairs", "keeps_order", "moving_pairs"}
    assert has["test_pairs"] == contacts
    assert has["stream_collide"] == contacts | patches | {"max_pairs", "keeps_order", "moving_pairs"}
    assert has["any_contact"] == contacts | {"max_pairs", "keeps_order", "moving_pairs"}
    own = {"max_pairs", "flush_tolerance", "keeps_order", "moving_pairs"}
    assert has["find_pairs"] == {"margin"} | own | worlds | everywhere
    assert has["bounds"] == {"margin", "flush_tolerance"} | worlds | alone
    assert has["distance"] == {"method"} | everywhere
    assert has["min_distance"] == {"method", "moving_pairs"} | worlds | everywhere
    assert has["support"] == everywhere


@pytest.mark.parametrize("name", ["Contacts", "Distances", "Support", "Ended", "Tracker"])
def test_columns_of_answers(name):
    """An annotation has the type that the column's docstring says."""
    for node in CLASSES[name].body:
        text = getattr(getattr(widephase, name), node.name).__doc__ or ""
        integers = re.match(r"\([^)]*\) (u?int\d+|bool|str):", text)
        if not text.startswith("("):
            continue
        scalar = integers and (integers[1] + "_" if integers[1] in ("bool", "str") else integers[1])
        wanted = f"NDArray[numpy.{scalar}]" if integers else "Array"
        if "or None" in text:
            wanted = f"Optional[{wanted}]"
        assert ast.unparse(node.returns) == wanted, f"{name}.{node.name}: {text}"


def test_columns():
    """`Table.set` and the attributes of `Table` are the columns of all kinds."""
    methods = {node.name: node for node in CLASSES["Table"].body if isinstance(node, ast.FunctionDef)}
    keywords = {argument.arg for argument in methods["set"].args.kwonlyargs}
    columns = set()
    for dimension in (2, 3):
        scene = widephase.Scene(dimension)
        for name, member in inspect.getmembers(widephase.Scene, inspect.isdatadescriptor):
            if hasattr(scene, name) and isinstance(getattr(scene, name), widephase.Table):
                columns |= set(getattr(scene, name).columns)
    assert keywords == columns
