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
    text = getattr(widephase, name).__doc__
    assert len(text.splitlines()) >= 3
    signature = text.splitlines()[0]
    if ": " in signature or not positional:  # pybind11's, with types
        assert re.findall(r"(\w+): ", signature) == positional + options
        return
    # What it says of an option that it does not have lists those that it has.
    scene = widephase.Scene(dimension=3)
    rest = [[[0, 1]], [[0, 0, 1]]][:len(positional) - 1]
    with pytest.raises(TypeError) as caught:
        getattr(widephase, name)(scene, *rest, no_such_option=1)
    assert set(str(caught.value).partition("there are ")[2].split(", ")) == set(options)
    # Its docstring has their defaults as the stub has.
    written = re.match(rf"{name}\((.*?)\)\s+->", text, re.S)[1]
    assert written.startswith(", ".join(positional) + ", *,")
    defaults = dict(re.findall(r"(\w+)=('\w+'|[\w.]+)", written))
    assert defaults == {argument.arg: repr(ast.literal_eval(default))
                        for argument, default in zip(stub.kwonlyargs, stub.kw_defaults)}


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
