// The logic of the people's pages, without a browser: words in both languages.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { folders, page } from './pages.mjs';
import { shape } from './shape.mjs';

const modules = ['/people/told.js', '/people/words.js', '/people/link-panel.js', '/me/words.js', '/join/words.js'];

for (const name of modules) {
  const { dictionary } = await page(name);
  test(`${name} says everything in both languages`, () => {
    assert.deepEqual(shape(dictionary.de), shape(dictionary.en));
    assert.ok(Object.keys(dictionary.en).length > 5);
  });
}

const { ROLES, ROLES_OF_PEOPLE } = await page('/people/roles.js');

test('the roles are those of the hub, each with its name', async () => {
  const hub = readFileSync(new URL('../../Sources/Hub/Identity/Role.swift', import.meta.url), 'utf8');
  const [, cases] = /enum Role:[^{]*\{(.*?)^\}/ms.exec(hub);
  const ofHub = [...cases.matchAll(/^ {2}case (\w+)$/gm)].map(([, role]) => role);
  assert.deepEqual([...ROLES].sort(), ofHub.sort());
  const [, people] = /ofPeople: \[Role\] = \[(.*?)\]/.exec(cases);
  assert.deepEqual([...ROLES_OF_PEOPLE].sort(), people.match(/\w+/g).sort());
  const { dictionary } = await page('/people/told.js');
  for (const { roles } of Object.values(dictionary)) assert.deepEqual(Object.keys(roles).sort(), [...ROLES].sort());
});

const { ago, deviceName, dictionary: told } = await page('/people/told.js');

test('ages are said as people say them', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');
  assert.equal(ago('2026-11-20T11:59:30Z', now), 'just now');
  assert.equal(ago('2026-11-20T11:58:30Z', now), '1 minute ago');
  assert.equal(ago('2026-11-20T09:00:00Z', now), '3 hours ago');
  assert.equal(ago('2026-11-18T13:00:00Z', now), '1 day ago', 'and not yesterday');
  assert.equal(ago('2025-01-01T11:00:00Z', now), '1 year ago', 'and not in the last year');
  assert.equal(ago('2026-09-01T11:00:00Z', now), '2 months ago');
  assert.equal(ago(null, now), 'never');
});

test('an age goes on while its page stays open', async (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T12:00:00Z') });
  const { effect } = await page('/ui.js');
  const { now } = await page('/place.js');
  const said = [];
  effect(() => said.push(ago('2026-11-20T11:58:30Z')));
  context.mock.timers.setTime(Date.parse('2026-11-20T14:00:00Z'));
  now.set(Date.now());
  await new Promise((resolve) => { setImmediate(resolve); });
  assert.deepEqual(said, ['1 minute ago', '2 hours ago']);
});

const { fate } = await page('/people/link-panel.js');

test('a link that is listed no more was used only if the hub says so', async (context) => {
  const asked = [];
  const is = (status, body) => {
    context.mock.method(globalThis, 'fetch', async (url, { body: sent }) => {
      asked.push([url, sent]);
      return Response.json(body, { status });
    });
    return fate('https://hub.example/join#secret');
  };
  assert.equal(await is(410, { code: 41020 }), 'used');
  assert.equal(await is(410, { code: 41021 }), 'over');
  assert.equal(await is(404, { code: 40400 }), 'over', 'it was taken back');
  assert.equal(await is(200, { kind: 'device' }), 'open');
  await assert.rejects(is(503, {}));
  assert.deepEqual(asked[0], ['/api/v1/links/look', '{"link":"secret"}']);
});

const { isLoopback, ownAddress } = await page('/own-address.js');

test('a link that leads nowhere else is told from one that does', () => {
  for (const host of ['localhost:8080', '127.0.0.1', '127.1.2.3:80', '[::1]:8080', 'hub.localhost']) {
    assert.ok(isLoopback(`http://${host}/join#x`), host);
  }
  for (const host of ['192.168.1.10:8080', 'hub.example', 'localhost.example', '127.example']) {
    assert.ok(!isLoopback(`https://${host}/join#x`), host);
  }
});

test('a page at localhost makes links by the address that the hub knows, any other by its own', async (context) => {
  const asked = [];
  const at = (origin, answer) => {
    globalThis.location = { origin };
    globalThis.fetch = async (url) => {
      asked.push(url);
      return answer();
    };
    return ownAddress();
  };
  const { fetch } = globalThis;
  context.after(() => {
    globalThis.fetch = fetch;
    delete globalThis.location;
  });
  const near = 'http://192.168.1.10:8080';
  const cut = () => { throw new TypeError('no network'); };
  assert.equal(await at('http://localhost:8080', cut), 'http://localhost:8080');
  assert.equal(await at('http://localhost:8080', () => Response.json({ address: near })), near);
  assert.deepEqual(asked, ['/api/v1/session', '/api/v1/session']);
  assert.equal(await at('http://localhost:8080', cut), near, 'a code that is shown does not change meanwhile');
  assert.equal(await at('https://hub.example', () => assert.fail()), 'https://hub.example');
});

test('a device that nobody has named is called by its browser, in the reader’s language', () => {
  const source = readFileSync(new URL('../../Sources/Hub/Identity/DeviceName.swift', import.meta.url), 'utf8');
  const [browsers, systems] = [...source.matchAll(/= \[([^\]]*)\]/g)]
    .map(([, pairs]) => [...pairs.matchAll(/\("[^"]*", "([^"]*)"\)/g)].map(([, name]) => name));
  assert.ok(browsers.length > 4 && systems.length > 4);
  for (const browser of browsers) {
    for (const system of systems) {
      const name = `${browser} on ${system}`;
      assert.equal(deviceName(name, told.en), name);
      assert.match(deviceName(name, told.de), new RegExp(`^${browser} (unter|auf dem) ${system}$`));
    }
  }
  assert.equal(deviceName('Chrome on Linux', told.de), 'Chrome unter Linux');
  assert.equal(deviceName('Ada, Chrome on Linux', told.de), 'Ada, Chrome unter Linux');
  assert.equal(deviceName('Safari on iPhone', told.de), 'Safari auf dem iPhone');
  assert.equal(deviceName('Device', told.de), 'Gerät');
  assert.equal(deviceName('Chrome on Linux → Küche', told.de), 'Chrome unter Linux → Küche');
  assert.equal(deviceName('Device on the desk', told.de), 'Device on the desk');
});

test('who is no person of the club is told as what they are, whatever they call themselves', async () => {
  const { doer } = await page('/people/doer.js');
  assert.equal(doer({ by: 'person', who: 'Ada' }), 'Ada');
  assert.equal(doer({ by: 'token', who: 'door' }), 'door');
  assert.equal(doer({ by: 'command', who: 'command line' }), 'The command line');
  assert.equal(doer({ by: 'guest', who: 'Ada' }), 'Ada (guest)');
  assert.equal(doer({ by: 'room', who: 'space' }), 'Space');
  assert.equal(doer({ by: 'room', who: 'hub' }), 'The hub');
});

test('the times in an entry are said in words, also in those from before', async () => {
  const { sentence } = await page('/people/sentence.js');
  const { zone } = await page('/place.js');
  const { dated } = await page('/moments.js');
  const told = (about) => sentence({ by: 'person', who: 'Kim', what: 'opener.volunteered', about });
  for (const time of ['2020-11-24T18:00:00+01:00', '2020-11-24T17:00:00Z']) {
    const said = dated(Date.parse(time), Date.now(), zone());
    assert.match(said, /2020/);
    assert.equal(told(`Open evening, ${time}`), `Kim opens: Open evening, ${said}`);
  }
  assert.match(sentence({ by: 'person', who: 'Ada', what: 'rooms.shown', about: 'clock' }), /: Talking clock$/);
  assert.equal(told('Open evening, 24.11.'), 'Kim opens: Open evening, 24.11.');
  assert.match(sentence({ by: 'room', who: 'space', what: 'of.later', about: '2020-11-24T17:00:00Z' }), /November/);
});

test('who signs in on a device that says no name does so in whole sentences', async () => {
  const { dictionary } = await page('/people/words.js');
  const { en, de } = Object.fromEntries(Object.entries(dictionary).map(([name, { what }]) => [name, what]));
  assert.equal(en['device.added']('Ben', told.en.device), 'Ben signed in on a device');
  assert.equal(en['device.added']('Ben', 'Chrome on Linux'), 'Ben signed in on Chrome on Linux');
  assert.equal(de['device.added']('Ben', told.de.device), 'Ben hat ein Gerät angemeldet');
  assert.equal(de['device.added']('Ben', 'Chrome unter Linux'), 'Ben hat ein Gerät angemeldet: Chrome unter Linux');
});

test('days are written out as on other pages', async () => {
  const { onDay } = await page('/people/told.js');
  assert.match(onDay('2026-11-20T12:00:00Z'), /^(20 November 2026|November 20, 2026)$/);
});

test('a sign-in link is gone from the page with who made it', async () => {
  globalThis.customElements ??= { define() {} };
  globalThis.HTMLElement ??= class {};
  globalThis.location ??= new URL('http://hub.example/me');
  const { link } = await page('/me/devices.js');
  const { session } = await page('/session.js');
  const settled = () => new Promise((resolve) => { queueMicrotask(resolve); });
  const after = async (...people) => {
    link.set({ id: '7' });
    for (const person of people) {
      session.set(person && { person, rights: [] });
      await settled();
    }
    return link.peek();
  };
  const ada = { id: '1', name: 'Ada', role: 'owner' };
  await after(ada);
  assert.ok(await after({ ...ada, name: 'Ada L.' }), 'a new name is no other person');
  assert.equal(await after(null), null);
  await after(ada);
  assert.equal(await after({ ...ada, id: '2' }), null);
  session.set(undefined);
});

test('whoever leaves is told of each room that removes something of theirs', async () => {
  for (const [id, app] of Object.entries(folders)) {
    const { removed = { en: [], de: [] } } = await page(`/${id}/room.js`);
    assert.equal(removed.en.length, removed.de.length, app);
    const source = readFileSync(new URL(`../../Sources/Apps/${app}/${app}Room.swift`, import.meta.url), 'utf8');
    // Of albums only the name goes: the pictures stay.
    const removes = id !== 'albums' && source.includes('func personRemoved(');
    assert.equal(removed.en.length > 0, removes, app);
  }
});

test('a passkey for an address that the hub had before is none here', async (context) => {
  const { passkeysHere } = await page('/passkey.js');
  const kept = [{ id: '1', address: 'old.example' }, { id: '2', address: 'hub.example' }];
  context.mock.method(globalThis, 'fetch', async () => Response.json(kept));
  context.after(() => { delete globalThis.location; });
  globalThis.location = { hostname: 'hub.example' };
  assert.deepEqual((await passkeysHere()).map(({ id }) => id), ['2']);
  globalThis.location = { hostname: 'new.example' };
  assert.deepEqual(await passkeysHere(), []);
});
