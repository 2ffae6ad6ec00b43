"""One world on the ranks of an mpi4py communicator.

    from mpi4py import MPI
    import widephase
    from widephase import mpi

    world = mpi.DistributedScene(MPI.COMM_WORLD, scene)    # or this rank's part of it, with rows=
    tracker = mpi.DistributedTracker()
    contacts = world.step(tracker, margin=0.01)            # this rank's, by ids of the world
    impulses = tracker.carry_points(impulses)              # from whichever rank had them
    world.write("sphere.center", world.read("sphere.center") + motion)
    everything = mpi.gather(MPI.COMM_WORLD, contacts)      # on rank 0

Its place is a build with WIDEPHASE_MPI=ON; it needs mpi4py (Debian: python3-mpi4py).
"""

try:
    import mpi4py.MPI as _mpi4py  # noqa: F401  it begins MPI, and ends it
except ImportError as _error:
    raise ImportError("widephase.mpi needs mpi4py (Debian: python3-mpi4py)") from _error

try:
    from ._mpi import DistributedScene, DistributedTracker, content_hash, gather
except ModuleNotFoundError as _error:
    if _error.name != "widephase._mpi":
        raise
    raise ImportError("this widephase was built without MPI: configure it with -DWIDEPHASE_MPI=ON, where MPI and "
                      "Zoltan are (Debian: libopenmpi-dev libtrilinos-zoltan-dev)") from None

__all__ = ["DistributedScene", "DistributedTracker", "content_hash", "gather"]

for _name in __all__:
    globals()[_name].__module__ = "widephase.mpi"
del _name
