// The graph as stored in the file: columns of numbers, one for each node or reference.

import { count } from './elements.js';
import { withoutModules } from './shorten.js';
import { words } from './words.js';

const widths = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array, 8: Float64Array };

function column({ width, data }) {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let place = 0; place < text.length; place += 1) bytes[place] = text.charCodeAt(place);
  return new widths[width](bytes.buffer);
}

export const graph = JSON.parse(document.getElementById('graph').textContent);
const columns = ['address', 'words', 'type', 'strong', 'unowned', 'finding', 'first', 'target', 'label', 'kinds',
  'moreOut', 'moreIn', 'allocatedAt', 'retained', 'retainedBlocks'];
for (const name of columns) if (graph[name]) graph[name] = column(graph[name]);
graph.suspended = new Map(graph.suspended ?? []);
graph.rootOf = new Map([...graph.roots].reverse());
graph.findings.forEach((finding, number) => { finding.number = number; });

/**
 * The places of keys below `most`, sorted by them: those of a key are from `first[key]` up to `first[key + 1]`.
 * @param rounds which places come first, and which behind them.
 */
function byKey(keys, most, rounds = [() => true]) {
  const first = new Uint32Array(most + 1);
  for (const key of keys) first[key + 1] += 1;
  for (let key = 0; key < most; key += 1) first[key + 1] += first[key];
  const next = first.slice();
  const sorted = new Uint32Array(keys.length);
  for (const isOfRound of rounds) {
    for (let place = 0; place < keys.length; place += 1) {
      if (!isOfRound(place)) continue;
      sorted[next[keys[place]]] = place;
      next[keys[place]] += 1;
    }
  }
  return { first, sorted };
}

/** The references to each node, the reverse of `first` and `target`, and the node that each is from. */
const into = byKey(graph.target, graph.count);
const source = new Uint32Array(graph.target.length);
for (let node = 0; node < graph.count; node += 1) source.fill(node, graph.first[node], graph.first[node + 1]);

export const typeOf = (node) => graph.types[graph.type[node]];
export const addressOf = (node) => `0x${graph.address[node].toString(16)}`;
export const bytesOf = (node) => graph.words[node] * 8;
export const findingOf = (node) => graph.findings[graph.finding[node] - 1];
export const isLeaked = (node) => findingOf(node)?.isLeak === 1;
/** The calls that allocated a node, each [function, image, own, file, line]; none if unknown. */
export const callsOf = (node) => (
  graph.stacks?.[(graph.allocatedAt?.[node] ?? 0) - 1] ?? []).map((frame) => graph.frames[frame]);
/** True if its type is the program's own, or it was allocated by the program's own code. */
export const isOwn = (node) => typeOf(node).own === 1 || callsOf(node).some(([, , own]) => own === 1);
/** The full name of a type, for details and tooltips. */
export function typeName(type) {
  if (type.kind !== 'unknown') return type.name;
  return type.language === 'unknown' ? words.untyped : words.block;
}

const shorts = new Map(); // short names, without modules
for (const { name } of graph.types) shorts.set(name, withoutModules(name));
const named = new Map();
for (const short of shorts.values()) named.set(short, (named.get(short) ?? 0) + 1);
/**
 * The name of a type in the list, in the picture and in titles: without modules, unless another one has the same name.
 */
export function shortName(type) {
  if (type.kind === 'unknown') return typeName(type);
  const short = shorts.get(type.name);
  return named.get(short) === 1 ? short : type.name;
}
const typesByName = new Map(graph.types.map((type) => [type.name, type]));

/** The indices of a node's references. */
export function referencesOf(node) {
  const all = [];
  for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) all.push(edge);
  return all;
}
export const referrersOf = (node) => [...into.sorted.subarray(into.first[node], into.first[node + 1])];
/** The nodes that a node refers to, and those that refer to it. */
export const targetsOf = (node) => referencesOf(node).map((edge) => graph.target[edge]);
export const sourcesOf = (node) => referrersOf(node).map((edge) => source[edge]);
export const reference = (edge) => ({
  edge, from: source[edge], to: graph.target[edge], field: graph.labels[graph.label[edge]],
  kind: graph.kinds[graph.label[edge]],
});

/** A field as written after its object. */
export const suffix = (field) => (field.startsWith('[') ? field : field.startsWith('+') ? ` ${field}` : `.${field}`);

/** The number of references from a type to others and back, most first: { out, into }, each [type, number]. */
const linksKnown = new Map();
export function linksOf(type) {
  if (linksKnown.has(type)) return linksKnown.get(type);
  const [out, from] = [new Map(), new Map()];
  const add = (map, node) => map.set(graph.type[node], (map.get(graph.type[node]) ?? 0) + 1);
  for (const node of nodesByType[type]) {
    for (let edge = graph.first[node]; edge < graph.first[node + 1]; edge += 1) add(out, graph.target[edge]);
    for (let place = into.first[node]; place < into.first[node + 1]; place += 1) add(from, source[into.sorted[place]]);
  }
  const sorted = (map) => [...map].sort((a, b) => b[1] - a[1]);
  linksKnown.set(type, { out: sorted(out), into: sorted(from) });
  return linksKnown.get(type);
}

/** Blocks allocated by the same calls are one finding; without a type and calls, those of one size. */
export const isBySize = ({ kind, head }) => (
  kind === 'root leak' && head !== undefined && typeOf(head).kind === 'unknown' && !graph.allocatedAt?.[head]);

/** The title of a finding in the reader's language; `nameOf` names its types. */
export function titleOf(finding, nameOf = shortName) {
  if (finding.steps) {
    const steps = finding.steps.map(([type, field, times]) => {
      const read = nameOf(typesByName.get(type)) + field;
      return times > 1 ? `${read} (${words.times(count(times))})` : read;
    });
    if (finding.moreSteps) steps.push(`… (${count(finding.moreSteps)} ${words.more})`);
    return [...steps, words.back].join(' → ');
  }
  const { kind, head } = finding;
  if (head === undefined) return finding.title;
  const name = nameOf(typeOf(head));
  if (kind === 'over-retained') return words.retainedMore(name);
  return words.nothingRefers(isBySize(finding) ? words.sized(name, count(bytesOf(head))) : name);
}
export const kindOf = (finding) => words[finding.kind] ?? finding.kind;

/** The nodes of each type, leaked ones first; in the order of addresses. */
export const nodesByType = (() => {
  const { first, sorted } = byKey(graph.type, graph.types.length, [isLeaked, (node) => !isLeaked(node)]);
  return graph.types.map((_, type) => sorted.subarray(first[type], first[type + 1]));
})();
