"""The README's Python lines run, and what they say in comments is so."""

import os
import re
from pathlib import Path

README = Path(os.environ["WIDEPHASE_README"]).read_text()


def test_the_lines_of_the_readme(tmp_path, monkeypatch, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.S | re.M)
    assert len(blocks) >= 2
    monkeypatch.chdir(tmp_path)
    names = {}
    for block in blocks:
        capsys.readouterr()
        exec(compile(block, "README.md", "exec"), names)
        printed = capsys.readouterr().out.splitlines()
        promised = re.findall(r"^print\(.*?\)  +# (.*)$", block, re.M)
        assert printed == promised
