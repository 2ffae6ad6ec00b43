"""The examples run as the README says, and their numbers are those of a brute force in NumPy."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import widephase

DATA = Path(os.environ.get("WIDEPHASE_DATA", "nowhere"))
EXAMPLES = Path(os.environ["WIDEPHASE_README"]).parent / "examples" / "python"


@pytest.fixture
def run(tmp_path):
    """Runs an example in an empty folder, of matplotlib or without: what it printed."""

    def run(name, *words, plots=True):
        environment = dict(os.environ, MPLCONFIGDIR=str(tmp_path))
        if not plots:
            hidden = tmp_path / "hidden"
            hidden.mkdir(exist_ok=True)
            (hidden / "matplotlib.py").write_text("raise ImportError('hidden')\n")
            environment["PYTHONPATH"] = os.pathsep.join([str(hidden), environment["PYTHONPATH"]])
        done = subprocess.run([sys.executable, EXAMPLES / name, *map(str, words)], cwd=tmp_path,
                              env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


def expect_picture(path, printed):
    if importlib.util.find_spec("matplotlib") is None:
        assert "no plot: matplotlib" in printed
        return
    assert path.read_bytes().startswith(b"\x89PNG") and path.stat().st_size > 5000


def touching(center, reach):
    """Index pairs whose centres are no farther apart than reach[i] + reach[j]."""
    between = center[:, None] - center[None]
    is_near = (between * between).sum(axis=2) <= (reach[:, None] + reach[None]) ** 2
    return np.argwhere(np.triu(is_near, 1))


def test_arena(run):
    printed = run("arena.py", "--worlds", 200, "--steps", 60)
    assert re.search(r"^200 worlds, 60 steps: [\d,]+ steps of a world a second, \d+% of", printed)
    touched = re.search(r"^(\d+) times an agent was touched, (\d+) worlds .* are inside their walls$",
                        printed, re.M)
    assert touched and int(touched[1]) > 0
    assert printed.splitlines()[1:] == run("arena.py", "--worlds", 200, "--steps", 60).splitlines()[1:]


def test_what_agents_observe(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import arena

    arenas = arena.Arenas(50, seed=3)
    for _ in range(40):
        still = np.zeros((50, 2), np.float32)
        moved = arenas.center + arena.STEP * arenas.velocity
        observation = arenas.step(still)
        for world in range(50):
            agent, *balls = moved[world * arenas.each:(world + 1) * arenas.each].astype(float)
            depth = [2 * arena.RADIUS - np.linalg.norm(agent - ball) for ball in balls]
            depth += [arena.RADIUS - gap for gap in (*agent, *(arena.SIDE - agent))]
            # The first post's sides lie along the axes.
            offset = np.abs(agent - arena.POSTS[0]) - 0.2
            depth.append(arena.RADIUS - np.linalg.norm(np.maximum(offset, 0)))
            turned = np.array([[1, 1], [-1, 1]]) @ (agent - arena.POSTS[1]) / np.sqrt(2)
            depth.append(arena.RADIUS - np.linalg.norm(np.maximum(np.abs(turned) - 0.2, 0)))
            assert observation[world, 2] == pytest.approx(max(0, *depth), abs=1e-5)
            length = np.linalg.norm(observation[world, :2])
            assert length == pytest.approx(1 if observation[world, 2] > 0 else 0, abs=1e-6)


def test_rl_farm(run):
    printed = run("rl_farm.py", "--worlds", 40, "--steps", 160)
    assert re.search(r"^40 worlds, 160 steps: [\d,]+ steps of a world per second, \d+% of", printed)
    said = re.search(r"^(\d+) times a shank touched down, (\d+) trunks fell; .* carried ([\d.]+) of", printed, re.M)
    # From 0.5 m they fall onto their feet in a third of a second and stay there.
    assert int(said[1]) >= 40 * 4 and int(said[2]) < 40 and 0.5 < float(said[3]) < 1.5
    assert printed.splitlines()[1:] == run("rl_farm.py", "--worlds", 40, "--steps", 160).splitlines()[1:]


def test_links_of_the_farm_meet_as_their_axes_say(monkeypatch):
    """Links of one robot touch where their axes are nearer than both radii, and never across a joint."""
    monkeypatch.syspath_prepend(EXAMPLES)
    import rl_farm as rl

    farm = rl.Farm(30, seed=5)
    random = np.random.default_rng(2)
    farm.position[:] = random.normal(0, 100, (30, 3)) + [0, 0, 500]  # above the ground
    farm.joints[:] = random.uniform(-3, 3, farm.joints.shape)
    farm.turn[:] = random.normal(0, 1, farm.turn.shape)
    farm.turn /= np.linalg.norm(farm.turn, axis=1, keepdims=True)
    farm.place()
    contacts = widephase.collide(farm.scene, kept=farm.ground)
    found = {tuple(sorted(pair)) for pair in widephase.contact_bodies(farm.scene, contacts, farm.ground).tolist()}
    placed = widephase.place(farm.scene).capsules
    joined = {(0, thigh) for thigh in rl.THIGHS} | set(zip(rl.THIGHS, rl.SHANKS))
    pairs = [(a, b) for a in range(rl.LINKS) for b in range(a + 1, rl.LINKS) if (a, b) not in joined]
    a, b = (np.array([world * rl.LINKS + pair[side] for world in range(30) for pair in pairs]) for side in (0, 1))
    gap = widephase.closest_points(placed.a[a], placed.b[a], placed.a[b], placed.b[b]).distance
    gap = gap - placed.radius[a] - placed.radius[b]
    assert np.abs(gap).min() > 1e-4
    assert found == set(zip(a[gap < 0].tolist(), b[gap < 0].tolist())) and len(found) > 30


def test_bullets(run):
    printed = run("bullets.py", "--bullets", 400)
    numbers = re.search(r"^(\d+) bullets hit a plate; (\d+) touch one at the end of a step$", printed, re.M)
    assert numbers and int(numbers[1]) > 40 and int(numbers[2]) < int(numbers[1]) / 4
    gap = re.search(r"up to (\S+) apart", printed)
    assert gap and 0 < float(gap[1]) <= 1.01e-4


def test_pedestrians(run, tmp_path):
    printed = run("pedestrians.py")
    expect_picture(tmp_path / "pedestrians.png", printed)
    assert run("pedestrians.py", plots=False).splitlines()[:-1] == printed.splitlines()[:-1]
    assert "no plot: matplotlib" in run("pedestrians.py", plots=False)
    # Two who cross in 21 frames, the middle of which is where they are nearest, and one apart.
    frames = np.arange(21)
    rows = [(7, f, 0.1 * (f - 10), 0.1) for f in frames] + [(3, f, 0, 0) for f in frames]
    rows += [(9, f, 50, 50) for f in frames]
    (tmp_path / "three.txt").write_text("".join(f"{i} {f} {x:.6f} {y}\n" for i, f, x, y in rows))
    printed = run("pedestrians.py", "three.txt", "--radius", 0.2, "--rate", 10, "-o", "three.png")
    # Within 0.4 of one another: |x| <= sqrt(0.16 - 0.01) = 0.387, the frames 7 to 13.
    assert "3 people, 21 frames from 0 to 20, 63 places" in printed
    assert "7 contacts, 0.33 in a frame, 1 at most" in printed
    assert "1 times two people met, for 0.70 s in the middle; longest 3 and 7: 0.70 s from frame 7 on" in printed


def test_pedestrians_keep_the_numbers_of_frames(run, tmp_path):
    # Every tenth frame from 2700 on, and a hole: the two touch in all of them, so twice two frames of 10 ticks.
    frames = [2700, 2710, 2750, 2760]
    rows = [(i, f, x, 0) for f in frames for i, x in ((7, 0), (3, 0.3))]
    (tmp_path / "hole.txt").write_text("".join(f"{i} {f} {x} {y}\n" for i, f, x, y in rows))
    printed = run("pedestrians.py", "hole.txt", "--radius", 0.2, "--rate", 10)
    assert "2 people, 4 frames from 2700 to 2760, 8 places" in printed
    assert "1 times frames are missing" in printed
    assert "2 times two people met, for 2.00 s in the middle; longest 3 and 7: 2.00 s from frame 2700 on" in printed


@pytest.mark.skipif(not DATA.is_dir(), reason="no data")
def test_pedestrians_and_packing_of_real_files(run):
    file = DATA / "pedestrians" / "bi_corr_400_b_03.txt"
    rows = np.loadtxt(file)
    frames = np.unique(rows[:, 1]).astype(int)
    printed = run("pedestrians.py", file)
    people = len(np.unique(rows[:, 0]))
    assert f"{people} people, {len(frames)} frames from {frames[0]} to {frames[-1]}, {len(rows)} places" in printed
    # The frame that the longest contact begins in has both people, who touch in it and not in the frame before.
    a, b, begin = map(int, re.search(r"longest (\d+) and (\d+): .* from frame (\d+) on", printed).groups())

    def gap(frame):
        both = [rows[(rows[:, 0] == person) & (rows[:, 1] == frame), 2:4] for person in (a, b)]
        # The file is in centimetres if it says so.
        unit = 0.01 if "x/cm" in file.read_text()[:2000] else 1
        return np.linalg.norm(both[0] - both[1]) * unit - 0.4 if all(map(len, both)) else np.inf

    assert gap(begin) <= 1e-9 < gap(begin - 1)
    printed = run("packing.py", DATA / "granular" / "particles2048pile.vtu")
    assert "2048 particles" in printed


def test_packing(run, tmp_path):
    printed = run("packing.py")
    expect_picture(tmp_path / "packing.png", printed)
    assert "no plot: matplotlib" in run("packing.py", plots=False)
    counts = {int(n): int(c) for n, c in re.findall(r"^ +(\d+)  (\d+)$", printed, re.M)}
    assert max(counts) == 12 and sum(counts.values()) == int(printed.split()[0])

    random = np.random.default_rng(5)
    center = random.uniform(0, 12, (300, 2))
    radius = random.uniform(0.2, 0.6, 300)
    scene = widephase.Scene(dimension=2, precision="double")
    scene.circles.set(center=center, radius=radius)
    scene.save(tmp_path / "discs.npz")
    printed = run("packing.py", "discs.npz", "--gap", 0.01)
    pair = touching(center, radius + 0.005 * radius.mean())
    assert f"300 particles, {len(pair)} contacts" in printed
    neighbours = np.bincount(pair.ravel(), minlength=300)
    counts = {int(n): int(c) for n, c in re.findall(r"^ +(\d+)  (\d+)$", printed, re.M)}
    assert counts == dict(enumerate(np.bincount(neighbours).tolist()))
    stays = set(range(300))
    while True:
        held = {i: sum(1 for a, b in pair if i in (a, b) and {a, b} <= stays) for i in stays}
        loose = {i for i in stays if held[i] < 3}
        if not loose:
            break
        stays -= loose
    mean = f"{sum(held.values()) / len(stays):.3f}" if stays else "no"
    assert f"{300 - len(stays)} rattlers; the others have {mean} neighbours each" in printed


def test_packing_of_a_dump(run, tmp_path):
    # Three balls of radius 0.5 in a row: neighbours are sqrt(5) - 1 = 1.24 apart in step 1000, 0.12 in step 2500.
    def step(number, gap):
        rows = "".join(f"{i} {i * (1 + gap)} 0 {i} 0.5\n" for i in range(3))
        return (f"ITEM: TIMESTEP\n{number}\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n"
                f"ITEM: ATOMS id x y z radius\n{rows}")
    (tmp_path / "run.dump").write_text(step(1000, 1) + step(2500, -0.5))
    printed = run("packing.py", "run.dump")
    assert printed.startswith("step 2500, one of 2\n3 particles, 0 contacts"), printed
    assert run("packing.py", "run.dump", "--gap", 1.5).splitlines()[1].startswith("3 particles, 2 contacts")
    assert run("packing.py", "run.dump", "--frame", 1000, "--gap", 1.5).startswith(
        "step 1000, one of 2\n3 particles, 0 contacts")


def expect_rate(printed):
    assert re.search(r"^[\d.]+ million rays per second", printed)


def test_lidar(run, tmp_path):
    words = ("--shapes", 900, "--scans", 4)
    printed = run("lidar.py", *words)
    expect_rate(printed)
    assert re.search(r"^4 scans of 64 x 1,024 rays among 903 shapes: [\d.]+% hit, the nearest [\d.]+ m", printed, re.M)
    picture = (tmp_path / "lidar.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and picture[16:24] == bytes((0, 0, 4, 0, 0, 0, 1, 0))
    assert printed.splitlines()[1:] == run("lidar.py", *words).splitlines()[1:]
    assert picture == (tmp_path / "lidar.png").read_bytes()


def test_what_the_lidar_sees(monkeypatch):
    """No ray ends behind a ball that it meets, none on the robot, and those on the floor are level with it."""
    monkeypatch.syspath_prepend(EXAMPLES)
    import lidar

    town = lidar.Town(600, 3)
    for step in (1, 2, 3):
        town.drive(step * lidar.STEP)
        town.kept.update(town.scene, town.moved)
    ways = lidar.pattern()
    hits = town.scan(ways)
    assert np.abs(np.linalg.norm(ways, axis=1) - 1).max() < 1e-6
    sensor = town.position.astype(float) + (0, 0, 0.8)
    kinds = [(table.first_id, len(table)) for table in (town.scene.spheres, town.scene.boxes, town.scene.capsules, town.scene.halfspaces)]
    own = [kinds[1][0], kinds[2][0]]
    assert not np.isin(hits.shape, own).any()
    alone = widephase.cast_rays(town.kept, sensor, ways, max_t=lidar.REACH)
    assert np.isin(alone.shape, own).any()  # without an owner the mast is in the way
    nearest = np.full(len(ways), np.inf)
    for center, radius in zip(town.scene.spheres.center.astype(float), town.scene.spheres.radius.astype(float)):
        along = ways @ (center - sensor)
        square = radius ** 2 - ((center - sensor) ** 2).sum() + along ** 2
        met = (square > 0) & (along > 0)
        nearest[met] = np.minimum(nearest[met], along[met] - np.sqrt(square[met]))
    assert (hits.t <= np.minimum(nearest, lidar.REACH) + 1e-3).all()
    on_ball = hits.found & (hits.shape < kinds[0][1])
    assert on_ball.sum() > 500 and np.abs(hits.t - nearest)[on_ball].max() < 1e-3
    on_floor = hits.shape == kinds[3][0]
    assert on_floor.sum() > 5000 and np.abs(hits.point[on_floor, 2]).max() < 1e-6
    assert np.abs(hits.t * -ways[:, 2] - sensor[2])[on_floor].max() < 1e-4


def test_height_scan(run, command, tmp_path):
    command("generate", "terrain", "--count", 300, "-o", tmp_path / "terrain.npz")
    words = ("terrain.npz", "--robots", 60, "--steps", 3)
    printed = run("height_scan.py", *words)
    expect_rate(printed)
    assert re.search(r"^3 steps of 60 robots x 187 rays over 301 shapes: heights from .* of them the ground's$", printed, re.M)
    expect_picture(tmp_path / "height_scan.png", printed)
    assert printed.splitlines()[1:2] == run("height_scan.py", *words, plots=False).splitlines()[1:2]


def test_heights_are_those_of_the_field(command, tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import height_scan

    command("generate", "terrain", "--count", 200, "-o", tmp_path / "terrain.npz")
    terrain = height_scan.Terrain(tmp_path / "terrain.npz")
    robots = height_scan.Robots(50, terrain.side, 4)
    robots.step()
    height, is_ground = terrain.scan(robots)
    x, y, _ = robots.origins(terrain.above).astype(float).T
    samples = terrain.scene.heightfield_geometries.heights.reshape(-1, terrain.columns).astype(float)
    c, r = np.floor(x / terrain.cell).astype(int), np.floor(y / terrain.cell).astype(int)
    u, v = x / terrain.cell - c, y / terrain.cell - r
    low, high = samples[r, c], samples[r + 1, c + 1]
    # A cell is cut from (row, column) to (row + 1, column + 1).
    exact = np.where(v < u, low + u * (samples[r, c + 1] - low) + v * (high - samples[r, c + 1]),
                     low + v * (samples[r + 1, c] - low) + u * (high - samples[r + 1, c])).reshape(height.shape)
    assert 0.5 < is_ground.mean() < 1
    assert np.abs(height - exact)[is_ground].max() < 1e-4
    assert (height - exact)[~is_ground].min() > -1e-4 and (height - exact)[~is_ground].max() > 0.05


def test_tiled_floor(run):
    apart, flush = run("tiled_floor.py", plots=False).splitlines()
    assert float(re.search(r"up to ([0-9.]+) degrees", apart)[1]) > 45
    assert flush == "flush: the normals lean up to 0.00 degrees"


WALKED = r"^(\d+) contacts with walls, 0 ghosts; 0 people left the building$"


def test_building_walk(run, tmp_path):
    words = ("--people", 20, "--seconds", 10)
    printed = run("building_walk.py", *words)
    assert printed.startswith("20 people for 10 s between 13 walls in 1037 segments\n")
    assert int(re.search(WALKED, printed, re.M)[1]) > 200
    expect_picture(tmp_path / "building_walk.png", printed)
    assert printed.splitlines()[:2] == run("building_walk.py", *words, plots=False).splitlines()[:2]


@pytest.mark.skipif(not DATA.is_dir(), reason="no data")
def test_building_walk_in_a_real_building(run):
    printed = run("building_walk.py", DATA / "outlines" / "building.json", "--people", 20, "--seconds", 10, plots=False)
    assert int(re.search(WALKED, printed, re.M)[1]) > 200


def test_building_walk_feels_the_joints_of_walls_that_do_not_know_each_other(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import building_walk

    building = building_walk.Building(building_walk.own_building(), 20, 1)
    # Each segment is a chain of its own.
    ends = np.stack((building.segments, np.roll(building.segments, -1, axis=0)), axis=1)
    count = len(ends)
    building.scene.chain_geometries.set(vertices=ends.reshape(-1, 2), offsets=np.arange(0, 2 * count + 1, 2))
    building.scene.chains.set(center=np.zeros((count, 2)), angle=np.zeros(count), geometry=np.arange(count), fixed=1)
    for _ in range(100):
        building.step()
    assert building.ghosts > 0


def test_crowd_sight(run, tmp_path):
    words = ("--people", 300, "--looks", 1)
    printed = run("crowd_sight.py", *words)
    expect_rate(printed)
    assert re.search(r"^300 people with 90 rays each among \d+ walls: .* people are seen by nobody$", printed, re.M)
    expect_picture(tmp_path / "crowd_sight.png", printed)
    assert printed.splitlines()[1:2] == run("crowd_sight.py", *words, plots=False).splitlines()[1:2]


def test_who_sees_whom_is_what_circles_and_walls_allow(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    import crowd_sight

    crowd = crowd_sight.Crowd(120, 2)
    origin, way, owner = crowd.rays()
    hits = widephase.cast_rays(widephase.StaticScene(crowd.scene), origin, way, max_t=crowd_sight.REACH, owner=owner)
    o, d = origin.astype(float), way.astype(float)
    offset = crowd.center[None] - o[:, None]
    along = (offset * d[:, None]).sum(-1)
    square = crowd_sight.RADIUS ** 2 - (offset ** 2).sum(-1) + along ** 2
    begin = np.where((square >= 0) & (along + np.sqrt(np.maximum(square, 0)) >= 0), along - np.sqrt(np.maximum(square, 0)), np.inf)
    begin = np.maximum(begin, 0)
    begin[np.arange(len(o)), owner] = np.inf
    with np.errstate(divide="ignore"):
        sides = [(side[None] - o[:, None]) / d[:, None] for side in (crowd.low, crowd.high)]
    enter, leave = np.minimum(*sides).max(-1), np.maximum(*sides).min(-1)
    walls = np.where((enter <= leave) & (leave >= 0), np.maximum(enter, 0), np.inf)
    exact = np.minimum(begin.min(axis=1), walls.min(axis=1))
    assert np.abs(hits.t - np.minimum(exact, crowd_sight.REACH)).max() < 1e-3
    # Whom a ray meets clearly before all else is seen.
    everything = np.minimum(np.sort(np.hstack((begin, walls)), axis=1), 1e9)
    clear = (everything[:, 1] - everything[:, 0] > 1e-3) & (begin.min(axis=1) == exact) & (exact < crowd_sight.REACH - 1e-3)
    assert clear.sum() > 1000 and (hits.shape[clear] == begin.argmin(axis=1)[clear]).all()
    seen = crowd_sight.who_sees_whom(crowd, hits)
    pairs = set(zip(owner[clear].tolist(), begin.argmin(axis=1)[clear].tolist()))
    assert pairs <= set(map(tuple, seen.tolist())) and (seen[:, 0] != seen[:, 1]).all()


@pytest.mark.parametrize("words, message", [
    (("arena.py", "--worlds", 0), "--worlds and --steps must be 1 or more"),
    (("rl_farm.py", "--steps", 0), "--worlds and --steps must be 1 or more"),
    (("pedestrians.py", "--radius", 0), "--radius and --rate must be above 0"),
    (("packing.py", "--gap", -1), "--gap must be 0 or more"),
    (("lidar.py", "--shapes", 3), "--shapes must be 100 or more"),
    (("height_scan.py", "no.npz", "--robots", 0), "--robots and --steps must be 1 or more"),
    (("crowd_sight.py", "--people", 0), "--people and --looks must be 1 or more"),
])
def test_wrong_words(words, message):
    done = subprocess.run([sys.executable, EXAMPLES / words[0], *map(str, words[1:])],
                          capture_output=True, text=True)
    assert done.returncode == 2 and message in done.stderr


def test_stairs_walk(run, command, tmp_path):
    command("generate", "stairs", "--count", 1, "-o", tmp_path / "stairs.npz")
    printed = run("stairs_walk.py", "stairs.npz", "--seconds", 6)
    said = re.search(r"^300 frames, ([\d.]+) m up: feet touched down (\d+) times, (\d+) times a foot touched", printed)
    # 6 seconds at 0.35 m per second are four stairs of 0.17 m. The front feet begin one ahead of the hind feet. Each
    # foot comes down once per second.
    assert 0.5 < float(said[1]) < 1.2 and 20 <= int(said[2]) <= 28 and int(said[3]) == 0
    points = re.search(r"^(\d+) points of feet, (\d+) of them along .*; (\d+) points of other links$", printed, re.M)
    assert int(points[1]) >= 3 * 300 and int(points[2]) == 0 and int(points[3]) == 0
    expect_picture(tmp_path / "stairs_walk.png", printed)
