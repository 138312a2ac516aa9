// The page: a list of findings, the picture of one, and what is known of a block or a reference.

import { picture } from './layout.js';
import { amount, drawn, element, plain, short } from './elements.js';
import { language, words } from './words.js';

const graph = JSON.parse(document.getElementById('graph').textContent);
const $ = (id) => document.getElementById(id);
const svg = $('picture');
const world = $('world');

// The head

document.documentElement.lang = language;
document.title = `${graph.process} (${graph.pid}): ${words.title}`;
$('title').textContent = `${graph.process} (${graph.pid})`;
$('facts').textContent = `${plain.format(graph.nodes)} ${words.blocks}, ${amount(graph.bytes)} · ${words.stood} ${
  short.format(graph.stopMilliseconds)} ms, ${words.took} ${short.format(graph.milliseconds)} ms`;
$('filter').placeholder = words.filter;
$('filter').setAttribute('aria-label', words.filter);
$('fit').textContent = words.fit;
$('in').setAttribute('aria-label', words.closer);
$('out').setAttribute('aria-label', words.further);

// The list

let kind = 'all';
let current = null;

function matching() {
  const wanted = $('filter').value.trim().toLowerCase();
  const text = (finding) => [finding.title, ...finding.nodes.map((node) => node.type ?? '')].join(' ').toLowerCase();
  return graph.findings.filter((finding) => (kind === 'all' || (kind === 'leaks') === (finding.isLeak === 1))
    && text(finding).includes(wanted));
}

function list() {
  const found = matching();
  $('findings').replaceChildren(...found.map((finding) => {
    const button = element(
      'button', { type: 'button', 'aria-current': String(finding === current), class: finding.isLeak ? 'leak' : '' },
      element('span', { class: 'mark' }, `${finding.isLeak ? '✗' : '○'} ${words[finding.kind]}`),
      element('span', { class: 'name' }, finding.title),
      element('span', { class: 'amount' }, [
        finding.instances > 1 ? `${plain.format(finding.instances)} ${words.times}` : '',
        `${plain.format(finding.objects)} ${words.objects}`, amount(finding.bytes),
      ].filter(Boolean).join(' · ')));
    button.addEventListener('click', () => show(finding));
    return element('li', {}, button);
  }));
  $('nothing').hidden = found.length > 0;
  $('nothing').textContent = graph.findings.length ? words.none : words.clean;
}

for (const button of document.querySelectorAll('.kinds button')) {
  button.textContent = words[button.dataset.kind];
  button.addEventListener('click', () => {
    kind = button.dataset.kind;
    for (const other of document.querySelectorAll('.kinds button')) {
      other.setAttribute('aria-pressed', String(other === button));
    }
    list();
  });
}
$('filter').addEventListener('input', list);

// The picture

let view = { x: 0, y: 0, width: 1, height: 1 };
let scene = null;

function show(finding) {
  current = finding;
  scene = picture(finding);
  for (const one of scene.boxes) {
    if (one.folded) one.short = one.label = `… ${plain.format(one.folded)} ${words.more}`;
  }
  svg.setAttribute('class', finding.isLeak ? 'leak' : '');
  svg.setAttribute('aria-label', finding.title);
  world.replaceChildren(...scene.edges.map(drawEdge), ...scene.boxes.map(drawBox));
  $('hidden').hidden = finding.hidden === 0;
  $('hidden').textContent = `${plain.format(finding.hidden)} ${words.hidden}`;
  list();
  inspectFinding(finding);
  fit();
}

function drawBox(one) {
  const kinds = { own: one.own, ring: one.inRing && current.ring > 0, root: one.isRoot, folded: one.folded };
  const group = drawn(
    'g', { class: ['node', ...Object.keys(kinds).filter((name) => kinds[name])].join(' '), tabindex: 0, role: 'button',
      'aria-label': `${one.type ?? one.short} ${one.address}`, transform: `translate(${one.x} ${one.y})` },
    drawn('rect', { x: -one.width / 2, y: -one.height / 2, width: one.width, height: one.height, rx: 12 }),
    drawn('text', { y: one.address ? -2 : 5 }, one.label),
    drawn('text', { y: 15, class: 'address' }, one.address));
  one.group = group;
  const inspect = () => { if (!one.isRoot && !one.folded) inspectBox(one); };
  group.addEventListener('click', inspect);
  group.addEventListener('dblclick', () => centre(one));
  group.addEventListener('keydown', (event) => { if (event.key === 'Enter' || event.key === ' ') inspect(); });
  return group;
}

function drawEdge(one) {
  const ring = one.inRing ? ' ring' : '';
  const { x, y } = one.end;
  const turn = (one.arrives * 180) / Math.PI;
  const group = drawn(
    'g', { class: `edge${ring}${one.isWeak ? ' weak' : ''}` },
    drawn('path', { d: one.path }), drawn('path', { d: one.path, class: 'grip' }),
    drawn('polygon', {
      class: `tip${ring}`, points: '3,0 -9,-5 -9,5', transform: `translate(${x} ${y}) rotate(${turn})`,
    }),
    drawn('text', { x: one.middle.x, y: one.middle.y + 4 }, one.label));
  one.group = group;
  group.addEventListener('click', () => { if (one.fields.length) inspectEdge(one); });
  return group;
}

function choose(one) {
  for (const other of [...scene.boxes, ...scene.edges]) other.group.classList.toggle('chosen', other === one);
}

// Zoom and pan

function apply() { svg.setAttribute('viewBox', `${view.x} ${view.y} ${view.width} ${view.height}`); }

/** All of it, and a small one not larger than life. */
function fit() {
  if (!scene) return;
  const { clientWidth, clientHeight } = svg;
  const { bounds } = scene;
  const scale = Math.min(clientWidth / bounds.width, clientHeight / bounds.height, 1.25);
  const [width, height] = [clientWidth / scale, clientHeight / scale];
  view = { x: bounds.x - (width - bounds.width) / 2, y: bounds.y - (height - bounds.height) / 2, width, height };
  apply();
}

function zoom(factor, at = { x: view.x + view.width / 2, y: view.y + view.height / 2 }) {
  const scale = svg.clientWidth / view.width;
  const wanted = Math.min(Math.max(scale * factor, 0.02), 8) / scale;
  view = {
    x: at.x - (at.x - view.x) / wanted, y: at.y - (at.y - view.y) / wanted,
    width: view.width / wanted, height: view.height / wanted,
  };
  apply();
}

function centre(one) {
  view = { ...view, x: one.x - view.width / 2, y: one.y - view.height / 2 };
  apply();
}

function place(event) {
  const frame = svg.getBoundingClientRect();
  return {
    x: view.x + ((event.clientX - frame.left) / frame.width) * view.width,
    y: view.y + ((event.clientY - frame.top) / frame.height) * view.height,
  };
}

svg.addEventListener('wheel', (event) => {
  event.preventDefault();
  zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0016)), place(event));
}, { passive: false });

const fingers = new Map();
let moved = 0;
svg.addEventListener('pointerdown', (event) => {
  fingers.set(event.pointerId, event);
  moved = 0;
});
window.addEventListener('pointermove', (event) => {
  const before = fingers.get(event.pointerId);
  if (!before) return;
  const others = [...fingers.values()].filter((one) => one.pointerId !== event.pointerId);
  fingers.set(event.pointerId, event);
  const scale = view.width / svg.clientWidth;
  moved += Math.abs(event.clientX - before.clientX) + Math.abs(event.clientY - before.clientY);
  if (others.length === 1) {
    const distance = (one) => Math.hypot(one.clientX - others[0].clientX, one.clientY - others[0].clientY) || 1;
    zoom(distance(event) / distance(before), place({
      clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2,
    }));
  } else if (others.length === 0) {
    svg.classList.toggle('moving', moved > 4);
    view.x -= (event.clientX - before.clientX) * scale;
    view.y -= (event.clientY - before.clientY) * scale;
    apply();
  }
});
for (const name of ['pointerup', 'pointercancel']) {
  window.addEventListener(name, (event) => {
    fingers.delete(event.pointerId);
    svg.classList.remove('moving');
  });
}
// A drag that ends on a block is no click on it.
svg.addEventListener('click', (event) => { if (moved > 4) event.stopPropagation(); }, { capture: true });

svg.addEventListener('keydown', (event) => {
  const step = view.width / 10;
  const keys = {
    ArrowLeft: () => { view.x -= step; }, ArrowRight: () => { view.x += step; }, ArrowUp: () => { view.y -= step; },
    ArrowDown: () => { view.y += step; }, '+': () => zoom(1.25), '-': () => zoom(0.8), 0: fit,
    Escape: () => inspectFinding(current),
  };
  if (!keys[event.key]) return;
  event.preventDefault();
  keys[event.key]();
  apply();
});
$('in').addEventListener('click', () => zoom(1.25));
$('out').addEventListener('click', () => zoom(0.8));
$('fit').addEventListener('click', fit);
new ResizeObserver(fit).observe(svg);

// The inspector

function facts(pairs) {
  return element('dl', {}, ...pairs.filter(([, value]) => value).flatMap(([name, value]) => [
    element('dt', {}, name), element('dd', {}, value)]));
}

/** A field as it stands behind its object. */
const suffix = (edge) => (/^[[+]/.test(edge.label) ? edge.label : `.${edge.label}`);

/** Steps as buttons: the picture in words. */
function steps(title, entries) {
  if (!entries.length) return [];
  return [element('h3', {}, title), element('ol', { class: 'steps' }, ...entries.map(([text, field, open]) => {
    const button = element('button', { type: 'button' }, text, ' ', element('b', {}, field));
    button.addEventListener('click', open);
    return element('li', {}, button);
  }))];
}

function certainty(finding) {
  if (finding.confidence >= 1) return words.explained;
  const why = finding.nodes[0].strong === 0 ? words.unreferred : words.unexplained;
  return `${Math.round(finding.confidence * 100)} %: ${why}`;
}

function inspectFinding(finding) {
  if (scene) choose(null);
  const ring = scene.edges.filter((edge) => edge.inRing);
  $('inspector').replaceChildren(
    element('span', { class: finding.isLeak ? 'verdict leak' : 'verdict' }, words[finding.kind]),
    element('h2', {}, finding.title),
    facts([
      [words.objects, plain.format(finding.objects)], [words.bytes, amount(finding.bytes)],
      [words.found, finding.instances > 1 ? `${plain.format(finding.instances)} ${words.times}` : ''],
      [words.reached, finding.root],
      [words.sure, certainty(finding)],
    ]),
    ...steps(words.ring, ring.map((edge) => [
      scene.boxes[edge.from].short, `${suffix(edge)} →`, () => { inspectEdge(edge); centre(edge.middle); }])),
    ...(ring.length ? [element('p', {}, `↩ ${words.back}`)] : []),
    ...(ring.length ? [] : steps(words.nodes, scene.boxes.filter((one) => !one.isRoot).map((one) => [
      one.short, one.address, () => goTo(one)]))));
}

function inspectBox(one) {
  choose(one);
  const out = scene.edges.filter((edge) => edge.from === one.number);
  const into = scene.edges.filter((edge) => edge.to === one.number && edge.fields.length);
  $('inspector').replaceChildren(
    element('h2', {}, one.type),
    facts([
      [words.address, element('code', {}, one.address)], [words.size, amount(one.size)],
      [words.language, one.language === 'unknown' ? words.unknown : one.language],
      [words.counts, one.strong ? words.counted(one.strong, one.unowned) : ''],
      [words.hierarchy, (one.hierarchy ?? []).join(' : ')],
    ]),
    ...steps(words.refers, out.map((edge) => [
      `${suffix(edge)} →`, scene.boxes[edge.to].short, () => goTo(scene.boxes[edge.to])])),
    ...steps(words.referred, into.map((edge) => [
      scene.boxes[edge.from].short, suffix(edge), () => goTo(scene.boxes[edge.from])])));
}

function goTo(one) {
  inspectBox(one);
  centre(one);
}

function inspectEdge(edge) {
  choose(edge);
  const [from, to] = [scene.boxes[edge.from], scene.boxes[edge.to]];
  $('inspector').replaceChildren(
    element('h2', {}, words.reference),
    facts([
      [words.from, `${from.type} ${from.address}`], [words.to, `${to.type} ${to.address}`],
      ...edge.fields.map(({ field, kind }) => [words.kinds[kind], field]),
    ]),
    ...steps('', [[from.short, from.address, () => inspectBox(from)], [to.short, to.address, () => inspectBox(to)]]));
}

if (graph.findings.length) show(graph.findings[0]);
else {
  list();
  $('inspector').replaceChildren(element('h2', {}, words.clean));
}
