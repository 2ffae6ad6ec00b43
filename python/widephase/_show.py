"""What people look at: the page of a scene, and tables in notebooks."""

import html
import os
import subprocess
import tempfile
import webbrowser
from pathlib import Path

from . import _widephase
from ._command import command


def view(self, path=None, *, contacts=None, margin=0.0, world=None, show=True):
    """Writes a page that shows the scene and its contacts, and opens it in the browser. Returns its path.

      path: the page, .html; without it one in a temporary folder, which stays
      contacts: Contacts to show; without them those of collide are found
      margin: contacts that are found here are shown up to this distance apart
      world: only this one; None: all, one at a time
      show: whether to open the page

    The page is made by the command `widephase`. A build without pages (WIDEPHASE_WEB=OFF) raises Error.
    """
    program = command()
    if program is None:
        raise _widephase.Error("the page is made by the command widephase, which is not installed beside this "
                               "module")
    if contacts is not None and margin != 0:
        raise _widephase.Error("margin is for contacts that are found here; leave it or contacts out")
    if path is None:
        path = Path(tempfile.mkdtemp(prefix="widephase-")) / "scene.html"
    path = Path(os.fsdecode(path)).absolute()
    with tempfile.TemporaryDirectory() as folder:
        scene = os.path.join(folder, "scene.npz")
        self.save(scene)
        words = [program, "view", scene, "-o", os.fspath(path)]
        if contacts is not None:
            words.insert(3, os.path.join(folder, "contacts.npz"))
            contacts.save(words[3])
        if margin != 0:
            words += ["--margin", repr(float(margin))]
        if world is not None:
            words += ["--world", str(int(world))]
        done = subprocess.run(words, capture_output=True, text=True, errors="replace")
    if done.returncode != 0:
        said = done.stderr.strip().replace(folder + os.sep, "")
        if "WIDEPHASE_WEB" in said:
            said = ("this build has no pages; configure with -DWIDEPHASE_WEB=ON after scripts/setup, which fetches "
                    "what they are bundled of")
        raise _widephase.Error(said or f"{program} ended with {done.returncode}")
    if show:
        webbrowser.open(path.as_uri())
    return path


def table_html(caption, head, rows):
    cells = "".join(f"<th>{html.escape(str(cell))}</th>" for cell in head)
    body = "".join("<tr>" + "".join(f"<td>{html.escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><caption>{html.escape(caption)}</caption><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def tables_of(scene):
    for name in dir(type(scene)):
        try:
            table = getattr(scene, name)
        except AttributeError:
            continue  # of the other dimension
        if isinstance(table, _widephase.Table) and len(table) > 0:
            yield name, table


def scene_html(self):
    """A table of what is in the scene."""
    rows = [(name, len(table), ", ".join(column for column in table.columns if getattr(table, column) is not None))
            for name, table in tables_of(self)]
    return table_html(repr(self).strip("<>"), ("table", "rows", "columns"), rows)


SHOWN_ROWS = 10


def table_rows_html(self):
    """The first rows of the table."""
    columns = [column for column in self.columns if getattr(self, column) is not None]
    arrays = [getattr(self, column) for column in columns]
    arrays = [array.rows if isinstance(array, _widephase.wxyz) else array for array in arrays]
    shown = min(len(self), SHOWN_ROWS)
    rows = [(row, *(array[row] for array in arrays)) for row in range(shown)]
    if len(self) > shown:
        rows.append(("...", *("" for _ in columns)))
    return table_html(f"{self.kind}, {len(self)} rows", ("row", *columns), rows)


def contacts_html(self):
    """The first contacts."""
    shown = min(len(self), SHOWN_ROWS)
    rows = [(row, self.pair[row], self.normal[row], self.depth[row], self.offset[row + 1] - self.offset[row])
            for row in range(shown)]
    if len(self) > shown:
        rows.append(("...", "", "", "", ""))
    return table_html(repr(self).strip("<>"), ("contact", "pair", "normal", "depth", "points"), rows)


def add_to(scene, table, contacts):
    """Gives the classes of the module their methods that are written in Python."""
    scene.view = view
    scene._repr_html_ = scene_html
    table._repr_html_ = table_rows_html
    contacts._repr_html_ = contacts_html
