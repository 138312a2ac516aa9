// The blocks that are drawn of a finding, or around an object, and those that are folded into one box.

import {
  addressOf, graph, isLeaked, reference, referencesOf, shortName, sourcesOf, targetsOf, typeOf,
} from './data.js';
import { count } from './elements.js';
import { strong, surestKind } from './kinds.js';
import { words } from './words.js';

const mostBoxes = 120;
const near = 36; // the number of boxes at which a picture around an object stops growing

/**
 * The limits above which a group is folded, from generous to strict: members of a ring, or of a longer one those at its
 * beginning and its end; steps on the way there; neighbours of one type (`alike`); members of a group opened at once,
 * also the most around one box (`page`); circles around an object, or around a ring.
 */
export const limits = [
  { ring: 20, before: 10, behind: 4, way: 8, alike: 6, page: 12, circles: 8 },
  { ring: 20, before: 10, behind: 4, way: 6, alike: 4, page: 10, circles: 3 },
  { ring: 16, before: 8, behind: 4, way: 6, alike: 3, page: 8, circles: 2 },
  { ring: 14, before: 7, behind: 3, way: 4, alike: 6, page: 8, circles: 1 },
  { ring: 14, before: 7, behind: 3, way: 4, alike: 2, page: 6, circles: 1 },
  { ring: 12, before: 6, behind: 3, way: 4, alike: 1, page: 6, circles: 1 },
  { ring: 12, before: 6, behind: 2, way: 2, alike: 1, page: 4, circles: 0 },
];

class Story {
  boxes = [];
  boxOf = new Map(); // by node, drawn or folded
  ringCount = 0;
  extra = []; // edges without a reference in the file
  hidden = 0;

  /** @param unfolded the open groups, and the members shown first. */
  constructor(unfolded, limit) { Object.assign(this, { unfolded, limit }); }

  get isFull() { return this.boxes.length >= mostBoxes; }

  add(node, more = {}) {
    if (this.boxOf.has(node)) return undefined;
    const type = typeOf(node);
    return this.#push({
      node, title: shortName(type), subtitle: addressOf(node), own: type.own === 1, leaked: isLeaked(node), ...more,
    }, [node]);
  }

  /** One box for many: `nodes` may be fewer than `total`, when the file does not hold them all; a click shows those
   * from `next` on. */
  fold(key, next, nodes, total, more = {}) {
    const isAlike = nodes.length > 0 && !more.inRing && !more.onWay && !more.isMixed;
    const title = isAlike ? `${count(total)} × ${shortName(typeOf(nodes[0]))}` : `… ${count(total)} ${words.more}`;
    return this.#push({
      fold: nodes.length ? key : undefined, next, nodes, own: isAlike && typeOf(nodes[0]).own === 1,
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

  /** Adds neighbours of one box, similar ones folded; returns the boxes added. */
  addAlike(key, nodes, more) {
    const fresh = [...new Set(nodes)].filter((node) => !this.boxOf.has(node));
    const byType = new Map();
    for (const node of fresh) byType.set(graph.type[node], [...(byType.get(graph.type[node]) ?? []), node]);
    const groups = [];
    for (const [type, alike] of byType) {
      if (alike.length > this.limit.alike + 1) groups.push({ name: `${key} ${type}`, alike });
      else groups.push(...alike.map((node) => ({ alike: [node] })));
    }
    const show = ({ name, alike }) => {
      if (!name) return [this.add(alike[0], more)];
      if (!this.unfolded.has(name)) return [this.fold(name, 0, alike, alike.length, more)];
      return this.#page(name, alike, (node) => [this.add(node, more)], (part) => part, more);
    };
    if (groups.length <= this.limit.page + 1) return groups.flatMap(show);
    const all = (part) => part.flatMap(({ alike }) => alike);
    return this.#page(`${key} rest`, groups, show, all, { ...more, isMixed: true });
  }

  /** A page of many members; those before and after it are one box each. */
  #page(name, all, show, nodesOf, more) {
    const { page } = this.limit;
    const start = Math.min(this.unfolded.get(name) ?? 0, all.length - 1);
    const fold = (part, next) => {
      if (part.length === 1) return show(part[0]);
      const nodes = nodesOf(part);
      return part.length ? [this.fold(name, next, nodes, nodes.length, more)] : [];
    };
    return [
      ...fold(all.slice(0, start), Math.max(0, start - page)), ...all.slice(start, start + page).flatMap(show),
      ...fold(all.slice(start + page), start + page),
    ];
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
      one.label = fields.length > 2 ? words.fieldAndMore(fields[0], count(one.refs.length - 1)) : fields.join(', ');
      one.kind = surestKind(one.refs);
    }
    for (const one of this.extra) {
      const key = one.from * 100_000 + one.to;
      if (!bundles.has(key)) all.push({ refs: [], kind: strong, ...one });
    }
    for (const one of all) {
      one.inRing = this.ringCount > 0 && one.from < this.ringCount && one.to === (one.from + 1) % this.ringCount;
      one.isDouble = one.from !== one.to && bundles.has(one.to * 100_000 + one.from);
    }
    return all;
  }
}

/** A finding: its ring in order, the path to it, and what it retains. */
export function storyOfFinding(finding, unfolded, limit) {
  const story = new Story(unfolded, limit);
  const ring = finding.ring ?? [];
  if (ring.length) addRing(story, finding, ring);
  else if (finding.head !== undefined) story.add(finding.head, { level: 0 });
  story.ringCount = ring.length ? story.boxes.length : 0;
  addWay(story, finding);
  addKept(story, finding);
  if (finding.root !== undefined) story.root(finding.root, finding.path?.[0] ?? finding.head, { onWay: true });
  return story;
}

/** All of a short ring. Of a longer one its beginning, its end, and the open part in between. */
function addRing(story, finding, ring) {
  const { ring: most, before, behind } = story.limit;
  const gap = finding.ringGap >= 0 ? finding.ringGap : ring.length;
  const labels = finding.ringLabels;
  addSeries(story, 'ring', ring, { most, before, behind, gap, missing: finding.ringCount - ring.length }, {
    inRing: true, level: 0,
  }, (box, from, to) => {
    if (from > 0) story.extra.push({ from: box.number - 1, to: box.number, label: labels[from - 1] });
    const next = to < ring.length ? box.number + 1 : 0;
    story.extra.push({ from: box.number, to: next, label: labels[to - 1] ?? '' });
  });
}

/** The path to the ring; of a long one the beginning and the end. */
function addWay(story, finding) {
  const way = (finding.path ?? []).filter((node) => !story.boxOf.has(node));
  const missing = Math.max(0, finding.pathCount - finding.path?.length);
  const most = story.limit.way;
  addSeries(story, 'way', way, {
    most, before: most / 2, behind: most / 2, gap: missing ? way.length >> 1 : way.length, missing,
  }, { onWay: true }, () => {});
}

/**
 * Nodes in their order, and a box for each part that is folded.
 * @param part { most, before, behind, gap, missing }: the number that is not folded; of more, those at the beginning
 * and the end; the place and number of those that the file does not name.
 * @param folded is called with each such box and the nodes in it.
 */
function addSeries(story, key, nodes, { most, before, behind, gap, missing }, more, folded) {
  const start = story.unfolded.get(key);
  const { length } = nodes;
  const page = Math.max(before, 4);
  const open = () => [[0, 2], [start, Math.min(start + page, start < gap ? gap : length)], [length - 2, length]];
  const shown = length + missing <= most ? [[0, length]]
    : start === undefined ? [[0, before], [length - behind, length]] : open();
  const fold = (from, to) => {
    const unnamed = from <= gap && gap <= to ? missing : 0;
    if (to - from + unnamed === 1) nodes.slice(from, to).forEach((node) => story.add(node, more));
    if (to - from + unnamed <= 1) return;
    const next = start !== undefined && to <= start ? Math.max(from, start - page) : from;
    folded(story.fold(key, next, nodes.slice(from, to), to - from + unnamed, more), from, to);
  };
  let at = 0;
  for (const [from, to] of shown) {
    if (from > at) fold(at, from);
    for (const node of nodes.slice(Math.max(at, from), to)) story.add(node, more);
    at = Math.max(at, to);
  }
}

/** Retained objects in widening circles; each box's children are adjacent. Those too far away are one box. */
function addKept(story, finding) {
  const kept = new Set(finding.kept);
  const isNew = (node) => kept.has(node) && !story.boxOf.has(node);
  const queue = story.boxes.filter((box) => !box.onWay);
  for (const box of queue) {
    if (box.node === undefined || story.isFull) continue;
    const next = targetsOf(box.node).filter(isNew);
    if (!next.length) continue;
    const more = { level: box.level + 1, parent: box.number };
    const key = `kept ${box.node}`;
    const isFar = box.level >= story.limit.circles && !story.unfolded.has(key);
    const all = isFar ? reachedFrom(next, isNew) : next;
    if (isFar && all.length > 1) story.fold(key, 0, all, all.length, { ...more, isMixed: true });
    else queue.push(...story.addAlike(box.node, next, more));
  }
  // Nodes reached only through a folded group are not drawn; nodes reached from nowhere are.
  const hidden = new Set(reachedFrom(story.boxes.flatMap((box) => box.nodes ?? []), (node) => kept.has(node)));
  for (const node of kept) if (!story.isFull && !hidden.has(node)) story.add(node, { level: 0 });
  story.hidden = finding.keptCount - finding.kept.filter((node) => story.boxOf.has(node)).length;
}

/** Some nodes, and all that they lead to. */
function reachedFrom(nodes, isPart) {
  const found = new Set(nodes);
  for (const node of found) for (const target of targetsOf(node)) if (isPart(target)) found.add(target);
  return [...found];
}

/**
 * An object in the middle, those that refer to it on its left, and those it refers to on its right, several steps far.
 */
export function storyAround(node, unfolded, limit) {
  const story = new Story(unfolded, limit);
  const centre = story.add(node, { level: 0, centre: true });
  const sides = [[-1, sourcesOf], [1, targetsOf]];
  const ends = { '-1': [centre], 1: [centre] };
  for (let far = 1; far <= Math.min(Math.max(limit.circles, 1), 3); far += 1) {
    for (const [side, neighbours] of sides) {
      const next = [];
      for (const box of ends[side]) {
        if (box.node === undefined || story.isFull || (far > 1 && story.boxes.length > near)) continue;
        next.push(...story.addAlike(
          `${side} ${box.node}`, neighbours(box.node), { level: side * far, parent: box.number }));
      }
      ends[side] = next;
    }
  }
  for (const box of [...story.boxes]) {
    const label = box.node === undefined || box.level > 0 ? undefined : graph.rootOf.get(box.node);
    if (label !== undefined) story.root(label, box.node, { level: box.level - 1, parent: box.number });
  }
  return story;
}
