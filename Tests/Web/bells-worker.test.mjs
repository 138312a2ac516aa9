// The room's part of the service worker: what is shown, answered and taken back.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { actions, message, ORIGIN, wasm, worker } from './bells-worker.mjs';

test('a push is shown, and the hub is told without a cookie', async () => {
  const it = worker();
  await it.push(message({}, { badge: 3, vibration: [100, 50] }));
  assert.equal(it.screen.length, 1);
  assert.deepEqual([it.screen[0].title, it.screen[0].body, [...it.screen[0].vibrate]], ['Open', 'Ada', [100, 50]]);
  assert.equal(it.badge, 3);
  assert.deepEqual(it.sent.map(({ url, what, receipt, credentials }) => [url, what, receipt, credentials]),
    ['delivered', 'shown'].map((what) => ['/api/v1/bells/receipts', what, 'r', 'omit']));
});

test('the small picture in a phone’s status line has an outline: Android shows its alpha alone', async () => {
  const it = worker();
  await it.push(message());
  const file = readFileSync(new URL(`../../Sources/Hub/Web${it.screen[0].badge}`, import.meta.url));
  const [width, depth, kind] = [file.readUInt32BE(16), file[24], file[25]];
  assert.deepEqual([width, depth, kind], [96, 8, 4], 'grey with alpha');
  const rows = inflateSync(file.subarray(file.indexOf('IDAT') + 4, file.indexOf('IEND') - 8));
  const opaque = Array.from({ length: 96 * 96 }, (_, at) => rows[1 + Math.floor(at / 96) + 2 * at + 1]).filter(Boolean);
  assert.ok(opaque.length < 96 * 96 / 2, `${opaque.length} of ${96 * 96}`);
});

test('a push without a title has its subtitle for one', async () => {
  for (const [content, shown] of [
    [{ title: undefined, subtitle: 'Front' }, ['Front', 'Ada']], [{ title: '', body: '' }, ['Bells', '']],
    [{ subtitle: 'Front' }, ['Open', 'Front\nAda']],
  ]) {
    const it = worker();
    await it.push(message({}, content));
    assert.deepEqual([it.screen[0].title, it.screen[0].body], shown);
  }
});

test('the icon tells how many were missed, if the sender has no number of its own', async () => {
  const it = worker();
  await it.push(message({ unread: 5 }));
  assert.equal(it.badge, 5);
  await it.push(message({ id: '13', unread: 6 }, { badge: 1 }));
  assert.equal(it.badge, 1);
  await it.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r', unread: 0 });
  assert.equal(it.badge, 0);
});

test('each push is shown plainly where the rules do not come in time, or at all', async () => {
  const never = () => new Promise(() => {});
  const failing = async () => { throw new TypeError('no network'); };
  const broken = async () => new Response('no module');
  const missing = async () => new Response('', { status: 404 });
  const without = [{ isLate: true, file: never }, { file: failing }, { file: broken }, { file: async () => {} },
    { file: async () => {}, fetched: missing }];
  for (const options of without) {
    const it = worker(options);
    await it.push(message({}, { actions, url: '/programme', vibration: [100], interruption_level: 'critical' }));
    const [{ title, body, silent, renotify, actions: buttons, vibrate }] = it.screen;
    assert.deepEqual([title, body, silent, renotify, vibrate], ['Open', 'Ada', false, true, undefined]);
    assert.equal(buttons.length, 0);
    assert.deepEqual(it.sent.map(({ what }) => what), ['delivered', 'shown']);
    await it.press(it.screen[0]);
    assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`], 'a tap leads to the list, where its answers are');
  }
});

test('the rules are fetched from the hub where they are not kept, once for all pushes, and again after a failure',
  async () => {
    const whole = message({}, { interruption_level: 'passive' });
    const it = worker({ file: async () => {}, fetched: async () => new Response(wasm) });
    await it.push(whole);
    await it.push({ ...whole, id: '13' });
    assert.deepEqual(it.screen.map(({ silent }) => silent), [true, true]);
    assert.equal(it.asked, 1);
    let isThere = false;
    const later = worker({ file: async () => new Response(isThere ? wasm : '') });
    await later.push(whole);
    isThere = true;
    await later.push({ ...whole, id: '13' });
    assert.deepEqual(later.screen.map(({ silent }) => silent), [false, true]);
  });

test('what is taken back while the rules are awaited does not come back', async () => {
  let come;
  const it = worker({ file: () => new Promise((resolve) => { come = () => resolve(new Response(wasm)); }) });
  const pushes = [it.push(message()), it.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' })];
  await new Promise((resolve) => { setTimeout(resolve, 20); });
  assert.deepEqual([it.screen, it.sent.length], [[], 1]);
  come();
  await Promise.all(pushes);
  assert.deepEqual(it.screen, []);
  assert.deepEqual(it.sent.map(({ what }) => what).sort(), ['delivered', 'withdrawn', 'withdrawn']);
});

const picture = { mutable: true, user_info: { 'my-image': 'https://pictures.example/a.png' } };

test('a picture on a server of others is fetched by the hub, also where nothing is mutable', async () => {
  const attachments = [{ id: 'a', url: 'https://pictures.example/a.png', type: 'image/png' }];
  const asked = [];
  const it = worker({
    media: async (url, said) => {
      asked.push([url, said]);
      return Response.json({ url: '/files/b7', type: 'image/png' });
    },
  });
  await it.push(message({}, { attachments }));
  assert.equal(it.screen[0].image, '/files/b7');
  const { url, type } = attachments[0];
  assert.deepEqual(JSON.parse(JSON.stringify(asked)), [['/api/v1/bells/12/media', { url, type, receipt: 'r' }]]);
  const refused = worker({ media: async () => Response.json({}, { status: 503 }) });
  await refused.push(message({}, { attachments }));
  assert.deepEqual([refused.screen[0].title, refused.screen[0].image], ['Open', undefined]);
  const nowhere = worker();
  await nowhere.push(message({}, { attachments: [{ ...attachments[0], url: 'https://a.example:99999/a.png' }] }));
  assert.equal(nowhere.screen[0].title, 'Open');
  const iPhone = worker({ hasPictures: false, media: async () => new Promise(() => {}) });
  await iPhone.push(message({}, { attachments }));
  assert.equal(iPhone.screen[0].title, 'Open', 'it waits for no picture that it cannot show');
});

test('what is mutable gets its picture from the hub before it is shown', async () => {
  const asked = [];
  const it = worker({
    media: async (...one) => {
      asked.push(one);
      return Response.json({ url: '/files/b7', type: 'image/png' });
    },
  });
  await it.push(message({}, picture));
  assert.equal(it.screen[0].image, '/files/b7');
  assert.deepEqual(asked.map(([url, said, { credentials }]) => [url, said, credentials]), [
    ['/api/v1/bells/12/media', { url: picture.user_info['my-image'], receipt: 'r' }, 'omit']]);
  assert.ok(!('note' in it.sent.at(-1)));
  await it.push(message({ id: '13' }, { ...picture, mutable: false }));
  assert.equal(asked.length, 1, 'only what is mutable');
});

test('where an extension fails, the original is shown, and the hub is told', async () => {
  const refuses = async () => new Response('', { status: 415 });
  const it = worker({ media: refuses, doorExtension: () => { throw new Error('x'); } });
  await it.push(message({}, picture));
  await it.push(message({ id: '13' }, { mutable: true, category: 'door' }));
  assert.deepEqual(it.screen.map(({ title, image }) => [title, image]), Array(2).fill(['Open', undefined]));
  assert.deepEqual(it.sent.filter(({ what }) => what === 'shown').map(({ note }) => note),
    Array(2).fill('extension_failed:crashed'));
  const room = worker({ doorExtension: (content) => ({ ...content, title: 'The door' }) });
  await room.push(message({}, { mutable: true, category: 'door' }));
  await room.push(message({ id: '13' }, { mutable: true, category: 'gate' }));
  assert.deepEqual(room.screen.map(({ title }) => title), ['The door', 'Open'], 'the category chooses');
});

test('what is taken back while it is extended is never shown', async () => {
  let go;
  const it = worker({ media: () => new Promise((resolve) => { go = resolve; }) });
  const push = it.push(message({}, picture));
  while (!go) await new Promise((resolve) => { setTimeout(resolve, 5); });
  await it.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  go(Response.json({ url: '/files/b7', type: 'image/png' }));
  await push;
  assert.ok(!it.log.includes('Open'), it.log);
  assert.deepEqual(it.screen, []);
});

test('a second copy of what is pressed or dismissed meanwhile is never shown', async () => {
  for (const leave of ['press', 'close']) {
    let go;
    const it = worker({ media: () => new Promise((resolve) => { go = resolve; }) });
    const copy = it.push(message({}, picture));
    while (!go) await new Promise((resolve) => { setTimeout(resolve, 5); });
    await it.push(message());
    const [one] = it.screen;
    one.close();
    await it[leave](one);
    go(Response.json({ url: '/files/b7', type: 'image/png' }));
    await copy;
    assert.equal(it.log.filter((title) => title === 'Open').length, 1, leave);
    assert.deepEqual(it.screen, []);
  }
});

test('an update that is prepared while the older version is pressed does not ring as a new one', async () => {
  let go;
  const it = worker({ media: () => new Promise((resolve) => { go = resolve; }) });
  await it.push(message());
  const update = it.push(message({ version: 2 }, picture));
  while (!go) await new Promise((resolve) => { setTimeout(resolve, 5); });
  const [one] = it.screen;
  one.close();
  await it.press(one);
  go(Response.json({ url: '/files/b7', type: 'image/png' }));
  await update;
  assert.equal(it.log.filter((title) => title === 'Open').length, 1, it.log);
  assert.deepEqual(it.screen, []);
});

test('the page and the rules are kept from the subscription on, and with each push', async () => {
  const it = worker();
  await it.hear('take over');
  assert.equal(it.stocked, 0);
  await it.hear('rings here');
  assert.equal(it.stocked, 1);
  await it.push(message());
  assert.equal(it.stocked, 2);
});

test('what is passive comes quietly, and what is urgent stays', async () => {
  const it = worker();
  const levels = ['passive', 'active', 'time-sensitive', 'critical'];
  for (const [index, level] of levels.entries()) {
    await it.push(message({ id: `2${index}` }, { interruption_level: level, vibration: [100] }));
  }
  assert.deepEqual(it.screen.map(({ silent, requireInteraction, vibrate }) => [silent, requireInteraction, !vibrate]),
    [[true, false, true], [false, false, false], [false, true, false], [false, true, false]]);
});

test('the reader’s language is used where the sender gave it', async () => {
  const it = worker({ languages: ['de-AT'] });
  await it.push(message({}, { localized: { de: { title: 'Offen' } } }));
  assert.equal(it.screen[0].title, 'Offen');
});

test('one that comes late says when it was sent, and a clock that is behind puts none into the future', async () => {
  const it = worker();
  const now = Math.floor(Date.now() / 1000);
  await it.push(message({ at: now - 7200 }));
  assert.equal(it.screen[0].timestamp, (now - 7200) * 1000);
  await it.push(message({ id: '13', at: now + 7200 }));
  assert.ok(Math.abs(it.screen[1].timestamp / 1000 - now) < 60);
});

test('a newer version changes what is shown without a sound, an older one nothing', async () => {
  const it = worker();
  await it.push(message());
  await it.push(message({ version: 2 }, { body: 'until 23:00' }));
  assert.deepEqual(it.screen.map(({ body, silent, renotify }) => [body, silent, renotify]),
    [['until 23:00', true, false]]);
  await it.push(message());
  assert.equal(it.screen[0].body, 'until 23:00');
  await it.push(message({ version: 3, again: true }));
  assert.deepEqual([it.screen[0].silent, it.screen[0].renotify], [false, true], 'one that rings until somebody acts');
});

test('one with the same collapse_id takes the place, and rings', async () => {
  const it = worker();
  await it.push(message({ collapse_id: 'sign' }));
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  assert.deepEqual(it.screen.map(({ title, renotify, silent }) => [title, renotify, silent]),
    [['Closed', true, false]]);
});

test('what is taken back disappears; with Apple something quiet stays', async () => {
  const it = worker();
  await it.push(message());
  await it.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  assert.equal(it.screen.length, 0);
  assert.deepEqual([it.sent.at(-1).what, it.sent.at(-1).version], ['withdrawn', 2]);
  const apple = worker({ userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18 Safari/604' });
  await apple.push(message());
  await apple.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  assert.deepEqual(apple.screen.map(({ title, silent }) => [title, silent]), [['Done: Open', true]]);
});

test('an update of one that vibrates does so no more', async () => {
  const it = worker();
  await it.push(message({}, { vibration: [100] }));
  await it.push(message({ version: 2 }, { body: 'until 23:00', vibration: [100] }));
  assert.deepEqual(it.screen.map(({ body, silent, vibrate }) => [body, silent, vibrate]),
    [['until 23:00', true, undefined]]);
  await it.push(message({ version: 3 }, { interruption_level: 'critical', vibration: [100] }));
  assert.deepEqual([...it.screen[0].vibrate], [100]);
});

test('one that was answered while it came is taken from the screen', async () => {
  const it = worker({ answers: { shown: { action: null, over: true } } });
  await it.push(message());
  assert.deepEqual([it.log, it.screen], [['Open'], []]);
  assert.deepEqual(it.sent.map(({ what }) => what), ['delivered', 'shown', 'withdrawn']);
});

test('one that was answered before it came is not shown', async () => {
  const over = { answers: { delivered: { action: null, over: true } } };
  const it = worker(over);
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  assert.deepEqual([it.log, it.screen], [['Done: Closed'], []], 'something quiet, for a moment');
  assert.deepEqual(it.sent.map(({ what }) => what), ['delivered', 'withdrawn']);
  const apple = worker({ ...over, userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18 Safari/604' });
  await apple.push(message());
  assert.deepEqual(apple.screen.map(({ title, silent }) => [title, silent]), [['Done: Open', true]]);
  // The order to take it back was on its way already.
  await apple.push({ v: 1, id: '12', version: 2, withdraw: true, receipt: 'r' });
  assert.deepEqual(apple.screen.map(({ title, silent }) => [title, silent]), [['Done: Open', true]]);
});

test('with Apple, what replaces quickly leaves nothing beside the last one', async () => {
  const answers = { delivered: { over: true } };
  const it = worker({ answers, userAgent: 'Mozilla/5.0 (iPhone) AppleWebKit/605 Version/18 Safari/604' });
  for (const id of ['12', '13']) await it.push(message({ id, collapse_id: 'backup' }, { title: `Backup ${id}` }));
  assert.equal(it.screen.length, 1);
  delete answers.delivered;
  await it.push(message({ id: '14', collapse_id: 'backup' }, { title: 'Backup 14' }));
  assert.deepEqual(it.screen.map(({ title }) => title), ['Backup 14']);
  answers.delivered = { over: true };
  await it.push(message({ id: '11', collapse_id: 'backup' }, { title: 'Backup 11' }));
  assert.deepEqual(it.screen.map(({ title }) => title), ['Backup 14', 'Done: Backup 11']);
});

test('one whose place a newer one has taken leaves that alone', async () => {
  const answers = {};
  const it = worker({ answers });
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  answers.delivered = { over: true };
  await it.push(message({ collapse_id: 'sign' }));
  assert.deepEqual(it.screen.map(({ title }) => title), ['Closed']);
});

test('one that comes later than a newer one does not take its place, though nobody can be asked', async () => {
  const it = worker({ answers: { delivered: 'no network' } });
  const [sign, door] = [{ collapse_id: 'sign' }, { collapse_id: 'door' }];
  await it.push(message({ ...sign, id: '13' }, { title: 'Closed' }));
  await it.push(message({ ...sign, id: '12' }));
  assert.deepEqual(it.screen.map(({ title }) => title), ['Closed']);
  assert.deepEqual(it.sent.map(({ id, what }) => [id, what]).slice(-2), [['12', 'delivered'], ['12', 'withdrawn']]);
  // What was scheduled has an older id and is the newer one all the same.
  await it.push(message({ ...sign, id: '11', sequence: 14 }, { title: 'Opens at six' }));
  await it.push(message({ ...sign, id: '13' }, { title: 'Closed' }));
  await it.push({ v: 1, id: '13', version: 2, withdraw: true, receipt: 'r', ...sign });
  await it.push(message({ ...door, id: '10' }, { title: 'A parcel' }));
  assert.deepEqual(it.screen.map(({ title }) => title), ['Opens at six', 'A parcel']);
});

test('a second copy of one that was replaced is not shown when the newer one is gone', async () => {
  const it = worker({ answers: { delivered: 'no network' } });
  await it.push(message({ collapse_id: 'sign' }));
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  const [newer] = it.screen;
  newer.close();
  await it.close(newer);
  await it.push(message({ collapse_id: 'sign' }));
  assert.deepEqual(it.screen, []);
  await it.push(message({ id: '14', collapse_id: 'sign' }));
  await it.push({ v: 1, id: '15', version: 2, withdraw: true, receipt: 'r', collapse_id: 'sign' });
  await it.push(message({ id: '14', collapse_id: 'sign' }));
  assert.deepEqual(it.screen, []);
});

test('with one that was answered before it came goes the older one that it was to replace', async () => {
  const answers = {};
  const it = worker({ answers });
  await it.push(message({ collapse_id: 'sign' }));
  answers.delivered = { over: true };
  await it.push(message({ id: '13', collapse_id: 'sign' }, { title: 'Closed' }));
  assert.deepEqual([it.log, it.screen], [['Open'], []]);
  delete answers.delivered;
  await it.push(message({ id: '14', collapse_id: 'sign' }));
  await it.push({ v: 1, id: '15', version: 2, withdraw: true, receipt: 'r', collapse_id: 'sign' });
  assert.deepEqual(it.screen, []);
});

test('where nobody can be asked, it rings', async () => {
  for (const delivered of ['no network', 'never']) {
    const it = worker({ answers: { delivered } });
    await it.push(message());
    assert.deepEqual(it.screen.map(({ title }) => title), ['Open']);
    assert.ok(it.limits[0] <= 1_500, 'nobody waits for long');
    assert.equal(it.sent.filter(({ what }) => what === 'delivered').length, 1, 'one try');
  }
});

test('without buttons, a tap leads to the list', async () => {
  const it = worker({ hasButtons: false });
  await it.push(message({}, { actions: actions.slice(0, 1), url: '/programme' }));
  assert.deepEqual([...it.screen[0].actions], []);
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
});

test('as many buttons as there is room for; with more, a tap leads to the list', async () => {
  const it = worker();
  await it.push(message({}, { actions, url: '/programme' }));
  assert.deepEqual(Array.from(it.screen[0].actions, ({ action }) => action), ['open', 'no']);
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
  assert.deepEqual(it.sent.at(-1).action, 'default');
  const few = worker();
  await few.push(message({}, { actions: actions.slice(0, 1), url: '/programme' }));
  await few.press(few.screen[0]);
  assert.equal(few.screen.length, 0);
  assert.deepEqual(few.opened, [`${ORIGIN}/programme`]);
});

test('a pressed button is an answer; one that needs text or a finger leads to the page', async () => {
  const it = worker({ maxActions: 3 });
  await it.push(message({}, { actions }));
  await it.press(it.screen[0], 'no');
  assert.deepEqual(it.sent.slice(2).map(({ what, action, id, version }) => [what, action, id, version]),
    [['acted', 'no', '12', 1]]);
  assert.deepEqual([it.opened, it.screen], [[], []]);
  await it.push(message({ id: '13' }, { actions }));
  await it.press(it.screen[0], 'say');
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#13`]);
  assert.ok(!it.sent.some(({ action }) => action === 'say'), 'the page gives it');
});

test('an answer that does not arrive says so', async () => {
  const it = worker({ answers: { acted: 'no network' } });
  await it.push(message({}, { actions }));
  await it.press(it.screen[0], 'open');
  assert.equal(it.sent.filter(({ what }) => what === 'acted').length, 3);
  assert.deepEqual(it.screen.map(({ title }) => title), ['Your answer has not arrived']);
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
});

test('an answer that comes too late, or after another one, says so', async () => {
  const told = { over: ['It was over already'], no: ['Somebody has answered already'], open: [], default: [] };
  for (const [answer, titles] of Object.entries(told)) {
    const it = worker({ answers: { acted: answer === 'over' ? answer : { action: answer } } });
    await it.push(message({}, { actions }));
    await it.press(it.screen[0], 'open');
    assert.deepEqual(it.screen.map(({ title, body, silent }) => [title, body, silent]),
      titles.map((title) => [title, 'Open', true]), answer);
    assert.equal(it.sent.filter(({ what }) => what === 'acted').length, 1);
    if (!titles.length) continue;
    await it.press(it.screen[0]);
    assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
  }
});

test('a dismissal is told', async () => {
  const it = worker();
  await it.push(message());
  await it.close(it.screen[0]);
  assert.equal(it.sent.at(-1).what, 'dismissed');
});

test('a tap leads to the page that is open, also where that is the front room', async () => {
  const tapped = async (url, windows, first) => {
    const it = worker({ windows, first });
    await it.push(message({}, { url }));
    await it.press(it.screen[0]);
    return it.opened;
  };
  const there = `${ORIGIN}/anchor`;
  assert.deepEqual(await tapped('/anchor', ['/bells', '/anchor']), ['to /anchor']);
  assert.deepEqual(await tapped('/anchor', ['/anchor#x']), ['to /anchor#x', there]);
  assert.deepEqual(await tapped('/anchor', ['/'], '/anchor'), ['to /'], 'the watch there goes on');
  assert.deepEqual(await tapped('/anchor', ['/'], '/space'), [there]);
  assert.deepEqual(await tapped('/anchor', ['/']), [there], 'nobody knows the front room');
});

test('addresses of other kinds are never opened', async () => {
  const it = worker();
  await it.push(message({}, { url: 'javascript:alert(1)' })); // not accepted by the rules
  await it.press(it.screen[0]);
  assert.deepEqual(it.opened, [`${ORIGIN}/bells#12`]);
});

test('a stranger whom the hub has forgotten keeps their topics when the subscription is renewed', async () => {
  const told = [];
  const webPush = (body) => {
    if (!body) return { key: 'BPsB' };
    told.push(body);
    return { device: '8', secret: 'new' };
  };
  const subscription = { toJSON: () => ({ endpoint: 'https://push.example/2', keys: { p256dh: 'p', auth: 'a' } }) };
  const it = worker({ webPush, stranger: { device: '7', secret: 'old', topics: ['space'] } });
  await it.renew(subscription);
  assert.deepEqual(told.map(({ secret, topics }) => [secret, topics]), [['old', undefined], ['new', ['space']]]);
  assert.deepEqual(it.stranger, { device: '8', secret: 'new', topics: ['space'] });
  const sent = [];
  const member = worker({ webPush: (body, method) => {
    if (!body) return { key: 'BPsB' };
    sent.push({ method, endpoint: body.subscription.endpoint, secret: body.secret });
    return {};
  } });
  await member.renew(subscription);
  assert.deepEqual(sent, [{ method: 'PUT', endpoint: 'https://push.example/2', secret: null }]);
  assert.equal(member.stranger, undefined);
});
