// How the page calls shapes, bodies and numbers.

import { about, column } from "./data.js";
import { lowerBound } from "./worlds.js";

const told = column("told"), names = column("name"), bodyNames = column("body_name");
const filters = ["body", "owner", "key"].map((name) => [name, column(name)]);

/** A column's value for a shape; null without one. A page of one world has values of its own shapes alone. */
function valueOf(values, id) {
  if (!values) return null;
  const at = told ? lowerBound(told, id) : id;
  return told && told[at] !== id ? null : values[at];
}

function kindAt(id) {
  let kind = 0;
  while (id >= about.first[kind + 1]) ++kind;
  return kind;
}
/** "sphere 20487": a shape's kind and its row in the kind's table. */
export const kindAndRow = (id) => `${about.kinds[kindAt(id)]} ${id - about.first[kindAt(id)]}`;

const textAt = (place) => (place === null || place === undefined || place < 0 ? "" : about.names[place]);
const bodyName = (id) => textAt(bodyNames?.[valueOf(filters[0][1], id) ?? -1]);
/** A shape's name, else its body's, else kind and row. */
export const nameOf = (id) => textAt(valueOf(names, id)) || bodyName(id) || kindAndRow(id);
/** The name with kind and row. */
export const fullNameOf = (id) => (nameOf(id) === kindAndRow(id) ? kindAndRow(id) : `${nameOf(id)} (${kindAndRow(id)})`);

/** Rows [name, text] of the filters of a shape that the scene has. */
export function filtersOf(id) {
  return filters.flatMap(([name, values]) => {
    const value = valueOf(values, id);
    if (value === null) return [];
    if (name !== "key" && value < 0) return [[name, "none"]];
    return [[name, name === "body" && bodyName(id) ? `${bodyName(id)} (body ${value})` : String(value)]];
  });
}

/** Shapes are apart within the margin of a call where the depth is below 0. */
export const verbOf = (depth) => (depth < 0 ? "is near" : "touches");
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;
export const digits = (value) => Number(value.toPrecision(7)).toString();
const kFeatureKinds = ["whole", "vertex", "edge", "face"];
/** Of a shape without triangles `part` is -1 or undefined. */
export const featureText = (code, part) => (code === 0 ? "whole" : `${kFeatureKinds[code >> 14]} ${code & 0x3fff}`) +
  (part >= 0 ? ` of triangle ${part}` : "");
