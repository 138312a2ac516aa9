import assert from 'node:assert/strict';
import { test } from 'node:test';
import './modules.mjs';

const bytes = (...numbers) => ({ width: 1, data: Buffer.from(numbers).toString('base64') });
// Object 2 is held by a stack over 1, and by a variable over 0 and 3; 4 only by a word in 3 that may be no reference.
const graph = {
  count: 5, roots: [[0, 'App.store, global variable of app'], [1, 'stack of thread 7']], findings: [],
  types: [{ name: 'App.Node', kind: 'object' }], type: bytes(0, 0, 0, 0, 0), finding: bytes(0, 0, 0, 0, 0),
  first: bytes(0, 1, 2, 2, 4, 4), target: bytes(3, 2, 2, 4), label: bytes(0, 0, 0, 1), labels: ['next', '+8'],
  kinds: bytes(0, 4),
};
globalThis.document = { getElementById: () => ({ textContent: JSON.stringify(graph) }) };
Object.defineProperty(globalThis, 'navigator', { value: { language: 'en' }, configurable: true });
const { wayTo } = await import(new URL('../../Sources/Report/View/way.js', import.meta.url));

test('a way begins at a stack, or goes over a word that may be no reference, only when there is no other', () => {
  const told = (node) => [wayTo(node).root, ...wayTo(node).steps.map(({ from }) => from)];
  assert.deepEqual(told(2), ['App.store, global variable of app', 0, 3]);
  assert.deepEqual(told(4), ['App.store, global variable of app', 0, 3]);
  assert.deepEqual(told(1), ['stack of thread 7']);
});
