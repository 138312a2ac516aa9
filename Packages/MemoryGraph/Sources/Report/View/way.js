// Why a block is alive: the way to it from a root.

import { graph, isLeaked, reference, referencesOf } from './data.js';

const [strong, weak, unowned] = [0, 1, 2];
/** Roots by how surely they hold: variables, stacks and registers, all others. */
const roots = [/global variable/, /^(stack of|register) /, /^/];
const rank = (label) => roots.findIndex((kind) => kind.test(label));

/**
 * The surest way of references that keep alive, and of those a short one, as `memorygraph path` tells it: first from
 * variables over references that Swift declares, then from stacks, or over one that may be none, and so on.
 * @returns { root, steps }: the root's name, and each step { from, to, field }; undefined if there is none in the file.
 */
export function wayTo(node) {
  if (isLeaked(node)) return undefined;
  const before = new Map(); // the reference by which each was reached
  let [next, later] = [[], []];
  const reach = (to, edge) => {
    if (before.has(to)) return;
    before.set(to, edge);
    next.push(to);
  };
  for (let round = 0; (round < roots.length || later.length) && !before.has(node); round += 1) {
    for (const [root, label] of graph.rootOf) if (rank(label) === round) reach(root);
    for (const edge of later) reach(graph.target[edge], edge);
    later = [];
    while (next.length) {
      const level = next;
      next = [];
      for (const edge of level.flatMap(referencesOf)) {
        const kind = graph.kinds[graph.label[edge]];
        if (kind === strong) reach(graph.target[edge], edge);
        else if (kind !== weak && kind !== unowned) later.push(edge);
      }
    }
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
