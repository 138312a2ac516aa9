// Which blocks are drawn of a finding, or around an object, and which of them are folded into one.

import { addressOf, graph, isLeaked, isWeak, reference, referencesOf, referrersOf, shortName, typeOf } from './data.js';
import { count } from './elements.js';
import { words } from './words.js';

const foldedFrom = 20; // a ring with more members is folded: its beginning and its end are drawn
const shownBefore = 10;
const shownBehind = 4;
const alikeFrom = 6; // so many neighbours of one type are folded into one box
const wayMost = 8; // steps to a finding; of more, those in between are folded
export const unfoldedAtOnce = 48;
const mostBoxes = 240;
const near = 36; // boxes that a picture around an object has before it goes no further
export const farthest = 3; // circles around an object

class Story {
  boxes = [];
  boxOf = new Map(); // of nodes, drawn or folded
  ringCount = 0;
  extra = []; // edges that are known without a reference of the file
  hidden = 0;

  constructor(unfolded) { this.unfolded = unfolded; }

  get isFull() { return this.boxes.length >= mostBoxes; }

  add(node, more = {}) {
    if (this.boxOf.has(node)) return undefined;
    const type = typeOf(node);
    return this.#push({
      node, title: shortName(type), subtitle: addressOf(node), own: type.own === 1, leaked: isLeaked(node), ...more,
    }, [node]);
  }

  /** One box for many: `nodes` may be fewer than `total`, when the file does not hold them all. */
  fold(key, nodes, total, more = {}) {
    const isSeries = more.inRing || more.onWay; // of whatever types
    const title = isSeries ? `… ${count(total)} ${words.more}` : `${count(total)} × ${shortName(typeOf(nodes[0]))}`;
    return this.#push({
      fold: nodes.length ? key : undefined, nodes, own: nodes.length > 0 && typeOf(nodes[0]).own === 1,
      leaked: nodes.length > 0 && isLeaked(nodes[0]), subtitle: nodes.length ? words.unfold : '',
      title, ...more,
    }, nodes);
  }

  root(label, target, more = {}) {
    const box = this.#push({ root: true, title: words.root(label) || words.isRoot, subtitle: '', ...more }, []);
    if (target !== undefined) this.extra.push({ from: box.number, to: this.boxOf.get(target) ?? 0, label: '' });
    return box;
  }

  #push(box, nodes) {
    box.number = this.boxes.length;
    this.boxes.push(box);
    for (const node of nodes) if (!this.boxOf.has(node)) this.boxOf.set(node, box.number);
    return box;
  }

  /** Neighbours of one box, those alike folded; answers what was added. */
  addAlike(key, nodes, more) {
    const fresh = [...new Set(nodes)].filter((node) => !this.boxOf.has(node));
    const byType = new Map();
    for (const node of fresh) byType.set(graph.type[node], [...(byType.get(graph.type[node]) ?? []), node]);
    const added = [];
    for (const [type, alike] of byType) {
      const name = `${key} ${type}`;
      const most = this.unfolded.get(name) ?? (alike.length > alikeFrom ? 0 : alikeFrom);
      for (const node of alike.slice(0, most)) added.push(this.add(node, more));
      if (alike.length > most) added.push(this.fold(name, alike.slice(most), alike.length - most, more));
    }
    return added;
  }

  /** Several references from one box to another are one edge, with all their names. */
  edges() {
    const bundles = new Map();
    for (const box of this.boxes) {
      for (const node of box.node === undefined ? box.nodes ?? [] : [box.node]) {
        for (const edge of referencesOf(node)) {
          const to = this.boxOf.get(graph.target[edge]);
          if (to === undefined || (box.nodes && (to === box.number || this.boxes[to].nodes))) continue;
          const key = box.number * 100_000 + to;
          const bundle = bundles.get(key) ?? { from: box.number, to, refs: [] };
          bundle.refs.push(edge);
          bundles.set(key, bundle);
        }
      }
    }
    const all = [...bundles.values()];
    for (const one of all) {
      const fields = [...new Set(one.refs.map((edge) => reference(edge).field))];
      one.label = fields.length > 2 ? `${fields[0]} +${one.refs.length - 1}` : fields.join(', ');
      one.isWeak = one.refs.every(isWeak);
    }
    for (const one of this.extra) {
      const key = one.from * 100_000 + one.to;
      if (!bundles.has(key)) all.push({ refs: [], isWeak: false, ...one });
    }
    for (const one of all) {
      one.inRing = this.ringCount > 0 && one.from < this.ringCount && one.to === (one.from + 1) % this.ringCount;
      one.isDouble = one.from !== one.to && bundles.has(one.to * 100_000 + one.from);
    }
    return all;
  }
}

/** A finding: its ring in its order, what leads to it, and what it keeps. */
export function storyOfFinding(finding, unfolded) {
  const story = new Story(unfolded);
  const ring = finding.ring ?? [];
  if (ring.length) addRing(story, finding, ring);
  else if (finding.head !== undefined) story.add(finding.head, { level: 0 });
  story.ringCount = ring.length ? story.boxes.length : 0;
  addWay(story, finding);
  addKept(story, finding);
  if (finding.root !== undefined) story.root(finding.root, finding.path?.[0] ?? finding.head, { onWay: true });
  return story;
}

function addRing(story, finding, ring) {
  const isFolded = ring.length > foldedFrom && !story.unfolded.has('ring');
  const before = isFolded ? shownBefore : finding.ringGap >= 0 ? finding.ringGap : ring.length;
  const behind = isFolded ? ring.length - shownBehind : before;
  ring.slice(0, before).forEach((node) => story.add(node, { inRing: true }));
  const more = finding.ringCount - before - (ring.length - behind);
  if (more > 0) {
    const box = story.fold('ring', ring.slice(before, behind), more, { inRing: true });
    story.extra.push({ from: box.number - 1, to: box.number, label: finding.ringLabels[before - 1] });
    const last = finding.ringLabels[behind - 1] ?? '';
    story.extra.push({ from: box.number, to: behind < ring.length ? box.number + 1 : 0, label: last });
  }
  ring.slice(behind).forEach((node) => story.add(node, { inRing: true }));
}

/** What leads to it; of a long way the beginning and the end. */
function addWay(story, finding) {
  const way = (finding.path ?? []).filter((node) => !story.boxOf.has(node));
  const isLong = way.length > wayMost && !story.unfolded.has('way');
  const before = isLong ? wayMost / 2 : way.length;
  const behind = isLong ? way.length - wayMost / 2 : way.length;
  const missing = Math.max(0, finding.pathCount - finding.path?.length);
  for (const node of way.slice(0, before)) story.add(node, { onWay: true });
  if (isLong) {
    const total = behind - before + missing;
    story.fold('way', way.slice(before, behind), total, { onWay: true });
  }
  for (const node of way.slice(behind)) story.add(node, { onWay: true });
}

/** In widening circles from what is there; of each box its children stand together. */
function addKept(story, finding) {
  const kept = new Set(finding.kept);
  const queue = story.boxes.filter((box) => !box.onWay);
  for (const box of queue) {
    if (box.node === undefined || story.isFull) continue;
    const next = referencesOf(box.node).map((edge) => graph.target[edge]).filter((node) => kept.has(node));
    queue.push(...story.addAlike(box.node, next, { level: (box.level ?? 0) + 1 }));
  }
  for (const node of kept) {
    if (story.isFull) break;
    story.add(node, { level: 0 });
  }
  story.hidden = finding.keptCount - finding.kept.filter((node) => story.boxOf.has(node)).length;
}

/** An object in the middle, who refers to it on its left, and to whom it refers on its right; some steps far. */
export function storyAround(node, unfolded, circles) {
  const story = new Story(unfolded);
  const centre = story.add(node, { level: 0, centre: true });
  const sides = [
    [-1, (one) => referrersOf(one).map((edge) => reference(edge).from)],
    [1, (one) => referencesOf(one).map((edge) => graph.target[edge])],
  ];
  const ends = { '-1': [centre], 1: [centre] };
  for (let far = 1; far <= circles; far += 1) {
    for (const [side, neighbours] of sides) {
      const next = [];
      for (const box of ends[side]) {
        if (box.node === undefined || story.isFull || (far > 1 && story.boxes.length > near)) continue;
        next.push(...story.addAlike(`${side} ${box.node}`, neighbours(box.node), { level: side * far }));
      }
      ends[side] = next;
    }
  }
  for (const box of [...story.boxes]) {
    const label = box.node === undefined || box.level > 0 ? undefined : graph.rootOf.get(box.node);
    if (label !== undefined) story.root(label, box.node, { level: box.level - 1 });
  }
  return story;
}
