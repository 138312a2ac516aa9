// The details of a finding, an object, a reference or a type: the picture in words.

import {
  addressOf, bytesOf, findingOf, graph, isBySize, isLeaked, kindOf, linksOf, reference, referencesOf, referrersOf,
  shortName, suffix, titleOf, typeName, typeOf,
} from './data.js';
import { $, amount, button, count, element, sample, short, when } from './elements.js';
import { dashes } from './kinds.js';
import { place, stackOf, whereOf } from './stacks.js';
import { wayTo } from './way.js';
import { words } from './words.js';

const listed = 60;
let show = {}; // the page's actions for choices made here

/** @param actions { node, type, finding, centre, inMap, isCentre }: the page's actions for choices made here. */
export function startInspector(actions) { show = actions; }

/** A damaged heap is told above everything else. */
function fill(...children) {
  const damage = graph.damage.map((sentence) => element('p', { class: 'damage leak' }, `! ${words.remark(sentence)}`));
  $('inspector').replaceChildren(...damage, ...children.flat().filter(Boolean));
  $('inspector').scrollTop = 0;
}

function facts(pairs) {
  const known = pairs.filter(([, value]) => value !== undefined && value !== '');
  return element('dl', {}, ...known.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

/** Several references may lead to the same block, so both numbers are shown. */
const referred = (nodes) => {
  const blocks = new Set(nodes).size;
  return blocks === nodes.length ? '' : words.referencesTo(count(nodes.length), words.blocks(blocks, count(blocks)));
};

/** Steps as buttons, with the number of those left out. */
function steps(title, entries, all = entries.length, note = '', numbers = '') {
  if (!all) return [];
  const rest = all - Math.min(entries.length, listed);
  return [
    element('h3', {}, `${title}${numbers ? `: ${numbers}` : all > 1 ? ` (${count(all)})` : ''}`),
    element('ol', { class: 'steps' }, ...entries.slice(0, listed).map(([text, field, open, kind]) => {
      const note = kind ? element('i', {}, ` ${kind}`) : '';
      return element('li', {}, button([element('span', {}, text), ' ', element('b', {}, field), note], open));
    })),
    rest > 0 ? element('p', { class: 'quiet' }, `… ${count(rest)} ${words.more}`) : '',
    note ? element('p', { class: 'quiet' }, note) : ''];
}

/** An object, a reference from it, and one to it, as entries of `steps`. */
const objectStep = (node) => [shortName(typeOf(node)), addressOf(node), () => show.node(node)];
const kindWord = (kind) => (kind ? words.kinds[kind] : '');
const stepFrom = ({ from, field, kind }) => [
  shortName(typeOf(from)), `${suffix(field)} →`, () => show.node(from), kindWord(kind)];

const verdict = (finding) => button(
  kindOf(finding), () => show.finding(finding), { class: finding.isLeak ? 'verdict leak' : 'verdict' });

function certainty(finding) {
  if (finding.percent >= 100) return words.explained;
  const isCounted = finding.head === undefined || graph.strong[finding.head] > 0;
  const why = isCounted ? words.unexplained : finding.ring ? words.unproved : words.unreferred;
  return `${finding.percent} %: ${why}`;
}

export function inspectFinding(finding) {
  const ring = finding.ring ?? [];
  const all = [...(finding.head === undefined ? [] : [finding.head]), ...ring, ...finding.kept];
  fill(
    verdict(finding), element('h2', {}, titleOf(finding, typeName)),
    facts([
      [words.objects, count(finding.objects)], [words.bytes, amount(finding.bytes)],
      [words.found, finding.instances > 1 ? words.times(count(finding.instances)) : ''],
      [words.reached, finding.root === undefined ? '' : words.root(finding.root)], [words.sure, certainty(finding)],
    ]),
    isBySize(finding) ? element('p', { class: 'quiet' }, words.bySize) : '',
    ...whereOf(all),
    ...steps(words.ring, ring.map((node, place) => [
      shortName(typeOf(node)), `${suffix(finding.ringLabels[place])} →`, () => show.node(node)]), finding.ringCount),
    ring.length ? element('p', { class: 'quiet' }, `↩ ${words.back}`) : '',
    ...(ring.length ? [] : steps(words.nodes, all.map(objectStep), finding.keptCount + 1)));
}

export function inspectNode(node) {
  const type = typeOf(node);
  const finding = findingOf(node);
  const out = referencesOf(node).map(reference);
  const into = referrersOf(node).map(reference);
  const weak = into.filter(({ kind }) => kind === 1).length;
  const root = graph.rootOf.get(node);
  const isCounted = graph.strong[node] > 0 || type.kind === 'object';
  const isAround = show.isCentre(node);
  fill(
    finding ? verdict(finding) : '',
    element('h2', {}, typeName(type)),
    facts([
      [words.address, element('code', {}, addressOf(node))], [words.size, amount(bytesOf(node))],
      [words.retained, retained(node)], language(type),
      [words.state, isLeaked(node) ? `✗ ${words.leaked}` : words.alive],
      [words.isRoot, root === undefined ? '' : words.root(root)],
      [words.counts, isCounted ? words.counted(count(graph.strong[node]), count(graph.unowned[node]), weak) : ''],
      ...origin(type),
    ]),
    element('p', { class: 'actions' }, isAround ? '' : button(words.centre, () => show.centre(node)),
      button(words.zoomTo, () => show.inMap(node))),
    ...values(node),
    ...stackOf(words.allocated, graph.allocatedAt ? graph.allocatedAt[node] - 1 : -1),
    ...stackOf(words.suspended, graph.suspended.get(node) ?? -1),
    ...steps(words.refers, out.map(({ to, field, kind }) => [
      `${suffix(field)} →`, shortName(typeOf(to)), () => show.node(to), kindWord(kind),
    ]), out.length, left('moreOut', node), referred(out.map(({ to }) => to))),
    ...steps(words.referred, into.map(({ from, field, kind }) => [
      shortName(typeOf(from)), suffix(field), () => show.node(from), kindWord(kind),
    ]), into.length, left('moreIn', node), referred(into.map(({ from }) => from))));
}

/** The way from a root to an object; of one that has leaked, its finding. */
export function inspectWay(node) {
  const finding = findingOf(node);
  if (isLeaked(node) && finding) {
    show.finding(finding);
    return;
  }
  const way = wayTo(node);
  fill(
    element('h2', {}, `${words.why} ${typeName(typeOf(node))}`),
    element('p', { class: way ? '' : 'quiet' }, way ? words.root(way.root) : words.wayUnknown),
    ...(way ? steps('', [...way.steps.map(stepFrom), objectStep(node)]) : []));
}

const language = (type) => [words.language, type.language === 'unknown' ? words.unknown : type.language];

/** Where a class is defined in the program's sources, and its superclasses. */
const origin = (type) => [
  [words.defined, type.defined ? place(...type.defined) : ''],
  [words.hierarchy, type.hierarchy ? hierarchy([type.name, ...type.hierarchy]) : ''],
];

/** The retained size: bytes, and blocks including this one. */
function retained(node) {
  if (!graph.retained?.[node]) return '';
  const blocks = graph.retainedBlocks[node];
  return `${amount(graph.retained[node])}, ${words.blocks(blocks, count(blocks))}`;
}

const left = (name, node) => (graph[name]?.[node] ? words.notInFile(count(graph[name][node])) : '');

const hierarchy = (names) => element('ol', { class: 'hierarchy' }, ...names.map((name) => element('li', {}, name)));

// Values as what they are

const signatures = { '137,80,78,71': 'png', '255,216,255': 'jpeg', '71,73,70,56': 'gif', '82,73,70,70': 'webp' };

/** An image's address, if it is of a kind that browsers only display. */
function imageAddress(data) {
  const bytes = [...atob(data.slice(0, 8))].map((sign) => sign.charCodeAt(0));
  const kind = signatures[bytes.slice(0, 4)] ?? signatures[bytes.slice(0, 3)];
  return kind && `data:image/${kind};base64,${data}`;
}

function values(node) {
  const all = graph.values?.[node];
  if (!all?.length) return [];
  const rows = all.flatMap(([field, kind, text, data]) => {
    const address = kind === 'image' && data ? imageAddress(data) : undefined;
    const value = address ? element('img', { src: address, alt: text || field })
      : kind === 'text' ? element('q', {}, text) : element('code', {}, text);
    return [element('dt', {}, field), element('dd', {}, value)];
  });
  return [element('h3', {}, words.values), element('dl', { class: 'values' }, ...rows)];
}

/** One reference, or several between the same two objects. */
export function inspectEdges(refs) {
  const all = refs.map(reference);
  const [{ from, to }] = all;
  const end = (node) => button(
    [element('b', {}, typeName(typeOf(node))), ' ', element('code', {}, addressOf(node))], () => show.node(node));
  const isOne = all.every((it) => it.from === from && it.to === to);
  const field = (one) => [element('dt', {}, words.field), element('dd', {}, element('code', {}, one.field)),
    element('dt', {}, words.kind), element('dd', {}, sample(dashes[one.kind]), words.kinds[one.kind],
      element('p', { class: 'quiet' }, words.kindsMean[one.kind]))];
  fill(
    element('h2', {}, all.length > 1 ? `${count(all.length)} ${words.references}` : words.reference),
    isOne ? element('dl', { class: 'ends' }, element('dt', {}, words.from), element('dd', {}, end(from)),
      element('dt', {}, words.to), element('dd', {}, end(to))) : '',
    isOne && all.length <= listed ? element('dl', {}, ...all.flatMap(field)) : '',
    ...(isOne && all.length <= listed ? [] : steps('', all.map((one) => [
      shortName(typeOf(one.from)), `${suffix(one.field)} →`, () => inspectEdges([one.edge]), words.kinds[one.kind],
    ]))));
}

/** Many objects drawn as one. */
export function inspectFold({ title, nodes }) {
  fill(element('h2', {}, title), ...steps(words.nodes, nodes.map(objectStep)));
}

export function inspectType(number) {
  const type = graph.types[number];
  const { out, into } = linksOf(number);
  fill(
    element('h2', {}, typeName(type)),
    facts([
      [words.objects, count(type.objects)], [words.bytes, amount(type.bytes)],
      [words.leaks, type.leaked ? words.leakedOf(count(type.leaked)) : ''],
      language(type), ...origin(type),
    ]),
    ...links(words.refers, out), ...links(words.referred, into));
}

/** Types with the number of references. */
const links = (title, types) => steps(title, [...types].map(([number, references]) => [
  `${count(references)} ×`, shortName(graph.types[number]), () => show.type(number)]));

/** The look itself: its cost, and the parts that could not be read. */
export function inspectLook() {
  const isCopy = graph.method === 'stopped';
  const clean = graph.damage.length ? `○ ${words.cleanAsRead}` : `✓ ${words.clean}`;
  const remarks = graph.remarks.filter((remark) => !graph.damage.includes(remark));
  fill(
    graph.findings.length ? '' : element('p', { class: 'clean' }, clean),
    element('h2', {}, words.about),
    facts([
      [words.taken, when(graph.takenAt)], [words.objects, count(graph.nodes)], [words.bytes, amount(graph.bytes)],
      [words.findings, count(graph.findings.length + graph.findingsLeftOut)],
      [words.stood, graph.method === 'core file' ? ''
        : `${short(graph.stopMilliseconds)} ms${isCopy ? `, ${words.isCopy}` : ''}`],
      [words.took, `${short(graph.milliseconds)} ms`],
    ]),
    graph.count < graph.nodes
      ? element('p', { class: 'quiet' }, words.leftOut(count(graph.count), count(graph.nodes))) : '',
    ...(remarks.length ? [element('h3', {}, words.remarks)] : []),
    ...remarks.map((remark) => element('p', {}, words.remark(remark))));
}
