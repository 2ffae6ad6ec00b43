#!/usr/bin/python3
"""Who touches whom in a crowd, when, and for how long.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/pedestrians.py [TRAJECTORY]

TRAJECTORY is a file of lines "id frame x y", as laboratories publish them. People are circles, every frame is a
world that keeps its number, and one call finds the contacts of all frames. A contact lasts from frame to frame as
long as the same two people touch. It ends where frames are missing: where the next number is farther than the usual
step. Without a file two groups walk through one another. Prints numbers and draws a plot, if matplotlib is there.
"""

import argparse
import tempfile

import numpy as np

import widephase


def own_crowd(people=60, frames=400, rate=25.0):
    """Two groups that walk straight through one another: (id, frame, x, y) a row."""
    random = np.random.default_rng(1)
    walks_right = np.arange(people) % 2 == 0
    speed = np.where(walks_right, 1, -1) * random.uniform(1.0, 1.5, people)
    begin = np.where(walks_right, -10, 10) + random.uniform(-4, 4, people)
    lane = random.uniform(-2, 2, people)
    phase = random.uniform(0, 2 * np.pi, people)
    frame, person = np.divmod(np.arange(frames * people), people)
    seconds = frame / rate
    x = begin[person] + speed[person] * seconds
    y = lane[person] + 0.05 * np.sin(4 * seconds + phase[person])
    return np.column_stack((person, frame, x, y))


def spells(contacts, step):
    """(person, person, first frame, frames) of each time that two people touch, by pair and time.

    `step` is the number of the next frame minus that of this one where no frame is missing.
    """
    frame, ends = contacts.frame, np.sort(contacts.key, axis=1)
    order = np.lexsort((frame, ends[:, 1], ends[:, 0]))
    ends, frame = ends[order], frame[order]
    goes_on = (np.diff(frame) == step) & (ends[1:] == ends[:-1]).all(axis=1)
    first = np.flatnonzero(np.concatenate(([True], ~goes_on)))[: len(frame)]
    frames = np.diff(np.append(first, len(frame)))
    return np.column_stack((ends[first], frame[first], frames))


def draw(path, frames, in_frame, lasting, rate):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, (over_time, lengths) = pyplot.subplots(1, 2, figsize=(10, 3.6), layout="constrained")
    over_time.plot(frames / rate, in_frame, linewidth=0.8)
    over_time.set(xlabel="seconds", ylabel="contacts in a frame", ylim=(0, None))
    lengths.hist(lasting, bins=30)
    lengths.set(xlabel="seconds that a contact lasts", ylabel="contacts", yscale="log")
    figure.savefig(path, dpi=120)
    return True


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="example: pedestrians.py bottleneck.txt --radius 0.2 --rate 25 -o bottleneck.png")
    parser.add_argument("trajectory", nargs="?", help="lines of id, frame, x, y (default: a crowd of its own)")
    parser.add_argument("--radius", type=float, default=0.2, help="of a person, in metres (default: 0.2)")
    parser.add_argument("--rate", type=float, default=25.0, help="frames a second (default: 25)")
    parser.add_argument("--unit", default="", choices=["", "m", "cm", "mm"],
                        help="of the file's lengths, where it does not say (default: m)")
    parser.add_argument("-o", "--out", default="pedestrians.png", help="the plot (default: pedestrians.png)")
    options = parser.parse_args()
    if not (options.radius > 0 and options.rate > 0):
        parser.error("--radius and --rate must be above 0")

    if options.trajectory:
        scene = widephase.load(options.trajectory, radius=options.radius, unit=options.unit)
    else:
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            np.savetxt(file, own_crowd(rate=options.rate), fmt="%d %d %.9g %.9g")
            file.flush()
            scene = widephase.load(file.name, radius=options.radius)
    if scene.dimension != 2:
        parser.error(f"{options.trajectory} is no crowd in the plane")

    contacts = widephase.collide(scene)
    frames = scene.frames
    in_frame = np.bincount(contacts.world, minlength=len(frames))
    steps = np.diff(frames)
    step = steps.min(initial=steps.max(initial=1))
    found = spells(contacts, step)
    lasting = found[:, 3] * step / options.rate
    print(f"{len(np.unique(scene.circles.key))} people, {len(frames)} frames from {frames[0]} to {frames[-1]}, "
          f"{len(scene)} places")
    if (steps > step).any():
        print(f"{(steps > step).sum()} times frames are missing: contacts end there")
    print(f"{len(contacts)} contacts, {in_frame.mean():.2f} in a frame, {in_frame.max(initial=0)} at most")
    if len(found) != 0:
        longest = found[np.argmax(found[:, 3])]
        print(f"{len(found)} times two people met, for {np.median(lasting):.2f} s in the middle; longest "
              f"{longest[0]} and {longest[1]}: {lasting.max():.2f} s from frame {longest[2]} on")
    if draw(options.out, frames, in_frame, lasting, options.rate):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
