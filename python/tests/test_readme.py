"""The Python lines of the README and of some pages run, and what they say in comments is so."""

import os
import re
from pathlib import Path

import pytest

README = Path(os.environ["WIDEPHASE_README"])


@pytest.mark.parametrize("page", ["README.md", "docs/quick_start.md", "docs/from_mujoco.md", "docs/from_pybullet.md", "docs/from_scipy.md"])
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
