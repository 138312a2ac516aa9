// An event at its own address that is not among those of the coming months: the hub is asked for it alone.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
const { signal } = await page('/ui.js');
const { wholeProgramme } = await page('/programme/model.js');
const { eventOf, followEvent, isOnItsWay, isOutOfReach } = await page('/programme/past.js');

const soon = () => new Promise((resolve) => { setTimeout(resolve, 5); });

test('an event of another day is asked for, and only what the hub does not have is gone', async (context) => {
  const asked = [];
  const answers = {};
  context.mock.method(globalThis, 'fetch', async (url) => {
    asked.push(url);
    const [, id] = /^\/api\/v1\/space\/events\/([^/?]+)$/.exec(url);
    if (!answers[id]) throw new TypeError('no connection');
    return new Response(JSON.stringify(answers[id].body ?? {}), { status: answers[id].status });
  });
  const wanted = signal('old');
  followEvent(wanted);
  await soon();
  assert.deepEqual(asked, [], 'the programme may have it');
  assert.ok(isOnItsWay('old'));
  answers.old = { status: 200, body: { id: 'old', title: 'Soldering' } };
  wholeProgramme.set({ events: [{ id: 'next' }], sources: [] });
  assert.ok(isOnItsWay('old'), 'also before it is asked for');
  await soon();
  assert.equal(eventOf('old').title, 'Soldering');
  const shown = eventOf('old');
  wholeProgramme.set({ events: [{ id: 'next', title: 'Sewing' }], sources: [] });
  delete answers.old;
  await soon();
  assert.equal(eventOf('old'), shown, 'it stays without a connection');

  asked.length = 0;
  wanted.set('next');
  await soon();
  assert.deepEqual([asked, eventOf('next').title], [[], 'Sewing']);

  answers.gone = { status: 404, body: { code: 40403 } };
  answers.unrouted = { status: 404 }; // of what stands before the hub
  for (const [id, isOut] of [['gone', false], ['unrouted', true], ['far', true]]) {
    wanted.set(id);
    await soon();
    assert.deepEqual([eventOf(id), isOnItsWay(id), isOutOfReach(id)], [undefined, false, isOut], id);
  }
  answers.far = { status: 200, body: { id: 'far' } };
  wholeProgramme.set({ events: [], sources: [] });
  await soon();
  assert.equal(eventOf('far').id, 'far');
});
