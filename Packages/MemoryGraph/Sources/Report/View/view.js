// The page's state, and the actions of keys and clicks.

import { Camera, steer } from './camera.js';
import { readColours } from './colours.js';
import { addressOf, graph, shortName, sourcesOf, targetsOf, titleOf, typeName, typeOf } from './data.js';
import { drawScene, edgeAt, Grid } from './draw.js';
import { $, count } from './elements.js';
import {
  inspectEdges, inspectFinding, inspectFold, inspectLook, inspectNode, inspectType, inspectWay, startInspector,
} from './inspector.js';
import { directions, listen, towards } from './keys.js';
import { kindsOf, toldOf } from './kinds.js';
import { chosenEdges } from './links.js';
import { markInList, startList } from './list.js';
import { drawMap, makeMap } from './map.js';
import { startMenu } from './menu.js';
import { cover, label, labelLines, panel } from './page.js';
import { sceneOf } from './scene.js';
import { shorterNames } from './shorten.js';
import { whenEditorChanges } from './stacks.js';
import { words } from './words.js';

const canvas = $('picture');
const context = canvas.getContext('2d', { alpha: false });

/** One of { finding }, { around: node } and { whole: true }; `unfolded` are the groups that the reader has opened. */
let shown = {};
let scene = null; // of a finding, or around an object
let grid = null;
let map = null; // the whole graph; made when first needed
let chosen = {}; // one of { node }, { edge, asked: box whose references are shown }, { type }, { fold: box }, {}
let hovered = null;
const history = [];

// Drawing

let asked = 0;
function ask() { asked ||= requestAnimationFrame(frame); }
const camera = new Camera(ask);
const isPhone = matchMedia('(max-width: 44rem)');
/** Pixels under the title and the buttons, on a phone also under the details of the chosen object. */
const covered = () => ({ top: 52, bottom: isPhone.matches ? 112 : 60 });

function frame(now) {
  asked = 0;
  camera.step(now);
  if (shown.whole) {
    drawMap(context, map, camera, { chosen: chosen.node, type: chosen.type });
    return;
  }
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = getComputedStyle(canvas).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  if (!scene) return;
  const isLeak = shown.finding?.isLeak === 1;
  drawScene(context, scene, camera, { chosen: chosen.edge ?? chosenBox(), hovered, isLeak });
}

function bounds() { return shown.whole ? map.bounds : scene?.bounds; }
function fit(milliseconds = 260) {
  if (!bounds()) return;
  camera.most = shown.whole ? 300 / Math.min(...map.order.map((one) => one.cell)) : 8;
  camera.fit(bounds(), milliseconds, shown.whole ? 1e6 : 1.25);
}

/** The chosen object's box, if the picture has one. */
const chosenBox = () => chosen.fold ?? (chosen.node === undefined ? undefined : boxOf(chosen.node));
const boxOf = (node) => scene?.boxes.find((one) => one.node === node);

// The content

function tell() {
  const { finding, around } = shown;
  const title = finding ? titleOf(finding)
    : around === undefined ? words.whole : `${words.around} ${shortName(typeOf(around))}`;
  $('shown').textContent = title;
  $('back').hidden = history.length === 0;
  $('refold').hidden = !shown.unfolded?.size;
  $('whole').setAttribute('aria-pressed', String(shown.whole === true));
  const isCut = shown.whole && graph.count < graph.nodes;
  $('hidden').hidden = !isCut && !(scene?.hidden > 0 && finding);
  $('hidden').textContent = isCut ? words.leftOut(count(graph.count), count(graph.nodes))
    : `${count(scene?.hidden ?? 0)} ${words.hidden}`;
  $('legend').hidden = shown.whole !== true;
  labelLines(drawnKinds());
  cover(camera);
  canvas.setAttribute('aria-label', `${title}. ${words.picture}`);
}

/** Rebuilds the picture of `shown`; a part that unfolds stays where it is. */
function build(stays = false) {
  camera.covered = covered();
  if (shown.whole) {
    scene = null;
    tell();
    const high = camera.height - camera.covered.top - camera.covered.bottom;
    map ??= makeMap(Math.min(Math.max(camera.width / high, 0.4), 2.5));
  } else {
    shown.unfolded ??= new Map();
    scene = sceneOf(shown, camera);
    grid = new Grid(scene.boxes);
  }
  hovered = null;
  tell();
  fit(stays ? 320 : 0);
}

function open(next, selection = {}) {
  if (shown.finding || shown.around !== undefined || shown.whole) history.push({ shown, chosen });
  if (history.length > 100) history.shift();
  shown = next;
  build();
  select(selection);
  panel('graph');
}

function back() {
  const before = history.pop();
  if (!before) return;
  shown = before.shown;
  build();
  select(before.chosen);
}

const openFinding = (finding) => open({ finding });
const openAround = (node) => {
  if (shown.around === node) select({ node });
  else open({ around: node }, { node });
};
function openWhole(selection = {}) {
  if (!shown.whole) open({ whole: true }, selection);
  else select(selection);
}
function openInMap(node) {
  openWhole({ node });
  const [x, y] = map.placeOf(node);
  camera.move({ x, y, scale: Math.max(Math.min(150 / map.cellOf(node), camera.most), camera.least) }, 500);
}

// The selection

function select(next) {
  chosen = next;
  if (chosen.node !== undefined) inspectNode(chosen.node);
  else if (chosen.fold) inspectFold(chosen.fold);
  else if (chosen.edge) inspectEdges(chosen.edge.refs);
  else if (chosen.type !== undefined) inspectType(chosen.type);
  else if (shown.finding) inspectFinding(shown.finding);
  else if (shown.around !== undefined) inspectNode(shown.around);
  else inspectLook();
  markInList({ finding: shown.finding, node: chosen.node, type: chosen.type });
  const name = chosen.edge ? toldOf(chosen.edge.refs) : $('inspector').querySelector('h2').textContent;
  $('peek').textContent = name;
  if (shown.whole) labelLines(drawnKinds());
  $('said').textContent = chosen.node === undefined ? name : `${name} ${addressOf(chosen.node)}`;
  $('peek').hidden = Object.values(chosen).every((it) => it === undefined);
  ask();
}

/** The kinds of lines in the picture; between cells of the whole graph only those of the chosen one. */
function drawnKinds() {
  if (shown.whole) return chosen.node === undefined ? [] : kindsOf(chosenEdges(chosen.node));
  return [...new Set(scene?.edges.map((edge) => edge.kind))].sort((a, b) => a - b);
}

/** Selects the next reference of the chosen box, or the first, as a click does. */
function askNext() {
  if (!scene) return;
  const box = chosen.asked ?? chosenBox() ?? scene.boxes.find((one) => !one.root);
  const edges = scene.edges.filter((edge) => edge.refs.length && [edge.from, edge.to].includes(box.number));
  const next = edges[(edges.indexOf(chosen.edge) + 1) % edges.length];
  if (next) select({ edge: next, asked: box });
}

/** The tooltip of what is under the pointer. */
function titleAt({ box, edge, node }) {
  if (edge) return toldOf(edge.refs);
  const about = box?.node ?? node;
  if (about !== undefined) return `${typeName(typeOf(about))} ${addressOf(about)}`;
  return box?.title ?? '';
}

/** Shows an object: moves the picture to it, or rebuilds the picture around it. */
function goTo(node) {
  const box = boxOf(node);
  if (shown.whole) openInMap(node);
  else if (box) selectBox(box);
  else openAround(node);
}

function selectBox(box) {
  select(box.fold === undefined ? { node: box.node } : { fold: box });
  if (isOutside(box)) camera.move({ x: box.x, y: box.y, scale: camera.scale });
}

function isOutside(box) {
  const [x, y] = camera.toScreen(box.x, box.y);
  return x < 60 || y < 60 || x > camera.width - 60 || y > camera.height - 60;
}

function unfold(box) {
  shown.unfolded.set(box.fold, box.next);
  build(true);
  select(chosen.node === undefined ? {} : chosen);
}

function refold() {
  shown.unfolded.clear();
  shown.limit = undefined;
  build(true);
  select({});
}

function pick(x, y) {
  const [wx, wy] = camera.toWorld(x, y);
  if (shown.whole) {
    const found = map.at(wx, wy);
    if (!found) return {};
    const isSmall = found.district.cell * camera.scale < 5;
    return found.node === undefined || isSmall ? { type: found.district.number } : { node: found.node };
  }
  const box = grid?.at(wx, wy);
  if (box) return { box, node: box.node };
  const edge = scene && edgeAt(scene.edges, wx, wy, 9 / camera.scale);
  return edge?.refs.length ? { edge } : {};
}

function click(x, y) {
  const { box, ...found } = pick(x, y);
  if (box?.fold !== undefined) unfold(box);
  else if (!box || box.node !== undefined) select(box ? { node: box.node } : found);
}

/** Makes an object the centre; zooms to a district of the whole graph. */
function enter(found) {
  if (found.fold) unfold(found.fold);
  else if (found.node !== undefined) openAround(found.node);
  else if (found.type !== undefined && shown.whole) {
    const one = map.districtOf(found.type);
    camera.move({
      x: one.x + one.width / 2, y: one.y + one.height / 2,
      scale: Math.min(camera.width / one.width, camera.height / one.height) * 0.95,
    }, 500);
  }
}

steer(canvas, camera, {
  click, doubleClick: (x, y) => enter(pick(x, y)),
  hover(x, y) {
    const found = pick(x, y);
    const next = found.box ?? found.edge ?? null;
    canvas.classList.toggle('can', next !== null || found.node !== undefined || found.type !== undefined);
    if (next !== hovered) ask();
    hovered = next;
    canvas.title = titleAt(found);
  },
});

/** The chosen block with its place on the screen. */
function chosenPlace() {
  const { node } = chosen;
  if (node === undefined) return undefined;
  const box = boxOf(node);
  const at = shown.whole ? map.placeOf(node) : box && [box.x, box.y];
  if (!at) return undefined;
  const frame = canvas.getBoundingClientRect();
  const [x, y] = camera.toScreen(...at);
  return [node, frame.left + x, frame.top + y];
}

startMenu(canvas, (x, y) => pick(x, y).node, chosenPlace, {
  centre: openAround,
  why(node) {
    select({ node });
    inspectWay(node);
    panel('details');
  },
});

// Keys

function arrow(key, isShift) {
  const [dx, dy] = directions[key];
  const box = chosen.asked ?? chosenBox();
  if (isShift || (shown.whole && chosen.node === undefined)) {
    camera.pan((dx * camera.width) / 8, (dy * camera.height) / 8, 160);
  } else if (shown.whole) {
    const { node } = chosen;
    const others = [...targetsOf(node), ...sourcesOf(node)].map((other) => [...map.placeOf(other), other]);
    const next = towards([dx, dy], map.placeOf(node), others);
    if (next !== undefined) openInMap(next);
  } else if (!box) selectBox(scene.boxes.find((one) => !one.root));
  else {
    const ends = scene.edges.filter((edge) => edge.from === box.number || edge.to === box.number)
      .map((edge) => scene.boxes[edge.from === box.number ? edge.to : edge.from]).filter((one) => !one.root);
    const next = towards([dx, dy], [box.x, box.y], ends.map((one) => [one.x, one.y, one]));
    if (next) selectBox(next);
  }
}

function search() {
  panel('list');
  $('filter').select();
}

const keys = {
  '+': () => camera.zoom(1.4, undefined, 200), '=': () => keys['+'](), '-': () => camera.zoom(1 / 1.4, undefined, 200),
  0: () => fit(), w: () => openWhole(), '/': search, '?': () => $('keys').showModal(), Backspace: back,
  Enter: () => enter(chosen), e: askNext,
  Escape() {
    if ($('filter').value && document.activeElement === $('filter')) {
      $('filter').value = '';
      $('filter').dispatchEvent(new Event('input'));
    } else if (chosen.asked) selectBox(chosen.asked);
    else select({});
  },
};

listen(canvas, keys, arrow);

// Start

label();
readColours(ask);
startInspector({
  node: goTo, type: (type) => openWhole({ type }), centre: openAround, inMap: openInMap, finding: openFinding,
  isCentre: (node) => shown.around === node,
});
whenEditorChanges(() => select(chosen));
startList((row) => {
  if (row.kind !== 'type') panel('graph');
  if (row.finding) openFinding(row.finding);
  else if (row.node !== undefined) (shown.whole ? openInMap : openAround)(row.node);
  else if (shown.whole) select({ type: row.number });
  else inspectType(row.number);
});
const clicks = {
  in: keys['+'], out: keys['-'], fit: keys[0], back, refold,
  whole: () => (shown.whole && history.length ? back() : openWhole()),
  help: keys['?'], title: () => { select({}); inspectLook(); panel('details'); }, peek: () => panel('details'),
};
for (const [id, does] of Object.entries(clicks)) $(id).addEventListener('click', () => does());

function resize() {
  if (!camera.resize(canvas)) return;
  if (shown.finding || shown.around !== undefined) {
    // Another shape may have room for more, or less; a reference of the old picture is not in the new one.
    shown.limit = undefined;
    build();
    if (chosen.edge || chosen.fold) select({});
  } else fit(0);
  frame(performance.now());
}
resize();
panel('graph');
open(graph.findings.length ? { finding: graph.findings[0] } : { whole: true });
new ResizeObserver(resize).observe(canvas);

/** For inspection with the browser's developer tools. */
globalThis.memoryGraph = {
  graph, camera, addressOf, get scene() { return scene; }, get map() { return map; }, get chosen() { return chosen; },
  get shown() { return shown; }, shorterNames,
};
