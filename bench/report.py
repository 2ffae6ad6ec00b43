"""Tables and plots of what the benchmarks measured: report.py ROWS OUT [COMPILER]

ROWS is a folder of Google Benchmark's JSON files, one a program, and of roofline.txt, a kernel a line;
OUT/<machine>.json gets all rows, OUT/<machine>.md the tables, OUT/<machine>-*.svg the plots. COMPILER is
what they were compiled by, in words. Called by scripts/bench.
"""

import json
import pathlib
import re
import subprocess
import sys

from plots import number, plot_bars, plot_lines


def read_rows(folder):
    """{program: [row]} and {program: what it says of the machine and its build}; a row has a name without its suffixes."""
    programs, contexts = {}, {}
    for path in sorted(folder.glob("*.json")):
        text = path.read_text()
        if not text.strip():
            continue
        content = json.loads(text)
        if "context" in content:
            contexts[path.stem] = content["context"]
        rows = []
        for row in content["benchmarks"]:
            if row.get("run_type") == "aggregate" or row.get("error_occurred"):
                continue
            row["name"] = re.sub(r"/(real_time|manual_time|iterations:\d+)", "", row["name"])
            rows.append(row)
        programs[path.stem] = rows
    if not contexts:
        sys.exit(f"{folder} has no rows: run scripts/bench")
    return programs, contexts


def peers_found(contexts):
    """[{peer, version, flags, build_type, programs}] of the adapters that the programs loaded."""
    found = {}
    for program, context in contexts.items():
        for key, version in context.items():
            match = re.fullmatch(r"peer/(broad_)?(.+)/version", key)
            if match:
                flags = context[key.replace("/version", "/flags")]
                found.setdefault((match[2], version, flags, context["build_type"]), []).append(program)
    names = ("peer", "version", "flags", "build_type", "programs")
    return [dict(zip(names, (*build, programs))) for build, programs in sorted(found.items())]


def peer_builds(peers):
    if not peers:
        return ""
    lines = [
        [peer["peer"], peer["version"], peer["build_type"], f"`{peer['flags']}`", ", ".join(peer["programs"])]
        for peer in peers
    ]
    return (
        "## Peers\n\nThe version that each peer says it has, and how our adapter of it was compiled: the type of the "
        "build, and all options but those of warnings and what all adapters have, C++20 and position-independent code. "
        "Who packaged a peer compiled its own library.\n\n"
        + table(["peer", "version", "build", "options", "asked by"], lines)
    )


def processor():
    """The processor's name; virtual ones of several generations share one, so its family too."""
    told = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        name, colon, value = line.partition(":")
        if colon:
            told.setdefault(name.strip(), value.strip())
    name = told.get("model name", "unknown processor")
    return f"{name}, family {told['cpu family']}" if "cpu family" in told else name


def fastest(value, least):
    return f"**{number(value)}**" if value == least else number(value)


def share(value):
    if value == 0:
        return "0"
    return f"{100 * value:.0f}%" if value >= 0.1 else f"{100 * value:.2g}%"


def table(head, lines):
    text = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    text += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(text) + "\n"


def group_rows(rows, pattern):
    """{all fields of the name but `who`: {who: row}} of the rows whose names match."""
    groups = {}
    for row in rows:
        match = re.fullmatch(pattern, row["name"])
        if match:
            fields = match.groupdict()
            who = fields.pop("who")
            groups.setdefault(tuple(fields.values()), {})[who] = row
    return groups


def column_names(groups):
    names = dict.fromkeys(who for group in groups.values() for who in group)
    return sorted(names, key=lambda who: who != "widephase")


QUESTIONS = {
    "manifold": "normal, depth and all points",
    "deepest": "normal, depth and the deepest point",
    "overlap": "yes or no",
    "distance": "of shapes that are apart",
}


def in_brackets(row, all_pairs):
    """Of a peer's row: how much of it is off ours, and how many pairs it was timed on where not on all."""
    shares = [share(row[part]) for part in ("off", "differs") if part in row]
    if not shares:
        return ""
    fewer = f"; {row['pairs']:,.0f} pairs" if row["pairs"] < all_pairs else ""
    return f" ({', '.join(shares)}{fewer})"


def peer_tables(dimension, groups, names, out_of):
    """A table and a plot a question of groups {(kinds, list, question): {who: row}}."""
    parts = []
    for question, words in QUESTIONS.items():
        asked = {(kinds, pairs): group for (kinds, pairs, what), group in groups.items() if what == question}
        if not asked:
            continue
        there = [who for who in names if any(who in group for group in asked.values())]
        lines = []
        for (kinds, pairs), group in asked.items():
            least = min(row["ns_pair"] for row in group.values())
            count = max(row["pairs"] for row in group.values())
            cells = [fastest(group[who]["ns_pair"], least) + in_brackets(group[who], count) if who in group else ""
                     for who in there]
            lines.append([kinds.replace("_", "–"), pairs, f"{count:,.0f}"] + cells)
        head = ["pair", "list", "pairs"] + there
        parts.append(f"### {question.capitalize()} in {dimension}D: {words}\n\n" + table(head, lines))
        plotted = "apart" if question == "distance" else "sorted"
        bars = [
            (kinds.replace("_", "–"), [(who, group[who]["ns_pair"]) for who in there if who in group])
            for (kinds, pairs), group in asked.items()
            if pairs == plotted
        ]
        if bars:
            out_of(question, bars)
    return "\n".join(parts)


WRONG = (
    "the least of a row is bold. In brackets the share of answers whose depth or distance is off ours by more "
    "than 0.001 of shapes of size 1, and the share of pairs of which one says yes and the other no; then how many of "
    "the pairs were timed, where not all.\n\n"
)


def pairs_beside_peers(dimension, rows, out):
    groups = group_rows(
        rows,
        rf"peers{dimension}/(?P<kinds>[^/]+)/(?P<list>[^/]+)/(?P<what>manifold|deepest|overlap|distance)/(?P<who>.+)",
    )
    if not groups:
        return ""
    titles = {
        "manifold": ("pairs", f"Pairs in {dimension}D with manifold"),
        "deepest": ("deepest", f"Pairs in {dimension}D with the deepest point"),
        "distance": ("distances", f"Distances in {dimension}D"),
    }

    def plot(question, bars):
        if question in titles:
            name, title = titles[question]
            plot_bars(out(name + ("2" if dimension == 2 else "")), f"{title}, one thread", "ns a pair", bars)

    return (
        f"## Pairs in {dimension}D beside peers\n\nNanoseconds a pair, one thread, the same 65,536 pairs, of who takes "
        "long the first 8,192; " + WRONG + peer_tables(dimension, groups, column_names(groups), plot)
    )


def broad_phases(rows, out):
    groups = group_rows(rows, r"broad/(?P<scene>[^/]+)/(?P<who>[^/]+)/(?P<count>\d+)")
    if not groups:
        return ""
    names = column_names(groups)
    lines = []
    for (scene, count), group in groups.items():
        least = min(row["ns_box"] for row in group.values())
        cells = []
        for who in names:
            row = group.get(who)
            cell = fastest(row["ns_box"], least) if row else ""
            if row and row.get("differ"):
                cell += f" ({row['differ']:.0f})"
            cells.append(cell)
        lines.append([scene, f"{int(count):,}"] + cells)
    series = {}
    for (scene, count), group in groups.items():
        if scene == "uniform":
            for who in names:
                if who in group:
                    series.setdefault(who, []).append((int(count), group[who]["ns_box"]))
    if any(len(points) > 1 for points in series.values()):
        series = {who: sorted(points) for who, points in series.items()}
        plot_lines(out("broad"), "All pairs of n uniform boxes, one thread: ns a box", "boxes", series)
    return (
        "## Broad phase beside peers\n\nAll overlapping pairs of boxes in random order from scratch, nanoseconds "
        "a box, one thread; the least of a row is bold. In brackets the number of pairs that one of us has and the "
        "other has not, where there are any.\n\n" + table(["scene", "boxes"] + names, lines)
    )


# One of each type out of sixty kinds of pairs; the table has all.
SHOWN_BY_SET = {
    "sphere_sphere", "capsule_capsule", "sphere_box", "capsule_box", "box_box", "sphere_hull", "box_hull", "hull_hull",
    "hull_cylinder", "cylinder_cylinder", "ellipsoid_ellipsoid", "cone_cone", "circle_circle2", "box_box2",
    "polygon_polygon2",
}


def instruction_sets(rows, out):
    groups = group_rows(
        rows, r"pairs(?P<real>_double)?/(?P<kinds>[^/]+)/(?P<who>[^/]+)/(?P<list>[^/]+)/65536(?P<way>/.+)?"
    )
    groups = {key: group for key, group in groups.items() if len(group) > 1}
    if not groups:
        return ""
    # The plain loop only has one row.
    names = sorted(column_names(groups), key=lambda who: who == "scalar_loop")
    lines, bars = [], []
    for (real, kinds, pairs, way), group in groups.items():
        label = kinds.replace("_", "–") + (", double" if real else "")
        asked = pairs + (way or "").replace("/", ", ")
        lines.append([label, asked] + [number(group[who]["ns_pair"]) if who in group else "" for who in names])
        if kinds in SHOWN_BY_SET and "scalar" in group and asked == "sorted" and not real:
            scalar = group["scalar"]["ns_pair"]
            sets = [who for who in names if who in group and not who.startswith("scalar")]
            bars.append((label, [(who, scalar / group[who]["ns_pair"]) for who in sets]))
    if bars:
        title = "Pairs by instruction set, one thread: times as fast as the scalar batch"
        plot_bars(out("sets"), title, "times", bars, is_linear=True)
    return "## Instruction sets\n\nNanoseconds a pair, one thread.\n\n" + table(["pair", "list"] + names, lines)


def other_ways(rows):
    """The rows of pairs_bench that end in a question or a method."""
    ways = {
        "test": "yes or no", "gjk_epa": "GJK, EPA", "gjk_epa/distance": "distance by GJK", "distance": "distance",
        "warm": "warm", "gjk_epa/warm": "GJK, EPA, warm",
    }
    groups = {}
    for row in rows:
        match = re.fullmatch(r"pairs(_double)?/([^/]+)/([^/]+)/([^/]+)/65536/(.+)", row["name"])
        if match and match[5] in ways:
            label = match[2].replace("_", "–") + (", double" if match[1] else "")
            groups.setdefault((label, match[3]), {})[match[5], match[4]] = row
    columns = dict.fromkeys(column for group in groups.values() for column in group)
    there = sorted(columns, key=lambda column: list(ways).index(column[0]))
    lines = [
        list(key) + [number(group[way]["ns_pair"]) if way in group else "" for way in there]
        for key, group in groups.items()
    ]
    if not lines:
        return ""
    head = ["pair", "set"] + [f"{ways[way]}, {pairs}" for way, pairs in there]
    return (
        "## Other questions and ways\n\nNanoseconds a pair, one thread. Yes or no and distances read the scene anew "
        "in every call.\n\n" + table(head, lines)
    )


def aims(programs):
    lines = []
    for rows in programs.values():
        for row in rows:
            if "to_aim" not in row:
                continue
            value = next((row[key] for key in ("ns_pair", "ns_shape", "best_ns_a_box") if key in row), None)
            lines.append([row["name"], number(value), f"{row['to_aim']:.2f}"])
    if not lines:
        return ""
    return "## Against what we aimed at\n\n" + table(["row", "ns", "over the aim"], lines)


def threads(programs, out):
    lines, bars = [], []
    for program, key in (("find_pairs_bench", "time_a_box"), ("collide_bench", "ns_shape")):
        groups = group_rows(programs.get(program, []), r"(?P<row>.+)/(?P<who>[12])")
        for (name,), group in groups.items():
            if len(group) < 2 or any(key not in row for row in group.values()):
                continue
            scale = 1e9 if key == "time_a_box" else 1
            one, two = (group[who][key] * scale for who in "12")
            lines.append([name, number(one), number(two), f"{one / two:.2f}"])
            label = re.sub("<[^>]*>", "", name).replace("/", " ")
            bars.append((label, [("two threads over one", one / two)]))
    if not lines:
        return ""
    plot_bars(out("threads"), "Two threads against one", "times", bars, is_linear=True)
    return "## Threads\n\nNanoseconds a body.\n\n" + table(["row", "one thread", "two", "times"], lines)


def pipelines(programs, out):
    """Whole pipelines by the number of bodies: peers' in small scenes, ours in large ones."""
    groups = group_rows(
        programs.get("peers_bench", []) + programs.get("peers2_bench", []),
        r"peers(?P<d>2?)/(?P<scene>scene|boxes)/(?P<who>[^/]+)/(?P<count>\d+)",
    )
    names = column_names(groups)
    series, lines = {}, []
    for (d, scene, count), group in groups.items():
        least = min(row["ns_unit"] for row in group.values())
        times = [fastest(group[who]["ns_unit"], least) if who in group else "" for who in names]
        what = "circles (2D)" if d else "spheres" if scene == "scene" else scene
        lines.append([what, f"{int(count):,}"] + times)
        for who, row in group.items():
            if what == "spheres":
                series.setdefault(who, []).append((int(count), row["ns_unit"]))
    if series:
        title = "Moving spheres to contacts, a step, one thread: ns a body"
        plot_lines(out("bodies"), title, "bodies", series)
    grown = {}
    for row in programs.get("scaling_bench", []):
        if "predicted" in row:
            _, scene, count = row["name"].split("/")
            grown.setdefault(scene, []).append((int(count), row["measured"]))
    if any(len(points) > 1 for points in grown.values()):
        plot_lines(out("growth"), "All stages of widephase, one thread: ns a body", "bodies", grown)
    if not lines:
        return ""
    return (
        "## Whole pipelines beside peers\n\nA step of bodies in random order that move a little, to contacts: "
        "nanoseconds a body, one thread; the least of a row is bold. Everybody has taken steps before and keeps "
        "what it keeps.\n\n" + table(["scene", "bodies"] + names, lines)
    )


def steps_of_pairs(rows):
    groups = group_rows(
        rows, r"step_(?P<who>sorted_anew|order_kept)<(?P<of>[^>]+)>/(?P<scene>[^/]+)/(?P<count>\d+)/(?P<threads>\d+)"
    )
    lines = []
    for (of, scene, count, threads), group in groups.items():
        line = [scene, of, f"{int(count):,}", threads]
        for who in ("sorted_anew", "order_kept"):
            row = group.get(who)
            line += [number(row["time_a_box"] * 1e9), number(row["worst_ns_a_box"])] if row else ["", ""]
        lines.append(line)
    if not lines:
        return ""
    head = ["scene", "of", "boxes", "threads", "sorted anew", "the worst", "order kept", "the worst"]
    return (
        "## All pairs step after step\n\nNanoseconds a box, the mean of all steps and the worst, of boxes that "
        "move by a hundredth of their distance.\n\n" + table(head, lines)
    )


def collide_tables(rows):
    """What else collide_bench measured: a table a kind of row."""
    kinds = [
        (r"restricted/(?P<what>[^/]+)/(?P<count>\d+)", "A filter or a periodic domain",
         "Spheres under a filter that nearly all pairs pass, or in a periodic domain, beside the same as they are, "
         "in turns; nanoseconds a body, one thread.",
         [("with it", "ns_shape"), ("as they are", "of_plain"), ("times", "ratio")]),
        (r"static/(?P<what>[^/]+)/(?P<count>\d+x\d+)/(?P<threads>\d+)", "Moving against static",
         "Boxes kept and boxes that move among them; nanoseconds a moving box, milliseconds to build.",
         [("ns", "ns_moving"), ("bounds and pairs", "broad"), ("contacts", "narrow"), ("build, ms", "build_ms")]),
        (r"worlds/(?P<what>[^/]+/[^/]+)/(?P<count>\d+x\d+)/(?P<threads>\d+)", "Many worlds in one call",
         "Worlds by bodies of each; nanoseconds a world.", [("ns a world", "ns_world"), ("pairs a world", "pairs")]),
        (r"step/(?P<what>[^/]+)/(?P<count>\d+)/(?P<threads>\d+)", "Steps with a tracker",
         "Nanoseconds a body of a whole step, of these for the tracker, what that adds to the step without it, and "
         "the share of points that were there before.",
         [("step", "ns_shape"), ("tracker", "track"), ("adds", "track_share"), ("kept", "kept")]),
        (r"far/(?P<what>[^/]+)/(?P<count>\d+)/(?P<threads>\d+)", "Far from the origin",
         "Positions in double, 1e6 away, beside the same in float at the origin; nanoseconds a body.",
         [("far", "ns_shape"), ("near", "of_plain"), ("times", "ratio")]),
    ]
    parts = []
    for pattern, title, words, columns in kinds:
        lines, fields = [], []
        for row in rows:
            match = re.fullmatch(pattern, row["name"])
            if not match:
                continue
            fields = list(match.groupdict())
            cells = [share(row[key]) if key in ("track_share", "kept") else number(row[key]) for _, key in columns]
            lines.append([field.replace("_", " ") for field in match.groups()] + cells)
        if lines:
            head = ["bodies" if field == "count" else field for field in fields] + [name for name, _ in columns]
            parts.append(f"## {title}\n\n{words}\n\n" + table(head, lines))
    return "\n".join(parts)


def scenes(rows):
    groups = group_rows(rows, r"scene/(?P<scene>[a-z_]+)(?P<dimension>[23])/(?P<count>\d+)/(?P<who>\w+)")
    lines = []
    for (scene, dimension, count), group in groups.items():
        one, two, wide = (group[who] for who in ("one", "two", "wide"))
        total, by_two, in_double = (row["broad_ns"] + row["narrow_ns"] for row in (one, two, wide))
        name = f"{scene} (2D)" if dimension == "2" else scene
        lines.append(
            [name, f"{int(count):,}", f"{one['pairs']:.2f}; {one['contacts']:.2f}"]
            + [number(one["broad_ns"]), number(one["narrow_ns"])]
            + [f"{total / by_two:.2f}", f"{in_double / total:.2f}"]
        )
    if not lines:
        return ""
    head = ["scene", "bodies", "pairs; contacts a body", "bounds and pairs", "contacts", "two threads"]
    return (
        "## Scenes\n\nThe scenes of `widephase generate`, by `widephase collide` on one thread, nanoseconds a body; "
        "how many times faster two threads are, and how many times as long positions in double take.\n\n"
        + table(head + ["positions in double"], lines)
    )


def accuracy(rows, out):
    """Tables and a plot of wrong answers, by bench/peers/accuracy_bench.cpp."""
    groups = group_rows(
        rows, r"accuracy(?P<d>[23])/(?P<kinds>[^/]+)/(?P<family>[^/]+)/(?P<who>[^/]+)/(?P<count>\d+)"
    )
    if not groups:
        return ""
    names = column_names(groups)
    lines, of_peer, of_family = [], {}, {}
    for (d, kinds, family, count), group in groups.items():
        cells = [share(group[who]["wrong"]) if who in group else "" for who in names]
        lines.append([f"{kinds.replace('_', '–')}, {d}D", family, f"{int(count):,}"] + cells)
        for who, row in group.items():
            of_peer.setdefault((d, who), []).append(row)
            if d == "3":
                of_family.setdefault(family, {}).setdefault(who, []).append(100 * row["wrong"])
    bars = [
        (family, [(who, sum(of[who]) / len(of[who])) for who in names if who in of])
        for family, of in of_family.items()
    ]
    if bars:
        title = "Wrong answers in 3D, % of the pairs, the mean of the pair kinds that each has"
        plot_bars(out("accuracy"), title, "%", bars, is_linear=True)
    parts = ("missed", "invented", "off", "turned")
    errors = ("depth_median", "depth_most", "normal_median", "normal_most")
    quality = [
        [f"{who}, {d}D", str(len(of))]
        + [share(sum(row[part] for row in of) / len(of)) for part in parts]
        + [f"{max(row[error] for row in of):.1e}" for error in errors]
        for (d, who), of in sorted(of_peer.items(), key=lambda item: names.index(item[0][1]))
    ]
    return (
        "## Accuracy\n\nThe share of wrong answers by the tests' reference: yes or no wrong by more than 1e-5 of "
        "the pair's size, depth off by more than 1e-3 of it, or a normal along which leaving takes as much more "
        "than the least way out. The head of `bench/peers/accuracy_bench.cpp` says it in full, those of the "
        "peers' files what each is asked.\n\n"
        + table(["pair", "family", "pairs"] + names, lines)
        + "\nThe same by its parts, the mean of all these rows, and the errors of answers that are right to say "
        "yes, as shares of the size: the largest median and the largest of all rows; of a normal, what leaving "
        "along it takes beyond the least.\n\n"
        + table(
            ["who", "rows", "missed", "invented", "depth off", "normal off"]
            + ["depth, median", "depth, most", "normal, median", "normal, most"],
            quality,
        )
    )


def ghosts(rows):
    """A table of wrong normals on a level floor, by bench/peers/ghosts_bench.cpp."""
    groups = group_rows(rows, r"ghosts/(?P<kind>[^/]+)/(?P<who>[^/]+)/(?P<count>\d+)")
    names = column_names(groups)
    lines = [
        [who]
        + [
            f"{share(row['wrong'])}; {row['contacts']:.3g}; {int(row['lost'])}; {row['depth_most']:.1e}"
            for row in (group[who] for group in groups.values())
        ]
        for who in names
    ]
    if not lines:
        return ""
    return (
        "## Ghosts\n\nShapes at rest on a level floor that is cut into triangles: the share of points whose normal is "
        "not the floor's; contacts per shape (of a peer, points); shapes of 2,000 without any; the most by which a "
        "shape's depth of 0.001 to 0.01 is off. widephase, `bullet_field` and `mujoco` have a height field, the "
        "others a mesh.\n\n"
        + table(["who"] + [kind for kind, _ in groups], lines)
    )


def ground(rows):
    """A table of times on rough ground, by bench/peers/ghosts_bench.cpp."""
    groups = group_rows(rows, r"ground/(?P<kind>[^/]+)/(?P<who>[^/]+)/(?P<count>\d+)")
    least = {kind: min(row["ns_shape"] for row in group.values()) for kind, group in groups.items()}
    lines = [
        [who] + [f"{fastest(group[who]['ns_shape'], least[kind])} ({group[who]['points']:.3g})"
                 for kind, group in groups.items()]
        for who in column_names(groups)
    ]
    if not lines:
        return ""
    return (
        "## Rough ground\n\nNanoseconds per shape near or above ground of 256 by 256 samples, one thread, and in "
        "brackets the points per shape. widephase takes a whole step, a peer the contacts of each shape alone.\n\n"
        + table(["who"] + [kind for kind, _ in groups], lines)
    )


def questions(programs):
    """Rays and nearest shapes beside Embree and nanoflann, by bench/rays_bench.cpp, ray_kinds_bench.cpp and
    nearest_bench.cpp."""
    lines = [
        [row["name"]]
        + [f"{value:.3g}" if value is not None else "" for value in (
            row.get("ns_test", row.get("ns_ray", row.get("ns_query"))),
            row.get("peer_ns"), row.get("ratio", row.get("speedup")))]
        + [str(int(row["differ"])) if "differ" in row else ""]
        for name in ("rays_bench", "ray_kinds_bench", "nearest_bench")
        for row in programs.get(name, [])
        if "build_ms" not in row or "ns_ray" in row or "ns_query" in row
    ]
    if not lines:
        return ""
    return (
        "## Questions\n\nNanoseconds per ray, test (`kernel`) or query, of one thread's CPU time, sorting included; of "
        "Embree's user geometry, its own triangles (`mesh`, `field`) or nanoflann; peer over ours; answers that differ "
        "by more than rounding. `two_threads` is the speedup of two.\n\n"
        + table(["row", "ns", "peer", "ratio", "differ"], lines)
    )


def roofline(path, programs, out):
    """Each kernel's place below what the core and the memory allow, by bench/roofline.cpp."""
    kernels, isa = {}, ""
    for line in path.read_text().splitlines() if path.exists() else []:
        name, nanoseconds, moved, pairs, instructions, isa = line.split()
        kernels[name] = (float(nanoseconds), float(moved), float(instructions) / float(pairs))
    memory = {
        int(row["name"].split("/")[1]): row["ns_a_byte"]
        for row in programs.get("scaling_bench", [])
        if "ns_a_byte" in row
    }
    if "loop" not in kernels or len(kernels) < 2 or not memory:
        return ""
    nanoseconds, _, instructions = kernels.pop("loop")
    core = instructions / nanoseconds
    places = [(name, of / moved, of / taken) for name, (taken, moved, of) in kernels.items()]
    low = min(core * memory[min(memory)] / 4, min(x for _, x, _ in places) / 2)
    high = max(x for _, x, _ in places) * 2
    series = {"a plain loop": [(core * memory[min(memory)], core), (high, core)]}
    for bodies in sorted({min(memory), max(memory)}):
        ridge = core * memory[bodies]
        series[f"memory of {bodies:,} bodies"] = [(ridge, core), (low, low / memory[bodies])]
    # There is no room for all names.
    named = ["sphere_sphere", "box_box", "hull_hull", "cylinder_cylinder", "ellipsoid_ellipsoid", "cone_cone",
             "polygon_polygon2", "hull_hull/epa", "hull_hull/distance", "box_box/epa", "capsule_capsule", "capsule_box",
             "sphere_hull"]
    places = [(name.replace("_", "–") if name in named else "", x, y) for name, x, y in places]
    title = "Roofline, one thread: instructions a ns over instructions a byte"
    plot_lines(out("roofline"), title, "instructions a byte", series, places)
    lines = []
    for name, (taken, moved, of) in kernels.items():
        memory_floor = moved * memory[max(memory)]
        lines.append(
            [name.replace("_", "–"), number(taken), number(of), number(moved), number(of / moved)]
            + [number(of / taken), share(of / taken / core), number(memory_floor)]
        )
    head = ["pair", "ns", "instructions", "bytes", "instructions a byte", "instructions a ns"]
    return (
        f"## Roofline\n\nOne thread, 8,192 sorted pairs in the core's caches, contacts unless the name says distance "
        f"(by GJK, of pairs that are apart) or epa (of pairs that overlap), instruction set {isa}; valgrind, "
        f"which knows no AVX-512, counted the instructions. Bytes are those of the arrays, each once. A plain loop "
        f"of independent multiplications and additions runs {core:.1f} instructions a nanosecond; the share of "
        f"that is the kernel's. The last column is what moving the bytes takes by itself where {max(memory):,} "
        f"bodies are at work, by `scaling_bench`. The plot names some of the kernels.\n\n"
        + table(head + ["of the loop's", "ns of memory"], lines)
    )


def model(rows):
    lines = [
        [row["name"]]
        + [number(row[key]) for key in ("measured", "predicted", "instructions", "streams", "rows")]
        + [f"{100 * row['error']:+.0f}%"]
        for row in rows
        if "predicted" in row
    ]
    if not lines:
        return ""
    head = ["row", "measured", "predicted", "instructions", "streams", "rows", "error"]
    memory = [
        [f"{int(row['name'].split('/')[1]):,}"]
        + [f"{row[key]:.2g}" for key in ("ns_a_byte", "ns_a_spread", "ns_a_row")]
        for row in rows
        if "ns_a_byte" in row
    ]
    return (
        "## Model of cost\n\nNanoseconds a body; docs/scaling.md.\n\n"
        + table(head, lines)
        + "\nWhat it knows of memory, in nanoseconds: a byte in order, one written to sixteen arrays at once, and a "
        "row of 32 bytes read at random.\n\n"
        + table(["bodies", "a byte", "a byte, spread", "a row"], memory)
    )


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    rows_folder = pathlib.Path(sys.argv[1])
    programs, contexts = read_rows(rows_folder)
    context = next(iter(contexts.values()))
    peers = peers_found(contexts)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    cpu = processor()
    machine = re.sub(r"[^a-z0-9]+", "-", f"{cpu} {context['num_cpus']} cores".lower()).strip("-")

    def out(what):
        return folder / f"{machine}-{what}.svg"

    commit = subprocess.run(
        ["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False
    ).stdout.strip()
    about = {
        "cpu": cpu,
        "cores": context["num_cpus"],
        "date": context["date"][:10],
        "commit": commit,
        "compiler": sys.argv[3] if len(sys.argv) > 3 else "unknown compiler",
        "caches": context["caches"],
    }
    head = (
        f"# Benchmarks on {cpu}\n\n{about['cores']} cores, {about['date']}, commit {commit or 'unknown'}, "
        f"{about['compiler']} with -O3 and no flags of this machine. Made by `scripts/bench`.\n"
    )
    sections = [
        peer_builds(peers),
        pairs_beside_peers(3, programs.get("peers3_bench", []), out),
        pairs_beside_peers(2, programs.get("peers2_bench", []), out),
        accuracy(programs.get("accuracy_bench", []), out),
        ghosts(programs.get("ghosts_bench", [])),
        ground(programs.get("ghosts_bench", [])),
        broad_phases(programs.get("peers_broad_bench", []), out),
        questions(programs),
        pipelines(programs, out),
        scenes(programs.get("scenes", [])),
        instruction_sets(programs.get("pairs_bench", []), out),
        other_ways(programs.get("pairs_bench", [])),
        threads(programs, out),
        steps_of_pairs(programs.get("find_pairs_bench", [])),
        collide_tables(programs.get("collide_bench", [])),
        roofline(rows_folder / "roofline.txt", programs, out),
        model(programs.get("scaling_bench", [])),
        aims(programs),
    ]
    (folder / f"{machine}.md").write_text("\n".join([head] + [s for s in sections if s]))
    rows = {name: [{k: v for k, v in row.items() if k not in ("run_name", "threads", "run_type")} for row in rows]
            for name, rows in programs.items()}
    (folder / f"{machine}.json").write_text(json.dumps({"machine": about, "peers": peers, "rows": rows}, indent=1) + "\n")
    print(f"wrote {folder / machine}.md, .json and plots")


main()
