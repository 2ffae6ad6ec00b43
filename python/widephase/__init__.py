"""widephase finds the contacts of many shapes at once: arrays in, arrays out.

A scene reads your NumPy arrays anew in every call. A call returns arrays that own their memory, and
releases the interpreter's lock while it runs. d is 2 or 3; lengths are in the unit of the scene's
positions.

    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=centers, radius=0.5)    # (n, 3); one radius for all
    contacts = widephase.collide(scene, margin=0.01)
    contacts.pair, contacts.normal, contacts.depth   # (c, 2), (c, 3), (c,)
    centers += 0.01 * velocities                     # in place: the next call sees it

    scene.spheres[2:5].radius = 1                    # some rows
    scene.bodies.set(position=p, orientation=q)      # frames of shapes that name a `body`
    scene.geometries.add(points)                     # hulls and polygons
    scene = widephase.load("robot.urdf", joints=q)   # and scene.save, scene.view

    collide, collide_pairs, stream_collide           contacts: stored, of your pairs, in chunks
    any_contact, min_distance                        one answer per world
    test_pairs, distance, support                    of your pairs and shapes
    cast_rays, any_hit, nearest, any_overlap         rays, points and shapes against what stays
    cast_shapes, cast_pairs                          shapes that move until they touch
    time_of_impact, first_impacts                    bodies that move and rotate until they meet
    find_pairs, bounds, BoundsTree                   the broad phase alone
    Tracker, StaticScene, Workspace                  what persists from step to step
    place, replicate, contact_bodies                 bodies
    Robot, Environment                               joints: poses and contacts of many configurations
    translate, rotate, scale                         whole scenes
    closest_points, decompose, Geometries            points and outlines
    load, isas, chosen_isa                           files, instruction sets

docs/python.md has an example of each.
"""

try:
    import numpy as _numpy  # noqa: F401  so that a lack of it is told here
except ModuleNotFoundError as _error:
    if _error.name != "numpy":
        raise
    raise ImportError("widephase needs NumPy: python -m pip install numpy") from None

from ._closest import ClosestOfSegments, ClosestToSegment, closest_points
from ._widephase import (
    BoundsTree,
    CapacityError,
    CastHits,
    ChainGeometries,
    Contact,
    Contacts,
    Decomposed,
    Distances,
    Ended,
    Environment,
    Error,
    Geometries,
    HeightfieldGeometries,
    Impacts,
    LearnedPairs,
    MeshGeometries,
    NearestHits,
    RayHits,
    Robot,
    Rows,
    Scene,
    StaticScene,
    Support,
    Table,
    Tracker,
    Workspace,
    __version__,
    any_contact,
    any_hit,
    any_overlap,
    bounds,
    cast_pairs,
    cast_rays,
    cast_shapes,
    chosen_isa,
    collide,
    collide_pairs,
    contact_bodies,
    decompose,
    distance,
    find_pairs,
    first_impacts,
    isas,
    load,
    min_distance,
    nearest,
    place,
    replicate,
    rotate,
    scale,
    stream_collide,
    support,
    test_pairs,
    time_of_impact,
    translate,
    wxyz,
)
from . import _show

__all__ = [
    "BoundsTree", "CapacityError", "CastHits", "ChainGeometries", "ClosestOfSegments", "ClosestToSegment", "Contact",
    "Contacts", "Decomposed", "Distances", "Ended", "Environment", "Error", "Geometries",
    "HeightfieldGeometries", "Impacts", "LearnedPairs", "MeshGeometries", "NearestHits", "RayHits", "Robot", "Rows",
    "Scene", "StaticScene", "Support", "Table", "Tracker", "Workspace", "any_contact", "any_hit",
    "any_overlap", "bounds", "cast_pairs", "cast_rays", "cast_shapes", "chosen_isa", "closest_points", "collide",
    "collide_pairs", "contact_bodies", "decompose", "distance", "find_pairs", "first_impacts", "isas", "load",
    "min_distance", "nearest", "place", "replicate", "rotate", "scale",
    "stream_collide", "support", "test_pairs", "time_of_impact", "translate", "wxyz",
]

_show.add_to(Scene, Table, Contacts)

for _name in __all__:
    globals()[_name].__module__ = "widephase"
del _name
