// Images of shapes and contacts across the sides of a periodic domain: where the domain shows them.

/** How many lengths of the domain apart images are looked for, however far from it a file keeps its shapes. */
const kMostImages = 4;

/**
 * A domain as the page has it: its corners, and along which axes it is periodic. `slack` is a length under which an
 * overlap is rounding.
 */
export function domainOf(low, high, periodic, slack) {
  const sides = [0, 1, 2].map((axis) => (periodic[axis] ? high[axis] - low[axis] : 0));

  /** The shifts along an axis, in lengths of the domain, that bring an interval into it. */
  function shiftsAlong(axis, least, most) {
    if (!periodic[axis]) return [0];
    const from = Math.floor((low[axis] + slack - most) / sides[axis]) + 1;
    const to = Math.ceil((high[axis] - slack - least) / sides[axis]) - 1;
    const result = [];
    for (let k = from; k <= to && result.length < kMostImages; ++k) result.push(k);
    return result;
  }

  /** Calls `visit` with every shift, as numbers of lengths, under which a box overlaps the domain. */
  function eachImage(least, most, visit) {
    const along = [0, 1, 2].map((axis) => shiftsAlong(axis, least[axis], most[axis]));
    for (const x of along[0]) for (const y of along[1]) for (const z of along[2]) visit([x, y, z]);
  }

  return {
    eachImage,
    isPeriodic: (axis) => periodic[axis],
    /** What a shift in lengths of the domain is on the page. */
    shiftOf: (lengths) => lengths.map((count, axis) => count * sides[axis]),
    /** Whether a ball overlaps the domain; axes that are not periodic have no sides. */
    meetsBall(center, radius) {
      let away = 0;
      for (let axis = 0; axis < 3; ++axis) {
        if (!periodic[axis]) continue;
        const beyond = Math.max(low[axis] - center[axis], center[axis] - high[axis], 0);
        away += beyond * beyond;
      }
      return away < (radius - slack) * (radius - slack);
    },
    /** The shift that brings `place` as near as may be to `other`. */
    nearest: (place, other) => [0, 1, 2].map((axis) => (periodic[axis] ? Math.round((other[axis] - place[axis]) / sides[axis]) : 0)),
    /** The shift that brings a point into the domain. */
    inside: (point) => [0, 1, 2].map((axis) => (periodic[axis] && (point[axis] < low[axis] - slack || point[axis] > high[axis] + slack)
      ? -Math.floor((point[axis] - low[axis]) / sides[axis]) : 0)),
  };
}

/** The bounds [least, most] of an instance: its mesh, twelve numbers of axes and place (balls: four) and rounding. */
export function boundsOf(mesh, frame, rounding, positions) {
  if (mesh === "ball") {
    const [x, y, z, radius] = frame;
    return [[x - radius, y - radius, z - radius], [x + radius, y + radius, z + radius]];
  }
  const least = [0, 0, 0], most = [0, 0, 0];
  for (let k = 0; k < 3; ++k) {
    const x = frame[k], y = frame[3 + k], z = frame[6 + k], place = frame[9 + k];
    let down = 0, up = 0;
    if (positions) {
      down = Infinity, up = -Infinity;
      for (let p = 0; p < positions.length; p += 3) {
        const at = x * positions[p] + y * positions[p + 1] + z * positions[p + 2];
        down = Math.min(down, at), up = Math.max(up, at);
      }
    } else if (mesh.endsWith("cone")) {
      const disc = Math.hypot(x, y);
      down = Math.min(-z - disc, z), up = Math.max(disc - z, z);
    } else {
      up = mesh === "box" ? Math.abs(x) + Math.abs(y) + Math.abs(z)
         : mesh.endsWith("cylinder") ? Math.hypot(x, y) + Math.abs(z) : Math.hypot(x, y, z);
      down = -up;
    }
    least[k] = place + down - rounding;
    most[k] = place + up + rounding;
  }
  return [least, most];
}

/** The longest of 1, 2 and 5 times a power of ten that is not longer than `most`. */
export function roundLength(most) {
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  return [5, 2, 1].map((times) => times * power).find((length) => length <= most * (1 + 1e-9)) ?? power;
}
