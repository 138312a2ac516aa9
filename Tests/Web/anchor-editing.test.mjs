// Changes of the zone and the rode while earlier ones are being saved.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 18 has none
const { careful } = await page('/doing.js');
const { editing } = await page('/anchor/editing.js');
const { status } = await page('/anchor/model.js');
const { dropPlace } = await page('/anchor/arm/dropped.js');

const circle = (metres) => ({ shape: 'circle', radius_m: metres });
const timer = globalThis.setTimeout;
const soon = () => new Promise((resolve) => { timer(resolve, 5); });
globalThis.setTimeout = (...all) => timer(...all).unref(); // the time for an undo keeps nobody waiting here

/** A hub that answers when the test says so, and a page's editing: {edit, note, saves, answer}. */
function world(context) {
  const saves = [];
  const waiting = [];
  context.mock.method(globalThis, 'fetch', (_, { body }) => new Promise((resolve) => {
    saves.push(JSON.parse(body));
    waiting.push(resolve);
  }));
  status.set({ state: 'holding', settings: { zone: circle(40), warning: 0.8 } });
  const answer = async (code = 200) => {
    const settings = { ...status.peek().settings, ...saves.at(-1) };
    const body = code === 200 ? { state: 'holding', settings } : { code: 40003, error: 'No such zone.' };
    waiting.shift()(new Response(JSON.stringify(body), { status: code }));
    await soon();
  };
  const { inTurn, note } = careful((error) => `failed: ${error.status}`);
  return { edit: editing(inTurn), note, saves, answer };
}

test('of two changes in a row both are saved, and the second one is shown all the time', async (context) => {
  const { edit, saves, answer } = world(context);
  edit.change({ zone: circle(50) });
  edit.done();
  await soon();
  edit.change({ zone: circle(60) });
  edit.change({ warning: 0.7 });
  edit.done();
  await soon();
  const isShown = (when) => assert.deepEqual(edit.shown(), { zone: circle(60), warning: 0.7 }, when);
  assert.deepEqual(saves, [{ zone: circle(50) }], 'one at a time');
  isShown('while the first is saved');
  await answer();
  isShown('when the first is saved');
  assert.deepEqual(saves.slice(1), [{ zone: circle(60), warning: 0.7 }]);
  await answer();
  isShown('when both are saved');
  assert.deepEqual(status.peek().settings, { zone: circle(60), warning: 0.7 });
  assert.deepEqual(edit.before(), { zone: circle(50), warning: 0.8 });
  edit.undo();
  await soon();
  await answer();
  assert.deepEqual(edit.shown(), { zone: circle(50), warning: 0.8 });
});

test('what could not be saved stays, is tried again, and nothing goes on that needs it', async (context) => {
  const { edit, saves, answer } = world(context);
  edit.change({ zone: circle(50) });
  edit.done();
  await soon();
  await answer(503);
  assert.deepEqual(edit.shown().zone, circle(50));
  assert.equal(edit.before(), null);
  const settled = assert.rejects(edit.settle(), { status: 503 });
  await soon();
  await answer(503);
  await settled;
  assert.deepEqual(saves, [{ zone: circle(50) }, { zone: circle(50) }]);
  edit.undo();
  assert.deepEqual(edit.shown().zone, circle(40));
  await edit.settle();
});

test('what the hub refuses is not shown as if it counted, nor sent again', async (context) => {
  const { edit, saves, answer } = world(context);
  edit.change({ zone: circle(50) });
  edit.done();
  await soon();
  await answer(400);
  assert.deepEqual(edit.shown().zone, circle(40));
  edit.change({ warning: 0.7 });
  edit.done();
  await soon();
  assert.deepEqual(saves.at(-1), { warning: 0.7 });
  await answer();
});

test('what is put back where it was is no change', async (context) => {
  const { edit, saves } = world(context);
  edit.change({ zone: circle(50) });
  edit.change({ zone: circle(40) });
  edit.done();
  await soon();
  assert.deepEqual([saves, edit.before()], [[], null]);
  status.set({ state: 'holding', settings: { zone: circle(45), warning: 0.8 } });
  assert.deepEqual(edit.shown().zone, circle(45), 'what somebody else sets is shown');
});

test('what was not saved at one anchorage is not sent to the next', async (context) => {
  const { edit, answer } = world(context);
  edit.change({ zone: circle(50) });
  edit.done();
  await soon();
  await answer(503);
  status.set({ state: 'idle', settings: null });
  await soon();
  status.set({ state: 'holding', settings: { zone: circle(40), warning: 0.8 } });
  assert.deepEqual(edit.shown().zone, circle(40));
});

test('neither is it by a page that slept while she weighed, nor is an undo', async (context) => {
  const { edit, saves, answer } = world(context);
  edit.change({ warning: 0.7 });
  edit.done();
  await soon();
  await answer();
  edit.change({ zone: circle(90) });
  edit.done();
  await soon();
  await answer(503);
  const next = { zone: circle(40), warning: 0.8 };
  status.set({ state: 'dropped', dropped_at: '2026-11-30T16:10:00Z', settings: next });
  await soon();
  assert.deepEqual([edit.shown(), edit.before()], [next, null]);
  await edit.settle();
  assert.equal(saves.length, 2);
});

test('where “Drop” was pressed is known to a page that has seen the anchor there, at this anchorage', async () => {
  const [here, there, swung] = [{ lat: 54, lon: 10 }, { lat: 54, lon: 11 }, { lat: 54.1, lon: 10 }];
  const tell = async (anchor, by, hour) => {
    status.set({ state: 'dropped', settings: { anchor }, anchor_by: by, dropped_at: `2026-11-29T0${hour}:10:00Z` });
    await soon();
  };
  await tell(swung, 'swing', 2);
  const place = dropPlace();
  assert.equal(place(), null, 'the anchor is where her swing has put it');
  await tell(here, 'drop', 3);
  await tell(swung, 'swing', 3);
  assert.deepEqual(place(), here);
  await tell(there, 'bearing', 4);
  assert.equal(place(), null, 'that was another anchorage');
});
