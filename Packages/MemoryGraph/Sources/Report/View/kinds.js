// The kinds of references, and their dashes, which distinguish them without colour.

import { graph, reference, shortName, suffix, typeOf } from './data.js';
import { count } from './elements.js';
import { words } from './words.js';

export const strong = 0;
const [weak, unowned, unmanaged, conservative] = [1, 2, 3, 4];

/** The lengths of dashes and gaps in pixels. */
export const dashes = [[], [6, 5], [16, 5], [13, 4, 2, 4], [2, 4]];

/** The kind shown by a line that stands for several references: the surest one. */
const surest = [strong, unmanaged, conservative, unowned, weak];
const kindOfEdge = (edge) => graph.kinds[graph.label[edge]];
export const surestKind = (edges) => surest.find((kind) => edges.some((edge) => kindOfEdge(edge) === kind)) ?? strong;

/** The kinds of some references, each once, sorted. */
export const kindsOf = (edges) => [...new Set(edges.map(kindOfEdge))].sort((a, b) => a - b);

const mostTold = 6;

/** References described by source, target and kind, a line for each; for many only their number. */
export function toldOf(edges) {
  if (edges.length > mostTold) {
    return `${count(edges.length)} ${words.references}: ${kindsOf(edges).map((kind) => words.kinds[kind]).join(', ')}`;
  }
  return edges.map(reference).map(({ from, to, field, kind }) => (
    `${shortName(typeOf(from))}${suffix(field)} → ${shortName(typeOf(to))}: ${words.kinds[kind]}`)).join('\n');
}
