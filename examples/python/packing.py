#!/usr/bin/python3
"""The contact network of a packing: how many neighbours its particles have.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/packing.py [PACKING]

PACKING is a scene of circles or spheres in any format that `widephase convert` reads (LAMMPS data and dumps, VTK,
.npz). Of a dump the last step is taken, or that of --frame. Particles touch where their surfaces are nearer than --gap. Those with fewer than three contacts (four
in 3D) are rattlers, which nothing holds: they are left out, again and again until none is left. The mean number of
contacts of the others is printed beside 2 a dimension, which is what an isostatic packing without friction has.
Without a file a lattice is made, whose spheres inside have 12 neighbours, with a twentieth taken away. Prints
numbers and draws a histogram, if matplotlib is there.
"""

import argparse

import numpy as np

import widephase


def own_packing(cells=10):
    """Spheres of radius 1 on a face-centred lattice, a twentieth of them missing."""
    cell = np.stack(np.meshgrid(*[np.arange(cells)] * 3, indexing="ij"), axis=-1).reshape(-1, 1, 3)
    corners = np.array([(0, 0, 0), (0, 0.5, 0.5), (0.5, 0, 0.5), (0.5, 0.5, 0)])
    center = 2 * np.sqrt(2) * (cell + corners).reshape(-1, 3)
    center = center[np.random.default_rng(1).random(len(center)) > 0.05]
    scene = widephase.Scene(dimension=3, precision="double")
    scene.spheres.set(center=center, radius=1.0)
    return scene


def step_of(scene, frame):
    """The shapes of one step of a dump, and the step's number; of the last step without `frame`."""
    frames = np.arange(scene.world_count) if scene.frames is None else scene.frames
    frame = frames[-1] if frame is None else frame
    if frame not in frames:
        raise SystemExit(f"there is no step {frame}; the steps are {', '.join(map(str, frames))}")
    balls = scene.circles if scene.dimension == 2 else scene.spheres
    rows = np.asarray(balls.world) == np.flatnonzero(frames == frame)[-1]
    step = widephase.Scene(dimension=scene.dimension, precision="double")
    (step.circles if scene.dimension == 2 else step.spheres).set(
        center=np.asarray(balls.center)[rows], radius=np.asarray(balls.radius)[rows])
    if scene.domain:
        step.set_domain(*scene.domain)
    return step, frame


def without_rattlers(pair, count, least):
    """Which particles have at least so many contacts with one another."""
    stays = np.ones(count, bool)
    while True:
        between = pair[stays[pair].all(axis=1)]
        neighbours = np.bincount(between.ravel(), minlength=count)
        is_rattler = stays & (neighbours < least)
        if not is_rattler.any():
            return stays, neighbours
        stays &= ~is_rattler


def draw(path, neighbours):
    """False where there is no matplotlib."""
    try:
        import matplotlib
    except ImportError:
        return False
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6, 3.6), layout="constrained")
    share = np.bincount(neighbours) / len(neighbours)
    axes.bar(np.arange(len(share)), share, width=0.9)
    axes.set(xlabel="contacts of a particle", ylabel="share of particles")
    figure.savefig(path, dpi=120)
    return True


def main():
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n")[0],
        epilog="example: packing.py pile.vtu --gap 1e-6 -o pile.png")
    parser.add_argument("packing", nargs="?", help="a scene of circles or spheres (default: a lattice)")
    parser.add_argument("--gap", type=float, default=1e-9,
                        help="particles nearer than this touch, in mean radii (default: 1e-9)")
    parser.add_argument("--frame", type=int, help="which step of a dump, by its number (default: the last)")
    parser.add_argument("--periodic", default="", help="axes of LAMMPS data that wrap, as xy")
    parser.add_argument("-o", "--out", default="packing.png", help="the histogram (default: packing.png)")
    options = parser.parse_args()
    if not options.gap >= 0:
        parser.error("--gap must be 0 or more")

    scene = own_packing()
    if options.packing:
        scene = widephase.load(options.packing, precision="double", periodic=options.periodic)
    balls = scene.circles if scene.dimension == 2 else scene.spheres
    if len(balls) == 0 or len(balls) != len(scene):
        parser.error(f"{options.packing} is not a scene of {balls.kind}s alone")
    if scene.world_count > 1 or options.frame is not None:
        steps = scene.world_count
        scene, frame = step_of(scene, options.frame)
        balls = scene.circles if scene.dimension == 2 else scene.spheres
        print(f"step {frame}, one of {steps}")
    count = len(balls)

    mean_radius = float(np.mean(balls.radius))
    contacts = widephase.collide(scene, margin=options.gap * mean_radius)
    neighbours = np.bincount(contacts.pair.ravel(), minlength=count)
    stays, held = without_rattlers(contacts.pair, count, scene.dimension + 1)
    print(f"{count} particles, {len(contacts)} contacts, {neighbours.mean():.3f} neighbours each")
    print("neighbours  particles")
    for number, particles in enumerate(np.bincount(neighbours)):
        print(f"{number:10}  {particles}")
    mean = f"{held[stays].mean():.3f}" if stays.any() else "no"
    print(f"{count - stays.sum()} rattlers; the others have {mean} neighbours each, "
          f"an isostatic packing {2 * scene.dimension}")
    if draw(options.out, neighbours):
        print(f"wrote {options.out}")
    else:
        print("no plot: matplotlib is not there (Debian's package python3-matplotlib)")


if __name__ == "__main__":
    main()
