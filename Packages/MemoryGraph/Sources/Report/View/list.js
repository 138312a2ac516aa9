// The list: findings, then all objects by type, which unfold. Only visible rows exist.

import {
  addressOf, bytesOf, findingOf, graph, isLeaked, isOwn, kindOf, nodesByType, shortName, titleOf, typeName, typeOf,
} from './data.js';
import { $, amount, count, element } from './elements.js';
import { fittedName } from './shorten.js';
import { words } from './words.js';

const isCoarse = matchMedia('(pointer: coarse)').matches; // a finger needs more room
const heights = { head: 36, finding: 76, type: isCoarse ? 44 : 32, node: isCoarse ? 40 : 28, holder: 50, note: 28 };
const measure = document.createElement('canvas').getContext('2d');
const needsTwo = (finding) => measure.measureText(titleOf(finding)).width > list.clientWidth - 37;
const heightOf = (row) => heights[row.kind] + (row.finding && needsTwo(row.finding) ? 20 : 0);
const list = $('list');
const floor = $('rows');
const open = new Set(); // types that are unfolded
const only = { leaks: false, own: false };
let rows = [];
let tops = [0];
let current = -1; // the row with the keyboard's focus
let shown = {}; // the content of the picture: { finding } or { node } or { type }
let choose = () => {};

const wanted = () => $('filter').value.trim().toLowerCase();

// The rows

const textOf = new Map();
function findingText(finding) {
  if (!textOf.has(finding)) {
    const head = finding.head === undefined ? [] : [finding.head];
    const nodes = [...new Set([...head, ...(finding.ring ?? []), ...finding.kept])];
    const types = [...new Set([...nodes, ...(finding.path ?? [])].map((node) => typeOf(node).name))];
    const all = [titleOf(finding), finding.root ?? '', ...types];
    textOf.set(finding, { own: nodes.some(isOwn), words: all.join(' ').toLowerCase() });
  }
  return textOf.get(finding);
}

const findingMatches = (finding, text) => (!only.leaks || finding.isLeak === 1)
  && (!only.own || findingText(finding).own) && findingText(finding).words.includes(text);

const typesInOrder = graph.types.map((type, number) => ({ type, number })).filter(({ type }) => type.objects > 0)
  .sort((a, b) => (b.type.leaked > 0) - (a.type.leaked > 0) || b.type.own - a.type.own || b.type.bytes - a.type.bytes);

function makeRows() {
  measure.font = `600 15px ${getComputedStyle(list).fontFamily}`;
  const text = wanted();
  const isAddress = /^0x[0-9a-f]+$/.test(text);
  const findings = isAddress ? [] : graph.findings.filter((finding) => findingMatches(finding, text));
  rows = graph.damage.length ? [{ kind: 'note', text: `! ${words.damaged}`, isDamage: true }] : [];
  if (findings.length) rows.push({ kind: 'head', text: `${words.findings} (${count(findings.length)})` });
  for (const finding of findings) rows.push({ kind: 'finding', finding });
  const without = graph.findingsLeftOut;
  if (without && !text) rows.push({ kind: 'note', text: words.findingsLeftOut(count(without)) });
  const objects = [];
  for (const { type, number } of typesInOrder) {
    if ((only.leaks && !type.leaked) || (only.own && !type.own)) continue;
    if (isAddress) {
      for (const node of nodesByType[number]) {
        if (addressOf(node).startsWith(text)) objects.push({ kind: 'node', node });
      }
    } else if (typeName(type).toLowerCase().includes(text)) addType(objects, type, number);
  }
  if (objects.length) rows.push({ kind: 'head', text: words.types });
  for (const row of objects) rows.push(row);
  if (text.length > 1 && !isAddress) addValues(text);
  tops = [0];
  for (const row of rows) tops.push(tops.at(-1) + heightOf(row));
}

/** Adds objects with a text or number that contains the words. */
function addValues(text) {
  const found = Object.entries(graph.values ?? {}).filter(([node, values]) => (!only.leaks || isLeaked(node))
    && (!only.own || isOwn(Number(node))) && values.some(isFound(text)));
  if (found.length) rows.push({ kind: 'head', text: `${words.values} (${count(found.length)})` });
  for (const [node] of found) rows.push({ kind: 'holder', node: Number(node) });
}

function addType(objects, type, number) {
  objects.push({ kind: 'type', type, number });
  if (!open.has(number)) return;
  const nodes = only.leaks ? nodesByType[number].filter(isLeaked) : nodesByType[number];
  for (const node of nodes) objects.push({ kind: 'node', node });
  const all = only.leaks ? type.leaked : type.objects;
  if (all > nodes.length) objects.push({ kind: 'note', text: words.notInFile(count(all - nodes.length)) });
}

// The visible rows

/** True for a heading or a note, which cannot be chosen. */
const isText = ({ kind }) => kind === 'head' || kind === 'note';

function drawRow(row, number) {
  const isChosen = (row.finding && row.finding === shown.finding) || (row.node !== undefined && row.node === shown.node)
    || (row.kind === 'type' && row.number === shown.type);
  const one = element('div', {
    id: `row-${number}`, class: `row ${row.kind}${isChosen ? ' chosen' : ''}${number === current ? ' current' : ''}`,
    ...(isText(row) ? { role: 'presentation' } : {
      role: 'treeitem', 'aria-level': row.kind === 'node' || row.kind === 'holder' ? 2 : 1, 'aria-selected': isChosen,
    }),
    'aria-expanded': row.kind === 'type' ? open.has(row.number) : undefined,
  }, ...contents[row.kind](row));
  one.style.top = `${tops[number]}px`;
  one.style.height = `${heightOf(row)}px`;
  return one;
}

/** A name, as long as there is room before its numbers; `sides` are the pixels of all else in the row. */
function nameInRow(name, isBold, numbers, sides) {
  const { fontFamily } = getComputedStyle(list);
  measure.font = `600 13px ${fontFamily}`;
  const room = list.clientWidth - sides - measure.measureText(numbers).width;
  measure.font = `${isBold ? 600 : 400} 15px ${fontFamily}`;
  return fittedName(name, (text) => measure.measureText(text).width, room) || name;
}
const numbersOf = (type) => [
  type.leaked ? `✗ ${count(type.leaked)}` : '', type.leaked && type.leaked < type.objects ? ' / ' : '',
  type.leaked === type.objects ? '' : count(type.objects), ` · ${amount(type.bytes)}`].join('');

const contents = {
  head: (row) => [row.text],
  note: (row) => [row.isDamage ? element('b', { class: 'leak' }, row.text) : row.text],
  finding: ({ finding }) => [
    finding.isLeak ? element('span', { class: 'mark leak' }, `✗ ${kindOf(finding)}`)
      : element('span', { class: 'mark' }, `○ ${kindOf(finding)}`),
    element('span', { class: 'name', title: titleOf(finding, typeName) }, titleOf(finding)),
    element('span', { class: 'amount' }, [
      finding.instances > 1 ? words.times(count(finding.instances)) : '',
      words.blocks(finding.objects, count(finding.objects)), amount(finding.bytes)].filter(Boolean).join(' · ')),
  ],
  type: ({ type, number }) => [
    element('span', { class: 'twist', 'aria-hidden': 'true' }, open.has(number) ? '▾' : '▸'),
    element('span', { class: type.own ? 'name own' : 'name', title: type.name },
      nameInRow(shortName(type), type.own, numbersOf(type), 66)),
    element(
      'span', { class: 'amount' }, type.leaked ? element('b', { class: 'leak' }, `✗ ${count(type.leaked)}`) : '',
      type.leaked === type.objects ? '' : `${type.leaked ? ' / ' : ''}${count(type.objects)}`,
      ` · ${amount(type.bytes)}`),
  ],
  node: ({ node }) => [
    isLeaked(node) ? element('span', { class: 'name leak' }, `✗ ${addressOf(node)}`)
      : element('span', { class: 'name' }, `${findingOf(node) ? '○ ' : ''}${addressOf(node)}`),
    element('span', { class: 'value', title: valueOf(node) }, valueOf(node)),
    element('span', { class: 'amount' }, amount(bytesOf(node))),
  ],
  holder: ({ node }) => [
    element('span', { class: isLeaked(node) ? 'name leak' : 'name', title: typeOf(node).name },
      `${isLeaked(node) ? '✗ ' : findingOf(node) ? '○ ' : ''}${
        nameInRow(shortName(typeOf(node)), true, amount(bytesOf(node)), 46)}`),
    element('span', { class: 'amount' }, amount(bytesOf(node))),
    element('span', { class: 'value', title: valueOf(node) }, ...foundIn(node)),
  ],
};

const before = 14; // characters of a long value before the words that were searched for

/** "name = value", of a long value the part around the words that were searched for, which are marked. */
function foundIn(node) {
  const [name, text] = foundValue(node);
  const place = text.toLowerCase().indexOf(wanted());
  if (place < 0) return [`${name} = ${text}`];
  const start = place > before + 4 ? place - before : 0;
  const end = place + wanted().length;
  return [
    element('i', {}, `${name} = `), `${start ? '…' : ''}${text.slice(start, place)}`,
    element('mark', {}, text.slice(place, end)), text.slice(end, end + 200)];
}

const isFound = (text) => ([, , value]) => value.toLowerCase().includes(text);

/** The name and value that were searched for, or the first one. */
function foundValue(node) {
  const values = (graph.values?.[node] ?? []).filter(([, kind]) => kind !== 'image');
  const text = wanted();
  const [name, , value] = (text && values.find(isFound(text))) || values[0] || [];
  return name === undefined ? undefined : [name, value];
}
const valueOf = (node) => foundValue(node)?.join(' = ') ?? '';

function rowAt(top) {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tops[middle + 1] <= top) low = middle + 1;
    else high = middle;
  }
  return low;
}

function draw() {
  const seen = [];
  const end = list.scrollTop + list.clientHeight + 200;
  for (let number = rowAt(Math.max(0, list.scrollTop - 200)); number < rows.length && tops[number] < end; number += 1) {
    seen.push(drawRow(rows[number], number));
  }
  floor.style.height = `${tops.at(-1)}px`;
  floor.replaceChildren(...seen);
  if (current >= 0) list.setAttribute('aria-activedescendant', `row-${current}`);
  $('nothing').hidden = rows.some((row) => !row.isDamage);
  $('nothing').textContent = words.none;
}

function renew() {
  makeRows();
  current = Math.min(current, rows.length - 1);
  draw();
}

// Interaction

function act(number) {
  current = number;
  const row = rows[number];
  if (row.kind === 'type') {
    if (!open.delete(row.number)) open.add(row.number);
    makeRows();
  }
  draw();
  if (!isText(row)) choose(row);
}

function step(way) {
  let next = current + way;
  while (rows[next] && isText(rows[next])) next += way;
  if (!rows[next]) return;
  current = next;
  if (tops[current] < list.scrollTop) list.scrollTop = tops[current] - heights.head;
  const bottom = tops[current + 1] - list.clientHeight;
  if (bottom > list.scrollTop) list.scrollTop = bottom;
  draw();
}

const keys = {
  ArrowDown: () => step(1), ArrowUp: () => step(-1), Enter: () => current >= 0 && act(current), ' ': () => keys.Enter(),
  ArrowRight() {
    if (rows[current]?.kind === 'type' && !open.has(rows[current].number)) act(current);
    else step(1);
  },
  ArrowLeft() {
    while (rows[current]?.kind === 'node') current -= 1;
    if (rows[current]?.kind === 'type' && open.has(rows[current].number)) act(current);
    else draw();
  },
};

/** @param chosen receives the row that the reader has chosen: { finding }, { type, number } or { node }. */
export function startList(chosen) {
  choose = chosen;
  list.addEventListener('scroll', draw, { passive: true });
  // While the list scrolls its rows are made anew, so that a press and its release may meet two elements, and the click
  // belongs to neither; then the place says which row is meant.
  list.addEventListener('click', ({ target, clientY }) => {
    const row = target.closest('.row');
    const number = row ? Number(row.id.slice(4)) : rowAt(list.scrollTop + clientY - list.getBoundingClientRect().top);
    if (rows[number]) act(number);
  });
  list.addEventListener('keydown', (event) => {
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    keys[event.key]();
  });
  $('filter').addEventListener('input', () => {
    list.scrollTop = 0;
    current = -1;
    renew();
  });
  $('filter').addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
    event.preventDefault();
    list.focus();
    step(1);
    if (event.key === 'Enter') keys.Enter();
  });
  for (const name of ['leaks', 'own']) {
    const toggle = $(`only-${name}`);
    toggle.addEventListener('click', () => {
      only[name] = !only[name];
      toggle.setAttribute('aria-pressed', String(only[name]));
      list.scrollTop = 0;
      renew();
    });
  }
  new ResizeObserver(renew).observe(list);
  renew();
}

/** Marks the row of what the picture shows. */
export function markInList(what) {
  shown = what;
  draw();
}
