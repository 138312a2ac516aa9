// What is said of a device that a drill has rung, and how long a drill lasts.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { page } from './pages.mjs';

const { drilling, told } = await page('/drill.js');
const { words } = await page('/drill-words.js');
const { noteClock } = await page('/keep.js');

test('a device is told by its answer, and as bad only when the time is over', () => {
  const never = { rang: false, answered_after_s: null };
  const heard = { rang: true, answered_after_s: 0 };
  const rings = { rang: true, answered_after_s: null };
  assert.deepEqual(told(heard, false), { said: words.heard, kind: 'good' });
  assert.deepEqual(told(heard, true), { said: words.heard, kind: 'good' });
  assert.deepEqual(told(rings, false), { said: words.ringing, kind: null });
  assert.deepEqual(told(rings, true), { said: words.silent, kind: 'bad' });
  assert.deepEqual(told(never, false), { said: words.ringing, kind: null }, 'its push service may have it');
  assert.deepEqual(told(never, true), { said: words.notRung, kind: 'bad' });
});

/** Just enough of a page for a template's attributes: its one element has them all, and what listens there. */
function drawn(context, draw) {
  const [attributes, listeners] = [{}, {}];
  context.after(() => { for (const name of ['document', 'Node', 'NodeFilter']) delete globalThis[name]; });
  globalThis.Node = { COMMENT_NODE: 8 };
  globalThis.NodeFilter = {};
  globalThis.document = {
    createElement: () => ({ set innerHTML(markup) { this.content = markup; } }),
    importNode: (markup) => markup,
    createTreeWalker: (markup) => {
      const currentNode = {
        nodeType: 1,
        getAttributeNames: () => [...markup.matchAll(/\s(hole-\d+)/g)].map(([, name]) => name),
        setAttribute(name, value) { attributes[name] = value; },
        removeAttribute(name) { delete attributes[name]; },
        addEventListener(name, act) { listeners[name] = act; },
      };
      let left = 1;
      return { currentNode, nextNode: () => left-- > 0 };
    },
  };
  return { ...draw(), attributes, listeners };
}

const turns = async () => {
  for (let left = 20; left > 0; left -= 1) await new Promise((resolve) => { setImmediate(resolve); });
};

test('a drill that is rung again lasts until it is answered itself, also if it cannot be read at first',
  async (context) => {
    context.mock.timers.enable({ apis: ['setTimeout'] });
    const drill = (id, devices) => ({
      drills: [{ room: 'space', id, at: new Date(0).toISOString(), rings: 1, without: [], devices }],
    });
    const device = (after) => ({ name: 'Pi', person: null, rang: true, answered_after_s: after });
    let known; // no network without it
    context.mock.method(globalThis, 'fetch', async (_, { method }) => {
      if (method === 'GET' && !known) throw new TypeError('no network');
      return Response.json(method === 'POST' ? { id: '2', devices: 1 } : known);
    });
    for (const before of [drill(null, []), drill('1', [device(4)])]) {
      known = before;
      const { last, attributes, listeners } = drawn(context, () => drilling(() => 'space'));
      await turns();
      assert.equal(last().id, before.drills[0].id);
      assert.ok(!('aria-busy' in attributes), 'none is under way');
      known = null;
      await listeners.click();
      await turns();
      assert.equal(String(attributes['aria-busy']), 'true', 'it is under way, although it could not be read');
      known = drill('2', [device(null)]);
      context.mock.timers.tick(2_000);
      await turns();
      assert.equal(last().id, '2');
      assert.ok('aria-busy' in attributes, 'nobody has answered');
      known = drill('2', [device(3)]);
      context.mock.timers.tick(2_000);
      await turns();
      assert.ok(!('aria-busy' in attributes), 'it is over');
    }
  });

test('a drill is over by the hub’s clock, also for a device that is minutes behind', async (context) => {
  const now = Date.now();
  const dated = (time) => ({ headers: { Date: new Date(time).toUTCString() } });
  context.mock.method(globalThis, 'fetch', async () => Response.json({
    drills: [{
      room: 'space', id: '1', at: new Date(now).toISOString(), rings: 1, without: [],
      devices: [{ name: 'Pi', person: null, rang: true, answered_after_s: null }],
    }],
  }, dated(now + 300_000)));
  const { silentOnes, attributes } = drawn(context, () => drilling(() => 'space'));
  await turns();
  assert.ok(!('aria-busy' in attributes));
  assert.deepEqual(silentOnes(), ['Pi']);
  context.after(() => noteClock(new Response('', dated(Date.now()))));
});
