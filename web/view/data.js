// What the page holds: a description, and arrays in one block of bytes.

export const about = JSON.parse(document.getElementById("about").textContent);
const bytes = bytesOf(atob(document.getElementById("data").textContent));
document.getElementById("data").remove();  // it may be hundreds of megabytes

export const isFlat = about.dimension === 2;
export const shapeCount = about.first.at(-1);

function bytesOf(text) {
  const result = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) result[i] = text.charCodeAt(i);
  return result;
}

/** An array of the page's data by its name; null if the page has none. */
export function column(name) {
  if (!about.arrays[name]) return null;
  const { type, begin, count } = about.arrays[name];
  const Type = { f: Float32Array, i: Int32Array, u: Uint32Array, l: BigInt64Array }[type];
  return new Type(bytes.buffer, begin, count);
}

export const world = column("world") ?? new Int32Array(shapeCount);
export const pair = column("pair");
export const normal = column("normal");
export const depth = column("depth");
export const offset = column("offset");
export const point = column("point");
export const pointDepth = column("point_depth");
export const feature = column("feature");
/** Two triangles per point, -1 for none; null if no shape has any. */
export const part = column("part");
const row = column("row");
/** A contact's row in the file of contacts, and the contact of a row, or -1. */
export const rowOf = (i) => row?.[i] ?? i;
export const contactOfRow = (number) => (row ? row.indexOf(number) : number >= 0 && number < depth.length ? number : -1);
export const mostDepth = depth.reduce((most, value) => Math.max(most, value), 0);

/** Shapes of a world, and those of all worlds. */
export const isShown = (id, chosen) => world[id] === chosen || world[id] === -1;
/** In the worlds of its shapes; of two worlds in either. */
export function isContactShown(i, chosen) {
  const a = world[pair[2 * i]], b = world[pair[2 * i + 1]];
  return a === chosen || b === chosen || (a === -1 && b === -1);
}
