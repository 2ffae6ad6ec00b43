import os
import pathlib
from typing import Any, Callable, Iterator, Literal, NamedTuple, Optional, Sequence, SupportsIndex, Union, overload

import numpy
from numpy.typing import NDArray

Array = NDArray[Any]
Path = Union[str, "os.PathLike[str]"]
# A word, or NumPy's type for one, such as numpy.float32.
Precision = Union[Literal["float32", "float64", "float", "double", "mixed"], type, "numpy.dtype[Any]"]
Order = Literal["kind", "source", "id", "world"]
Method = Literal["auto", "sat", "gjk_epa"]
# An array, or what gives one by DLPack or __array__; every call reads it anew. Lists and scalars are copied.
Column = Union[Array, Sequence[Any], float, Any]
Mask = Union[Array, Sequence[int]]
# (min, max, periodic)
Box = tuple[Sequence[float], Sequence[float], Sequence[bool]]

__version__: str
__all__: list[str]

class Error(ValueError):
    array: Optional[str]
    row: Optional[int]

class CapacityError(Error):
    pairs: int
    contacts: int
    points: int
    exact: bool

class wxyz:
    def __init__(self, rows: Array) -> None: ...
    @property
    def rows(self) -> Array: ...

class Table:
    center: Any
    radius: Any
    a: Any
    b: Any
    min: Any
    max: Any
    angle: Any
    orientation: Any
    half_extents: Any
    half_height: Any
    rounding: Any
    geometry: Any
    normal: Any
    offset: Any
    world: Any
    category: Any
    mask: Any
    owner: Any
    fixed: Any
    margin: Any
    key: Any
    body: Any
    position: Any
    def set(
        self,
        *,
        center: Column = ...,
        radius: Column = ...,
        a: Column = ...,
        b: Column = ...,
        min: Column = ...,
        max: Column = ...,
        angle: Column = ...,
        orientation: Union[Column, wxyz] = ...,
        half_extents: Column = ...,
        half_height: Column = ...,
        rounding: Column = ...,
        geometry: Column = ...,
        normal: Column = ...,
        offset: Column = ...,
        world: Column = ...,
        category: Column = ...,
        mask: Column = ...,
        owner: Column = ...,
        fixed: Column = ...,
        margin: Column = ...,
        key: Column = ...,
        body: Column = ...,
        position: Column = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    def _repr_html_(self) -> str: ...
    def __getitem__(self, index: Any) -> Rows: ...
    @property
    def columns(self) -> list[str]: ...
    @property
    def kind(self) -> str: ...
    @property
    def first_id(self) -> int: ...

class Rows:
    center: Any
    radius: Any
    a: Any
    b: Any
    min: Any
    max: Any
    angle: Any
    orientation: Any
    half_extents: Any
    half_height: Any
    rounding: Any
    geometry: Any
    normal: Any
    offset: Any
    world: Any
    category: Any
    mask: Any
    owner: Any
    fixed: Any
    margin: Any
    key: Any
    body: Any
    position: Any
    def set(
        self,
        *,
        center: Column = ...,
        radius: Column = ...,
        a: Column = ...,
        b: Column = ...,
        min: Column = ...,
        max: Column = ...,
        angle: Column = ...,
        orientation: Union[Column, wxyz] = ...,
        half_extents: Column = ...,
        half_height: Column = ...,
        rounding: Column = ...,
        geometry: Column = ...,
        normal: Column = ...,
        offset: Column = ...,
        world: Column = ...,
        category: Column = ...,
        mask: Column = ...,
        owner: Column = ...,
        fixed: Column = ...,
        margin: Column = ...,
        key: Column = ...,
        body: Column = ...,
        position: Column = ...,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def ids(self) -> NDArray[numpy.int32]: ...

class Geometries:
    def __init__(
        self,
        dimension: int,
        precision: Precision = "float32",
        vertices: Optional[Column] = None,
        offsets: Optional[Column] = None,
        inner: Optional[Column] = None,
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    @property
    def precision(self) -> str: ...
    @property
    def vertices(self) -> Array: ...
    @property
    def offsets(self) -> NDArray[numpy.int64]: ...
    @property
    def inner(self) -> NDArray[numpy.uint8]: ...
    def add(self, points: Column) -> int: ...
    def add_enclosing(self, points: Column, max_vertices: int) -> tuple[int, float]: ...
    def add_box(self, half_extents: Sequence[float]) -> int: ...
    def add_regular_polygon(self, count: int, circumradius: float) -> int: ...
    def add_capsule(self, half_length: float, radius: float, arc_segments: int) -> int: ...
    def add_tetrahedron(self, circumradius: float) -> int: ...
    def add_cylinder(self, sides: int, half_height: float, radius: float) -> int: ...
    def add_cone(self, sides: int, half_height: float, radius: float) -> int: ...
    def add_icosphere(self, subdivisions: int, radius: float) -> int: ...
    def measures(self, index: int) -> dict[str, Any]: ...
    def topology(self, index: int) -> dict[str, Array]: ...
    def edge_normals(self, index: int) -> Array: ...

class HeightfieldGeometries:
    @property
    def heights(self) -> Optional[Array]: ...
    @property
    def offsets(self) -> Optional[NDArray[numpy.int64]]: ...
    @property
    def columns(self) -> Optional[NDArray[numpy.int32]]: ...
    @property
    def cell(self) -> Optional[Array]: ...
    @property
    def neighbours(self) -> Optional[NDArray[numpy.int32]]: ...
    def __len__(self) -> int: ...
    def set(
        self,
        *,
        heights: Optional[Column] = None,
        offsets: Optional[Column] = None,
        columns: Optional[Column] = None,
        cell: Optional[Column] = None,
        neighbours: Optional[Column] = None,
    ) -> None: ...
    def add(self, heights: Column, cell: Union[float, Sequence[float]]) -> int: ...
    def triangle(self, index: int, triangle: int) -> Array: ...

class MeshGeometries:
    @property
    def vertices(self) -> Optional[Array]: ...
    @property
    def vertex_offsets(self) -> Optional[NDArray[numpy.int64]]: ...
    @property
    def indices(self) -> Optional[NDArray[numpy.int32]]: ...
    @property
    def triangle_offsets(self) -> Optional[NDArray[numpy.int64]]: ...
    @property
    def two_sided(self) -> Optional[NDArray[numpy.uint8]]: ...
    @property
    def beyond(self) -> Optional[NDArray[numpy.int32]]: ...
    def __len__(self) -> int: ...
    def set(
        self,
        *,
        vertices: Optional[Column] = None,
        vertex_offsets: Optional[Column] = None,
        indices: Optional[Column] = None,
        triangle_offsets: Optional[Column] = None,
        two_sided: Optional[Column] = None,
        beyond: Optional[Column] = None,
    ) -> None: ...
    def add(
        self, vertices: Column, indices: Column, two_sided: bool = False, beyond: int = 0
    ) -> int: ...
    def summary(self, index: int) -> dict[str, int]: ...

class ChainGeometries:
    @property
    def vertices(self) -> Optional[Array]: ...
    @property
    def offsets(self) -> Optional[NDArray[numpy.int64]]: ...
    @property
    def loop(self) -> Optional[NDArray[numpy.uint8]]: ...
    @property
    def two_sided(self) -> Optional[NDArray[numpy.uint8]]: ...
    @property
    def before(self) -> Optional[NDArray[numpy.int32]]: ...
    @property
    def after(self) -> Optional[NDArray[numpy.int32]]: ...
    def __len__(self) -> int: ...
    def set(
        self,
        *,
        vertices: Optional[Column] = None,
        offsets: Optional[Column] = None,
        loop: Optional[Column] = None,
        two_sided: Optional[Column] = None,
        before: Optional[Column] = None,
        after: Optional[Column] = None,
    ) -> None: ...
    def add(
        self,
        vertices: Column,
        loop: bool = False,
        two_sided: bool = False,
        before: int = 0,
        after: int = 0,
    ) -> int: ...

class Decomposed:
    @property
    def parts(self) -> Geometries: ...
    @property
    def area(self) -> float: ...
    @property
    def part_count(self) -> int: ...
    @property
    def vertex_count(self) -> int: ...
    @property
    def duplicate_points(self) -> int: ...
    @property
    def cancelled_edges(self) -> int: ...
    @property
    def dropped_rings(self) -> int: ...
    @property
    def is_repaired(self) -> bool: ...

class Scene:
    geometries: Geometries
    excluded: Any
    excluded_owners: Any
    excluded_bodies: Any
    pairs: Any
    names: Any
    body_names: Any
    frames: Any
    def __init__(self, dimension: int, precision: Optional[Precision] = None) -> None: ...
    def __len__(self) -> int: ...
    @property
    def dimension(self) -> int: ...
    @property
    def precision(self) -> str: ...
    @property
    def kinds(self) -> list[str]: ...
    @property
    def world_count(self) -> int: ...
    @property
    def circles(self) -> Table: ...
    @property
    def spheres(self) -> Table: ...
    @property
    def capsules(self) -> Table: ...
    @property
    def aabbs(self) -> Table: ...
    @property
    def boxes(self) -> Table: ...
    @property
    def polygons(self) -> Table: ...
    @property
    def hulls(self) -> Table: ...
    @property
    def cylinders(self) -> Table: ...
    @property
    def halfspaces(self) -> Table: ...
    @property
    def ellipsoids(self) -> Table: ...
    @property
    def cones(self) -> Table: ...
    @property
    def heightfields(self) -> Table: ...
    @property
    def heightfield_geometries(self) -> HeightfieldGeometries: ...
    @property
    def meshes(self) -> Table: ...
    @property
    def mesh_geometries(self) -> MeshGeometries: ...
    @property
    def chains(self) -> Table: ...
    @property
    def chain_geometries(self) -> ChainGeometries: ...
    @property
    def bodies(self) -> Table: ...
    @property
    def domain(self) -> Optional[tuple[tuple[float, ...], tuple[float, ...], tuple[bool, ...]]]: ...
    def set_domain(
        self,
        min: Sequence[float],
        max: Sequence[float],
        periodic: Optional[Sequence[bool]] = None,
    ) -> None: ...
    def clear_domain(self) -> None: ...
    def notes(self) -> list[tuple[str, int, str]]: ...
    def validate(self, margin: float = 0.0, limit: int = 1) -> list[tuple[str, int, str]]: ...
    def locate(
        self, ids: Union[NDArray[numpy.int32], Sequence[int]], kept: Optional[StaticScene] = None
    ) -> tuple[NDArray[numpy.uint8], NDArray[numpy.int32]]: ...
    def extend(self, other: Scene) -> list[str]: ...
    def save(self, path: Path) -> list[str]: ...
    def view(
        self,
        path: Optional[Path] = None,
        *,
        contacts: Optional[Contacts] = None,
        margin: float = 0.0,
        world: Optional[int] = None,
        show: bool = True,
    ) -> pathlib.Path: ...
    def _repr_html_(self) -> str: ...

class Workspace:
    def __init__(self) -> None: ...

class Contacts:
    @property
    def pair(self) -> NDArray[numpy.int32]: ...
    @property
    def source(self) -> NDArray[numpy.int64]: ...
    @property
    def normal(self) -> Array: ...
    @property
    def depth(self) -> Array: ...
    @property
    def status(self) -> NDArray[numpy.uint8]: ...
    @property
    def offset(self) -> NDArray[numpy.int64]: ...
    @property
    def point(self) -> Array: ...
    @property
    def point_depth(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def part(self) -> NDArray[numpy.int32]: ...
    @property
    def world_offset(self) -> NDArray[numpy.int64]: ...
    @property
    def world(self) -> NDArray[numpy.int32]: ...
    @property
    def frame(self) -> Optional[NDArray[numpy.int64]]: ...
    @property
    def kind(self) -> NDArray[numpy.str_]: ...
    @property
    def row(self) -> NDArray[numpy.int32]: ...
    @property
    def key(self) -> NDArray[numpy.int64]: ...
    @property
    def body(self) -> NDArray[numpy.int32]: ...
    @property
    def kept(self) -> Optional[NDArray[numpy.uint8]]: ...
    @property
    def name(self) -> NDArray[numpy.str_]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex) -> Contact: ...
    @overload
    def __getitem__(self, index: Union[slice, Array, Sequence[int]]) -> Contacts: ...
    def __iter__(self) -> Iterator[Contact]: ...
    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> Array: ...
    def to_numpy(self, points: bool = False) -> Array: ...
    def hash(self) -> str: ...
    def _repr_html_(self) -> str: ...
    def save(self, path: Path) -> None: ...
    @staticmethod
    def load(path: Path) -> Contacts: ...

class Contact:
    @property
    def pair(self) -> tuple[int, int]: ...
    @property
    def source(self) -> numpy.int64: ...
    @property
    def normal(self) -> Array: ...
    @property
    def depth(self) -> Any: ...
    @property
    def status(self) -> numpy.uint8: ...
    @property
    def point(self) -> Array: ...
    @property
    def point_depth(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def part(self) -> NDArray[numpy.int32]: ...
    @property
    def world(self) -> numpy.int32: ...
    @property
    def frame(self) -> Optional[numpy.int64]: ...
    @property
    def kind(self) -> tuple[str, str]: ...
    @property
    def row(self) -> tuple[int, int]: ...
    @property
    def key(self) -> tuple[int, int]: ...
    @property
    def body(self) -> tuple[int, int]: ...
    @property
    def name(self) -> tuple[str, str]: ...

class Ended:
    @property
    def pair(self) -> NDArray[numpy.int32]: ...
    @property
    def key(self) -> NDArray[numpy.int64]: ...
    @property
    def world(self) -> NDArray[numpy.int32]: ...
    @property
    def contact(self) -> NDArray[numpy.int64]: ...
    @property
    def kept(self) -> NDArray[numpy.uint8]: ...
    def __len__(self) -> int: ...

class Tracker:
    def __init__(self) -> None: ...
    @property
    def last_contact(self) -> NDArray[numpy.int64]: ...
    @property
    def last_point(self) -> NDArray[numpy.int64]: ...
    @property
    def ended(self) -> Ended: ...
    def forget(self, worlds: Union[Mask, Column, SupportsIndex, None] = None) -> None: ...

class Environment:
    def __init__(self, scene: Scene) -> None: ...
    @staticmethod
    def points(xyz: Column, radius: float, *, threads: int = 0) -> Environment: ...
    def __len__(self) -> int: ...
    @property
    def world_count(self) -> int: ...

class Robot:
    @staticmethod
    def load(
        path: Path,
        *,
        srdf: Optional[Path] = None,
        excluded_links: Sequence[tuple[str, str]] = [],
        format: Optional[str] = None,
        precision: Optional[Precision] = None,
        max_vertices: int = 0,
        package_path: Sequence[Path] = [],
        allow_files: Sequence[Path] = [],
        keyframe: str = "",
        surface: bool = False,
        weld: Optional[float] = None,
    ) -> Robot: ...
    # With limits="status" a third array, (n,) uint8.
    def place(
        self,
        q: Column,
        *,
        frames: Literal["bodies", "links"] = "bodies",
        limits: Literal["ignore", "error", "status"] = "ignore",
        threads: int = 0,
        isa: str = "widest",
    ) -> tuple[Array, ...]: ...
    def any_contact(
        self,
        q: Column,
        environment: Optional[Environment] = None,
        *,
        worlds: Optional[NDArray[numpy.int32]] = None,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
    ) -> NDArray[numpy.bool_]: ...
    def first_contact(
        self,
        q: Column,
        environment: Optional[Environment] = None,
        *,
        worlds: Optional[NDArray[numpy.int32]] = None,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
    ) -> dict[str, NDArray[numpy.int32]]: ...
    def contacts(
        self,
        q: Column,
        environment: Optional[Environment] = None,
        *,
        worlds: Optional[NDArray[numpy.int32]] = None,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
    ) -> dict[str, NDArray[Any]]: ...
    def check_motions(
        self,
        start: Column,
        end: Column,
        environment: Optional[Environment] = None,
        *,
        worlds: Optional[NDArray[numpy.int32]] = None,
        resolution: float = 0.03125,
        proof: bool = False,
        least_width: float = 0.001,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
    ) -> tuple[NDArray[numpy.uint8], NDArray[numpy.float64]]: ...
    def min_distance(
        self,
        q: Column,
        environment: Optional[Environment] = None,
        *,
        worlds: Optional[NDArray[numpy.int32]] = None,
        limit: Optional[float] = None,
        gradient: bool = False,
        threads: int = 0,
        isa: str = "widest",
    ) -> dict[str, NDArray[Any]]: ...
    def learn_allowed(
        self, n: int, seed: int = 1, *, margin: float = 0.0, threads: int = 0, isa: str = "widest"
    ) -> LearnedPairs: ...
    def attached(
        self,
        name: str,
        link: str,
        scene: Scene,
        *,
        position: Sequence[float] = (0, 0, 0),
        orientation: Sequence[float] = (0, 0, 0, 1),
        allowed: Sequence[str] = (),
    ) -> Robot: ...
    def detached(self, name: str) -> Robot: ...
    @property
    def attachments(self) -> list[str]: ...
    def scene(self, q: Column, threads: int = 0) -> Scene: ...
    @property
    def shapes(self) -> Scene: ...
    @property
    def value_names(self) -> list[str]: ...
    @property
    def start(self) -> NDArray[numpy.float64]: ...
    @property
    def limits(self) -> NDArray[numpy.float64]: ...
    @property
    def body_names(self) -> list[str]: ...
    @property
    def link_names(self) -> list[str]: ...
    @property
    def link_bodies(self) -> NDArray[numpy.int32]: ...

class LearnedPairs:
    @property
    def samples(self) -> int: ...
    @property
    def links(self) -> NDArray[numpy.int32]: ...
    @property
    def contacts(self) -> NDArray[numpy.int64]: ...
    @property
    def always(self) -> list[tuple[str, str]]: ...
    @property
    def never(self) -> list[tuple[str, str]]: ...
    @property
    def neighbours(self) -> list[tuple[str, str]]: ...
    def write_srdf(self, path: Path) -> None: ...

class StaticScene:
    def __init__(
        self,
        scene: Scene,
        *,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
        flush_tolerance: float = 0.0,
        keeps_order: bool = False,
        workspace: Optional[Workspace] = None,
    ) -> None: ...
    def rebuild(
        self,
        scene: Scene,
        *,
        margin: float = 0.0,
        threads: int = 0,
        isa: str = "widest",
        flush_tolerance: float = 0.0,
        keeps_order: bool = False,
        workspace: Optional[Workspace] = None,
    ) -> None: ...
    def update(
        self,
        scene: Scene,
        ids: Column,
        *,
        threads: int = 0,
        isa: str = "widest",
        workspace: Optional[Workspace] = None,
    ) -> None: ...
    def __len__(self) -> int: ...

class Distances:
    @property
    def pair(self) -> NDArray[numpy.int32]: ...
    @property
    def distance(self) -> Array: ...
    @property
    def normal(self) -> Array: ...
    @property
    def point_a(self) -> Array: ...
    @property
    def point_b(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def status(self) -> NDArray[numpy.uint8]: ...
    @property
    def found(self) -> NDArray[numpy.bool_]: ...
    def __len__(self) -> int: ...

class BoundsTree:
    def __init__(
        self,
        min: Column,
        max: Column,
        domain: Optional[Box] = None,
        *,
        world: Optional[Column] = None,
        category: Optional[Column] = None,
        mask: Optional[Column] = None,
        owner: Optional[Column] = None,
        fixed: Optional[Column] = None,
        body: Optional[Column] = None,
        threads: int = 0,
        isa: str = "widest",
    ) -> None: ...
    def __len__(self) -> int: ...
    def find_pairs(
        self,
        min: Column,
        max: Column,
        *,
        world: Optional[Column] = None,
        category: Optional[Column] = None,
        mask: Optional[Column] = None,
        owner: Optional[Column] = None,
        fixed: Optional[Column] = None,
        body: Optional[Column] = None,
        threads: int = 0,
        isa: str = "widest",
        excluded: Optional[Column] = None,
        excluded_owners: Optional[Column] = None,
        excluded_bodies: Optional[Column] = None,
        world_mask: Optional[Mask] = None,
        max_pairs: Optional[int] = None,
    ) -> NDArray[numpy.int32]: ...

class ClosestToSegment(NamedTuple):
    point: Array
    parameter: Array
    distance: Array

class ClosestOfSegments(NamedTuple):
    first: Array
    second: Array
    first_parameter: Array
    second_parameter: Array
    distance: Array

class Support:
    @property
    def point(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    def __len__(self) -> int: ...

class NearestHits:
    @property
    def shape(self) -> NDArray[numpy.int32]: ...
    @property
    def distance(self) -> Array: ...
    @property
    def normal(self) -> Array: ...
    @property
    def point(self) -> Array: ...
    @property
    def found(self) -> NDArray[numpy.bool_]: ...
    def __len__(self) -> int: ...

class CastHits:
    @property
    def shape(self) -> NDArray[numpy.int32]: ...
    @property
    def t(self) -> Array: ...
    @property
    def normal(self) -> Array: ...
    @property
    def point(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def status(self) -> NDArray[numpy.uint8]: ...
    @property
    def depth(self) -> Array: ...
    @property
    def part(self) -> NDArray[numpy.int32]: ...
    @property
    def found(self) -> NDArray[numpy.bool_]: ...
    def __len__(self) -> int: ...

class Impacts:
    @property
    def pair(self) -> NDArray[numpy.int32]: ...
    @property
    def t(self) -> Array: ...
    @property
    def normal(self) -> Array: ...
    @property
    def point(self) -> Array: ...
    @property
    def depth(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def status(self) -> NDArray[numpy.uint8]: ...
    @property
    def part(self) -> NDArray[numpy.int32]: ...
    @property
    def found(self) -> NDArray[numpy.bool_]: ...
    def __len__(self) -> int: ...

class RayHits:
    @property
    def shape(self) -> NDArray[numpy.int32]: ...
    @property
    def t(self) -> Array: ...
    @property
    def normal(self) -> Array: ...
    @property
    def point(self) -> Array: ...
    @property
    def feature(self) -> NDArray[numpy.uint32]: ...
    @property
    def status(self) -> NDArray[numpy.uint8]: ...
    @property
    def part(self) -> NDArray[numpy.int32]: ...
    @property
    def found(self) -> NDArray[numpy.bool_]: ...
    def __len__(self) -> int: ...

def isas() -> list[str]: ...
def chosen_isa(isa: str = "widest") -> str: ...
def load(
    path: Path,
    *,
    format: Optional[str] = None,
    precision: Optional[Precision] = None,
    radius: Optional[float] = None,
    unit: str = "",
    dimension: int = 0,
    periodic: str = "",
    max_vertices: int = 0,
    joints: Union[Path, Column] = "",
    style: str = "",
    allow_files: Sequence[Path] = [],
    keyframe: str = "",
    package_path: Sequence[Path] = [],
    world: Optional[int] = None,
    ignore_columns: bool = False,
    surface: bool = False,
    weld: Optional[float] = None,
    srdf: Optional[Path] = None,
) -> Scene: ...
def collide(
    scene: Scene,
    *,
    margin: float = 0.0,
    order: Order = "kind",
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    tracker: Optional[Tracker] = None,
    steadiness: float = 0.0,
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    max_contacts: Optional[int] = None,
    max_points: Optional[int] = None,
    most_patches: int = 0,
    patch_angle: float = 5.0,
    flush_tolerance: float = 0.0,
    keeps_order: bool = False,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> Contacts: ...
def collide_pairs(
    scene: Scene,
    pairs: Column,
    *,
    margin: float = 0.0,
    order: Order = "kind",
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    tracker: Optional[Tracker] = None,
    steadiness: float = 0.0,
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_contacts: Optional[int] = None,
    max_points: Optional[int] = None,
    most_patches: int = 0,
    patch_angle: float = 5.0,
    flush_tolerance: float = 0.0,
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> Contacts: ...
def stream_collide(
    scene: Scene,
    take: Callable[[Contacts], Any],
    *,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    most_patches: int = 0,
    patch_angle: float = 5.0,
    flush_tolerance: float = 0.0,
    keeps_order: bool = False,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> None: ...
def distance(
    scene: Scene,
    pairs: Column,
    *,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> Distances: ...
def min_distance(
    scene: Scene,
    *,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> Distances: ...
def support(
    scene: Scene,
    ids: Column,
    direction: Column,
    *,
    threads: int = 0,
    isa: str = "widest",
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> Support: ...
def cast_rays(
    kept: StaticScene,
    origin: Column,
    direction: Column,
    *,
    max_t: Optional[Column] = None,
    world: Optional[Column] = None,
    category: Optional[Column] = None,
    mask: Optional[Column] = None,
    owner: Optional[Column] = None,
    body: Optional[Column] = None,
    excluded: Optional[Column] = None,
    excluded_owners: Optional[Column] = None,
    excluded_bodies: Optional[Column] = None,
    inside: Literal["hit", "leave", "exit"] = "hit",
    normals: bool = True,
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    workspace: Optional[Workspace] = None,
) -> RayHits: ...
def any_hit(
    kept: StaticScene,
    origin: Column,
    direction: Column,
    *,
    max_t: Optional[Column] = None,
    world: Optional[Column] = None,
    category: Optional[Column] = None,
    mask: Optional[Column] = None,
    owner: Optional[Column] = None,
    body: Optional[Column] = None,
    excluded: Optional[Column] = None,
    excluded_owners: Optional[Column] = None,
    excluded_bodies: Optional[Column] = None,
    inside: Literal["hit", "leave", "exit"] = "hit",
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    workspace: Optional[Workspace] = None,
) -> NDArray[numpy.bool_]: ...
def cast_shapes(
    moving: Scene,
    direction: Column,
    kept: StaticScene,
    *,
    max_t: Optional[Column] = None,
    start_overlap: Literal["report", "leave_apart", "pass"] = "report",
    tolerance: float = 0.0,
    normals: bool = True,
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    workspace: Optional[Workspace] = None,
) -> CastHits: ...
def cast_pairs(
    scene: Scene,
    pairs: Column,
    direction: Column,
    *,
    max_t: Optional[Column] = None,
    start_overlap: Literal["report", "leave_apart", "pass"] = "report",
    tolerance: float = 0.0,
    normals: bool = True,
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> CastHits: ...
def nearest(
    kept: StaticScene,
    points: Column,
    k: int = 1,
    max_distance: Optional[float] = None,
    *,
    world: Optional[Column] = None,
    category: Optional[Column] = None,
    mask: Optional[Column] = None,
    owner: Optional[Column] = None,
    body: Optional[Column] = None,
    excluded: Optional[Column] = None,
    excluded_owners: Optional[Column] = None,
    excluded_bodies: Optional[Column] = None,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    workspace: Optional[Workspace] = None,
) -> NearestHits: ...
def any_overlap(
    moving: Scene,
    kept: StaticScene,
    *,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    workspace: Optional[Workspace] = None,
) -> NDArray[numpy.bool_]: ...
def time_of_impact(
    scene: Scene,
    pairs: Column,
    *,
    position_end: Optional[Column] = None,
    angle_end: Optional[Column] = None,
    orientation_end: Optional[Column] = None,
    start_overlap: Literal["report", "leave_apart", "pass"] = "report",
    tolerance: float = 0.0,
    normals: bool = True,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> Impacts: ...
def first_impacts(
    scene: Scene,
    *,
    position_end: Optional[Column] = None,
    angle_end: Optional[Column] = None,
    orientation_end: Optional[Column] = None,
    start_overlap: Literal["report", "leave_apart", "pass"] = "report",
    tolerance: float = 0.0,
    normals: bool = True,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> Impacts: ...
def any_contact(
    scene: Scene,
    *,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    keeps_order: bool = False,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> NDArray[numpy.bool_]: ...
def test_pairs(
    scene: Scene,
    pairs: Column,
    *,
    margin: float = 0.0,
    method: Method = "auto",
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    kept: Optional[StaticScene] = None,
    workspace: Optional[Workspace] = None,
) -> NDArray[numpy.bool_]: ...
def find_pairs(
    scene: Scene,
    *,
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    max_pairs: Optional[int] = None,
    flush_tolerance: float = 0.0,
    keeps_order: bool = False,
    kept: Optional[StaticScene] = None,
    moving_pairs: bool = True,
    workspace: Optional[Workspace] = None,
) -> NDArray[numpy.int32]: ...
def bounds(
    scene: Scene,
    *,
    margin: float = 0.0,
    threads: int = 0,
    isa: str = "widest",
    world_mask: Optional[Mask] = None,
    world_status: Optional[NDArray[numpy.uint8]] = None,
    flush_tolerance: float = 0.0,
    workspace: Optional[Workspace] = None,
) -> tuple[Array, Array]: ...
def place(scene: Scene, threads: int = 0) -> Scene: ...
def replicate(scene: Scene, world_count: int) -> Scene: ...
def contact_bodies(
    scene: Scene, contacts: Contacts, kept: Optional[StaticScene] = None
) -> NDArray[numpy.int32]: ...
def decompose(rings: Sequence[Column], parts: Optional[Geometries] = None) -> Decomposed: ...
def translate(scene: Scene, offset: Sequence[float]) -> Scene: ...
def rotate(scene: Scene, angle: float, about: Sequence[float]) -> Scene: ...
def scale(scene: Scene, factor: float, about: Optional[Sequence[float]] = None) -> Scene: ...
def closest_points(
    a: Column, b: Column, c: Column, d: Optional[Column] = None, *, isa: str = "widest"
) -> Union[ClosestToSegment, ClosestOfSegments]: ...
