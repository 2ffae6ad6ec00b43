"""The Python lines of the README and of some pages run, and what they say in comments is so."""

import inspect
import os
import re
from pathlib import Path

import pytest

import widephase

README = Path(os.environ["WIDEPHASE_README"])


@pytest.mark.parametrize("page", ["README.md", "docs/quick_start.md", "docs/from_mujoco.md", "docs/from_pybullet.md", "docs/from_scipy.md", "docs/questions.md"])
def test_the_lines_of_a_page(page, tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```$", (README.parent / page).read_text(), re.S | re.M)
    assert len(blocks) >= 1
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        capsys.readouterr()
        exec(compile(block, page, "exec"), names)
        printed = capsys.readouterr().out.splitlines()
        promised = re.findall(r"^print\(.*?\)  +# (.*)$", block, re.M)
        assert printed == promised


def test_the_page_of_the_module_has_every_function_and_runs(tmp_path, monkeypatch):
    page = (README.parent / "docs/python.md").read_text()
    blocks = "".join(re.findall(r"^```python\n(.*?)^```$", page, re.S | re.M))
    functions = {name for name in widephase.__all__ if inspect.isroutine(getattr(widephase, name))} - {"wxyz"}
    # These are named in comments, beside what is like them.
    alike = {"scale", "rotate"}
    missing = {name for name in functions - alike if f"widephase.{name}(" not in blocks}
    assert not missing and all(re.search(rf"#.*\b{name}\b", blocks) for name in alike)
    monkeypatch.chdir(tmp_path)
    exec(compile(blocks, "docs/python.md", "exec"), {})
