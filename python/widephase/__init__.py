"""widephase finds the contacts of many shapes at once: arrays in, arrays out.

A scene reads your NumPy arrays without copying them. A call returns arrays that own their memory, and
releases the interpreter's lock while it runs. d is 2 or 3; lengths are in the unit of the scene's
positions.

    scene = widephase.Scene(dimension=3)
    scene.spheres.set(center=centers, radius=0.5)    # (n, 3) float32; one radius for all
    contacts = widephase.collide(scene, margin=0.01)
    contacts.pair, contacts.normal, contacts.depth   # (c, 2), (c, 3), (c,)
"""

from ._widephase import (
    CapacityError,
    Contact,
    Contacts,
    Decomposed,
    Distances,
    Ended,
    Error,
    Geometries,
    Scene,
    StaticScene,
    Support,
    Table,
    Tracker,
    Workspace,
    __version__,
    any_contact,
    bounds,
    chosen_isa,
    collide,
    collide_pairs,
    contact_bodies,
    decompose,
    distance,
    find_pairs,
    isas,
    load,
    min_distance,
    place,
    replicate,
    support,
    test_pairs,
    wxyz,
)

__all__ = [
    "CapacityError", "Contact", "Contacts", "Decomposed", "Distances", "Ended", "Error", "Geometries",
    "Scene", "StaticScene", "Support", "Table", "Tracker", "Workspace", "any_contact", "bounds",
    "chosen_isa", "collide", "collide_pairs", "contact_bodies", "decompose", "distance",
    "find_pairs", "isas", "load", "min_distance", "place", "replicate", "support", "test_pairs",
    "wxyz",
]

for _name in __all__:
    globals()[_name].__module__ = "widephase"
del _name
