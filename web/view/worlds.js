// The worlds of a page: what they are called, and which of them have contacts.

/** `frames`: what the file calls each world; without them worlds are called by their numbers. */
export function worldsOf({ worlds, word, frames = null }) {
  const count = Math.max(1, worlds);
  const byLabel = new Map();
  (frames ?? []).forEach((label, world) => { if (!byLabel.has(label)) byLabel.set(label, world); });
  const labelOf = (world) => frames?.[world] ?? world;
  const withLabel = (label) => (frames ? byLabel.get(label) : label >= 0 && label < count ? label : undefined) ?? null;
  return {
    count,
    word,
    labelOf,
    /** The world of a label, or null. */
    withLabel,
    /** Whether a label names one world, and its name in an address is not `world`, which is for numbers. */
    hasOwnLabels: word !== "world" && (frames === null || byLabel.size === count),
    /** The world whose label is nearest to a number. */
    nearest(label) {
      if (!frames) return Math.min(Math.max(Math.trunc(label), 0), count - 1);
      let best = 0;
      frames.forEach((its, world) => { if (Math.abs(its - label) < Math.abs(frames[best] - label)) best = world; });
      return best;
    },
    /** "frame 2730 (1,318 of 1,657)". */
    textOf(world) {
      const place = `${(world + 1).toLocaleString("en")} of ${count.toLocaleString("en")}`;
      return `${word} ${labelOf(world)} (${place})`;
    },
  };
}

/** The worlds of shapes in contact, ascending. Two shapes of world -1 touch in no world. */
export function worldsInContact(pair, world) {
  const found = new Set();
  for (const id of pair) if (world[id] >= 0) found.add(world[id]);
  return Float64Array.from(found).sort();
}

/** The place of the first number of an ascending array that is not below `value`. */
export function lowerBound(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
