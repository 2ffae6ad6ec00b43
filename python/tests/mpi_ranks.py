"""widephase.mpi on the ranks of mpirun: contacts, trackers and parts as on one machine. Not one of pytest's."""

import sys

try:
    from mpi4py import MPI
except ImportError:
    print("no mpi4py here (Debian: python3-mpi4py): widephase.mpi is not tested")
    sys.exit(0)

import numpy as np

import widephase
from widephase import mpi

comm = MPI.COMM_WORLD
rank, ranks = comm.Get_rank(), comm.Get_size()


def whole_scene(steps=0):
    """Spheres that drift along x, and boxes that stay."""
    random = np.random.default_rng(5)
    scene = widephase.Scene(dimension=3)
    centers = random.uniform(0, 12, (900, 3))
    drift = np.stack([random.uniform(0.1, 0.3, 900), np.zeros(900), np.zeros(900)], axis=1)
    scene.spheres.set(center=centers + steps * drift, radius=0.5)
    scene.boxes.set(center=random.uniform(0, 12, (60, 3)), half_extents=random.uniform(0.3, 0.8, (60, 3)),
                    orientation=[0, 0, 0, 1])
    return scene, drift


def in_order(contacts):
    """What must be the same, ascending by pair."""
    return [np.asarray(column) for column in
            (contacts.pair, contacts.normal, contacts.depth, contacts.point, contacts.feature)]


def same(a, b):
    return all(x.dtype == y.dtype and np.array_equal(x, y) for x, y in zip(in_order(a), in_order(b)))


def steps_have_one_machines_answers():
    tracker, alone = mpi.DistributedTracker(), widephase.Tracker()
    scene, drift = whole_scene()
    world = mpi.DistributedScene(comm, scene)
    labels = np.zeros((0, 2), np.int32)
    ages = np.zeros(0, [("age", "i4"), ("pair", "i4", (2,))])
    for step in range(3):
        contacts = world.step(tracker, margin=0.02)
        expected = widephase.collide(whole_scene(step)[0], margin=0.02, order="id", tracker=alone)
        everything = mpi.gather(comm, contacts)
        if rank == 0:
            assert len(expected) > 500 and same(everything, expected)
        else:
            assert len(everything) == 0
        # Rows go to the ranks that have the contacts now, whatever they are made of.
        labels = tracker.carry_contacts(labels)
        ages = tracker.carry_points(ages)
        persists = tracker.last_contact >= 0
        assert np.array_equal(labels[persists], contacts.pair[persists]) and not labels[~persists].any()
        owner = np.repeat(np.arange(len(contacts)), np.diff(contacts.offset))
        goes_on = tracker.last_point >= 0
        assert (ages["age"][goes_on] >= 1).all() and not ages["age"][~goes_on].any()
        assert np.array_equal(ages["pair"][goes_on], contacts.pair[owner][goes_on])
        ages["age"] += 1
        ages["pair"] = contacts.pair[owner]
        labels = np.array(contacts.pair)
        counts = comm.allreduce(np.array([persists.sum(), len(tracker.ended["pair"])]))
        assert tuple(counts) == ((alone.last_contact >= 0).sum(), len(alone.ended)), (step, counts)
        hashes = comm.allgather(mpi.content_hash(comm, contacts))
        assert len(set(hashes)) == 1 and len(hashes[0]) == 16
        rows = world.own_rows("sphere")
        # Everybody learns whom they touch, from whichever rank found it.
        ids, others = world.send_to_owners(np.ravel(contacts.pair), contacts.pair[:, ::-1].reshape(-1, 1))
        assert np.all(np.diff(ids) >= 0) and np.isin(ids[ids < 900], rows).all() and others.shape == (len(ids), 1)
        assert comm.allreduce(len(ids)) == 2 * len(expected)
        assert comm.allreduce(int((ids * others[:, 0].astype(np.int64)).sum())) == \
            2 * int(expected.pair.astype(np.int64).prod(axis=1).sum())
        world.write("sphere.center", whole_scene(step + 1)[0].spheres.center[rows].astype(np.float64))
    assert world.stats["own_shapes"] == len(rows) + len(world.own_rows("box"))
    assert comm.allreduce(world.stats["moved_rows"]) > 0


def parts_make_a_world():
    scene, _ = whole_scene()
    mine = np.arange(rank, 900, ranks, dtype=np.int32)
    part = widephase.Scene(dimension=3)
    part.spheres.set(center=scene.spheres.center[mine], radius=0.5)
    world = mpi.DistributedScene(comm, part, rows={"sphere": mine})
    contacts = mpi.gather(comm, world.step(), root=ranks - 1)
    if rank == ranks - 1:
        del scene
        spheres = widephase.Scene(dimension=3)
        spheres.spheres.set(center=whole_scene()[0].spheres.center, radius=0.5)
        assert same(contacts, widephase.collide(spheres, order="id"))


def errors_are_the_same_on_all_ranks():
    scene, _ = whole_scene()
    world = mpi.DistributedScene(comm, scene)
    world.step()
    center = world.read("sphere.center")
    if rank == ranks - 1:
        center[0, 1] = np.nan
    world.write("sphere.center", center)
    said = ""
    try:
        world.step()
    except widephase.Error as error:
        said = str(error)
    assert "sphere.center[" in said and len(set(comm.allgather(said))) == 1, said
    for call, words in [
        (lambda: world.write("sphere.center", center[1:]), "rows may not come or go"),
        (lambda: world.read("sphere.centre"), "is not a column"),
        (lambda: world.own_rows("ball"), "is not a kind of shape"),
        (lambda: mpi.DistributedScene(3, scene), "is not a communicator"),
        (lambda: mpi.DistributedScene(comm, scene, division="time"), "expected automatic, space or worlds"),
    ]:
        try:
            call()
            said = "nothing"
        except widephase.Error as error:
            said = str(error)
        assert words in said, said


steps_have_one_machines_answers()
parts_make_a_world()
errors_are_the_same_on_all_ranks()
if rank == 0:
    print("passed")
