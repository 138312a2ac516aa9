// The graph as it stands in the file: columns of numbers, one for each node or reference.

import { words } from './words.js';
import { count } from './elements.js';

const widths = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

function column({ width, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  return new widths[width](bytes.buffer);
}

export const graph = JSON.parse(document.getElementById('graph').textContent);
const columns = ['address', 'words', 'type', 'strong', 'unowned', 'finding', 'first', 'target', 'label', 'moreOut',
  'moreIn', 'allocatedAt', 'retained', 'retainedBlocks'];
for (const name of columns) if (graph[name]) graph[name] = column(graph[name]);
graph.suspended = new Map(graph.suspended ?? []);
graph.rootOf = new Map([...graph.roots].reverse());
graph.findings.forEach((finding, number) => { finding.number = number; });

/** Who refers to each node, as `first` and `target` tell to whom it refers. */
const reversed = (() => {
  const first = new Uint32Array(graph.count + 1);
  for (const target of graph.target) first[target + 1] += 1;
  for (let node = 0; node < graph.count; node += 1) first[node + 1] += first[node];
  const next = first.slice();
  const edges = new Uint32Array(graph.target.length);
  const source = new Uint32Array(graph.target.length);
  for (let node = 0; node < graph.count; node += 1) {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) {
      source[edge] = node;
      edges[next[graph.target[edge]]] = edge;
      next[graph.target[edge]] += 1;
    }
  }
  return { first, edges, source };
})();

export const typeOf = (node) => graph.types[graph.type[node]];
export const addressOf = (node) => `0x${graph.address[node].toString(16)}`;
export const bytesOf = (node) => graph.words[node] * 8;
export const findingOf = (node) => graph.findings[graph.finding[node] - 1];
export const isLeaked = (node) => findingOf(node)?.isLeak === 1;
/** Whether its type is the program's own, or it was allocated by the program's own code. */
export const isOwn = (node) => typeOf(node).own === 1
  || (graph.stacks?.[(graph.allocatedAt?.[node] ?? 0) - 1] ?? []).some((frame) => graph.frames[frame][2] === 1);
export const typeName = (type) => (type.kind === 'unknown' && type.language === 'unknown' ? words.untyped : type.name);
const untyped = 'untyped block'; // as the names of steps have it
export const shortName = (type) => (type.kind === 'unknown' ? typeName(type) : type.short);

/** References of a node: their places. */
export function referencesOf(node) {
  const all = [];
  for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) all.push(edge);
  return all;
}
export function referrersOf(node) {
  return [...reversed.edges.subarray(reversed.first[node], reversed.first[node + 1])];
}
export const reference = (edge) => ({
  edge, from: reversed.source[edge], to: graph.target[edge], field: graph.labels[graph.label[edge] >>> 2],
  kind: graph.label[edge] & 3,
});
export const isWeak = (edge) => (graph.label[edge] & 3) === 1 || (graph.label[edge] & 3) === 2;

/** A field as it stands behind its object. */
export const suffix = (field) => (field.startsWith('[') ? field : field.startsWith('+') ? ` ${field}` : `.${field}`);

/** How many references there are from a type to others and back, most first: { out, into }, each [type, number]. */
const linksKnown = new Map();
export function linksOf(type) {
  if (linksKnown.has(type)) return linksKnown.get(type);
  const [out, into] = [new Map(), new Map()];
  const add = (map, node) => map.set(graph.type[node], (map.get(graph.type[node]) ?? 0) + 1);
  for (const node of nodesByType[type]) {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) add(out, graph.target[edge]);
    for (let place = reversed.first[node]; place < reversed.first[node + 1]; place += 1) {
      add(into, reversed.source[reversed.edges[place]]);
    }
  }
  const sorted = (map) => [...map].sort((a, b) => b[1] - a[1]);
  linksKnown.set(type, { out: sorted(out), into: sorted(into) });
  return linksKnown.get(type);
}

/** What a finding is, in the reader's language. */
export function titleOf(finding) {
  if (finding.steps) {
    const steps = finding.steps.map(([name, times]) => {
      const read = name.startsWith(untyped) ? words.untyped + name.slice(untyped.length) : name;
      return times > 1 ? `${read} (${words.times(count(times))})` : read;
    });
    if (finding.moreSteps) steps.push(`… (${count(finding.moreSteps)} ${words.more})`);
    return [...steps, words.back].join(' → ');
  }
  const { kind, head } = finding;
  if (head === undefined) return finding.title;
  const type = typeOf(head);
  if (kind === 'over-retained') return words.retainedMore(shortName(type));
  const name = typeName(type);
  // What the same calls have allocated is told together, whatever its size.
  const isSized = type.kind === 'unknown' && !graph.allocatedAt?.[head];
  return words.nothingRefers(isSized ? words.sized(name, count(bytesOf(head))) : name);
}
export const kindOf = (finding) => words[finding.kind] ?? finding.kind;

/** Nodes of each type, those that have leaked first; in the order of addresses. */
export const nodesByType = (() => {
  const first = new Uint32Array(graph.types.length + 1);
  for (const type of graph.type) first[type + 1] += 1;
  for (let type = 0; type < graph.types.length; type += 1) first[type + 1] += first[type];
  const next = first.slice();
  const nodes = new Uint32Array(graph.count);
  const leaked = graph.findings.map((finding) => finding.isLeak === 1);
  for (const wanted of [true, false]) {
    for (let node = 0; node < graph.count; node += 1) {
      if ((leaked[graph.finding[node] - 1] === true) !== wanted) continue;
      nodes[next[graph.type[node]]] = node;
      next[graph.type[node]] += 1;
    }
  }
  return graph.types.map((_, type) => nodes.subarray(first[type], first[type + 1]));
})();
