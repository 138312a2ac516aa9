// What the signed-in person may, as the hub tells it with the session.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { may, refreshSession, session } = await page('/session.js');
const { UNKNOWN } = await page('/migrations.js');

/** Asks a hub that answers so. */
async function told(answer) {
  globalThis.fetch = async () => new Response(JSON.stringify(answer));
  await refreshSession();
}

const person = { id: '1', name: 'Ada', role: 'owner' };
const device = { id: '2', name: 'phone' };

test('pages ask for rights, and roles decide nothing', async () => {
  assert.equal(may('door.open'), false, 'not known yet');
  await told({ person, device, rights: ['hub.enter', 'door.open'] });
  assert.deepEqual([may('door.open'), may('hub.enter'), may('hub.manage'), may('door')], [true, true, false, false]);
  await told({ person, device, rights: ['hub.enter'] });
  assert.equal(may('door.open'), false, 'it was taken away');
  await told({ person: null, device: null, rights: [] });
  assert.deepEqual([session(), may('hub.enter')], [null, false]);
});

test('a session kept before rights were told leaves the rooms open, and no more of the hub than it says', async () => {
  await told({ person, device, rights: [UNKNOWN] });
  assert.deepEqual([may('door.open'), may('clock.wind'), may('hub.manage')], [true, true, false]);
});
