"""closest_points: its two answers have names."""

from typing import Any, NamedTuple

from . import _widephase


class ClosestToSegment(NamedTuple):
    """The point of each segment that is nearest to each point: n rows."""

    point: Any  #: (n, d) positions on the segment
    parameter: Any  #: (n,) 0 where the segment begins, 1 at its end
    distance: Any  #: (n,) lengths


class ClosestOfSegments(NamedTuple):
    """The nearest points of two segments: n rows."""

    first: Any  #: (n, d) positions on the first segment
    second: Any  #: (n, d) positions on the second
    first_parameter: Any  #: (n,) 0 where the segment begins, 1 at its end
    second_parameter: Any  #: (n,) likewise
    distance: Any  #: (n,) lengths


def closest_points(a, b, c, d=None, *, isa="widest"):
    """The nearest points of points and segments, or of two segments, row by row.

    closest_points(point, a, b) is a ClosestToSegment: the point of segment a-b nearest to `point`.
    closest_points(a, b, c, d) is a ClosestOfSegments: the nearest points of segments a-b and c-d.
    All are positions (n, d), of one unit of length. Computed in float64 if one of them is an array of it.

      isa: the instruction set, which changes no bit
    """
    if d is None:
        return ClosestToSegment(*_widephase._closest_points(a, b, c, isa=isa))
    return ClosestOfSegments(*_widephase._closest_points(a, b, c, d, isa=isa))
