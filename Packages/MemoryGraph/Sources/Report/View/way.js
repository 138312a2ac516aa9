// Why a block is alive: the way to it from a root.

import { graph, isLeaked, reference, referencesOf } from './data.js';

const [strong, weak, unowned] = [0, 1, 2];

/**
 * A shortest way of references that keep alive: only those that Swift declares, if there is such a way, else any.
 * @returns { root, steps }: the root's name, and each step { from, to, field }; undefined if there is none in the file.
 */
export function wayTo(node) {
  if (isLeaked(node)) return undefined;
  return walk(node, (kind) => kind === strong) ?? walk(node, (kind) => kind !== weak && kind !== unowned);
}

function walk(node, follows) {
  const before = new Map();
  let level = [...graph.rootOf.keys()];
  for (const root of level) before.set(root, undefined);
  while (level.length && !before.has(node)) {
    const next = [];
    for (const from of level) {
      for (const edge of referencesOf(from)) {
        const to = graph.target[edge];
        if (before.has(to) || !follows(graph.kinds[graph.label[edge]])) continue;
        before.set(to, edge);
        next.push(to);
      }
    }
    level = next;
  }
  if (!before.has(node)) return undefined;
  const steps = [];
  let at = node;
  for (let edge = before.get(at); edge !== undefined; edge = before.get(at)) {
    steps.unshift(reference(edge));
    at = steps[0].from;
  }
  return { root: graph.rootOf.get(at), steps };
}
