// The notification centre without a browser: rows, traces, what a browser needs, and words.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { page } from './pages.mjs';
import { shape } from './shape.mjs';

const { answeredAt, attachmentKind, attachmentsOf, isHere, isOpen, rowsOf, senderOf } = await page('/bells/inbox.js');
const { inLanguage, shownBy } = await page('/bells/shown.js');
const { notificationRulesFrom } = await page('/notification-rules.js');
const { duration, firstShown, isOver, outcomeOf } = await page('/bells/trace.js');
const { because, dictionary: whyDictionary } = await page('/bells/why-words.js');
const { bytesOf, isMadeWith, pushObstacle, settingsOf } = await page('/bells/push-plan.js');
const { placeOf, quietParts } = await page('/bells/quiet-plan.js');
const { actionsOf, faultsOf, payloadOf, requestOf, shareOf } = await page('/bells/compose/plan.js');
const { dictionary: composeDictionary } = await page('/bells/compose/words.js');
const { handedOver, heightOf, spare, told } = await page('/bells/view-plan.js');
const { dictionary } = await page('/bells/words.js');
const { dateLong } = await page('/words.js');
globalThis.location ??= { origin: 'https://hub.example' };
globalThis.navigator ??= { onLine: true }; // Node.js 20 has none
const { tryDevice } = await page('/bells/try.js');
const { signal } = await page('/ui.js');
const { dictionary: pushDictionary } = await page('/bells/push-words.js');
const { dictionary: strangerDictionary } = await page('/bells/stranger-words.js');
const { dictionary: stateDictionary } = await page('/bells/state-words.js');
const { dictionary: scheduleDictionary, scheduleWords } = await page('/bells/schedule.js');

const ORIGIN = 'https://hub.example';
const root = new URL('../../', import.meta.url);
const wasm = readFileSync(new URL('.build/wasm/release/notifications.wasm', root));
const rules = await notificationRulesFrom(wasm);

test('an answer of another day says of which', () => {
  const at = '2026-11-21T21:00:00Z';
  const said = (answered) => {
    const { time, day } = answeredAt({ at, acted: { at: answered } }, 'Europe/Berlin');
    return dictionary.en.answered('Ada', 'I open', time, day === null ? '' : dateLong(day, 'en-GB'));
  };
  assert.equal(said('2026-11-21T21:30:00Z'), 'Ada answered at 22:30: I open');
  assert.equal(said('2026-11-22T07:12:00Z'), 'Ada answered on 22 November at 08:12: I open');
});

test('rows are days and threads, the newest first', () => {
  const item = (id, at, more = {}) => ({ id, at, topic: null, room: null, content: {}, ...more });
  const rows = rowsOf([
    item('5', '2026-11-21T23:30:00Z', { content: { thread: 'door' } }),
    item('4', '2026-11-21T22:00:00Z', { topic: 'crew' }),
    item('3', '2026-11-21T12:00:00Z', { content: { thread: 'door' } }),
    item('2', '2026-11-21T11:00:00Z', { topic: 'crew' }),
    item('1', '2026-11-21T10:00:00Z'),
  ], 'Europe/Berlin');
  const days = rows.filter(({ day }) => day !== undefined).map(({ day }) => day);
  assert.equal(days.length, 2, 'half past eleven in UTC is tomorrow in Berlin');
  assert.equal(days[0], days[1] + 1);
  assert.deepEqual(rows.filter(({ items }) => items).map(({ thread, items }) => [thread, items.map(({ id }) => id)]), [
    ['door', ['5']], ['crew', ['4', '2']], ['door', ['3']], ['one 1', ['1']],
  ]);
});

test('a room that has sent something is called as pages call it', () => {
  const rooms = [{ id: 'albums', name: 'Alben' }];
  assert.equal(senderOf({ sender: 'room albums', sender_name: 'Albums' }, rooms), 'Alben');
  assert.equal(senderOf({ sender: 'room gone', sender_name: 'Gone' }, rooms), 'Gone');
  assert.equal(senderOf({ sender: 'person 7', sender_name: 'Ada' }, rooms), 'Ada');
  assert.equal(senderOf({ sender: 'command', sender_name: null }, rooms), 'command');
});

test('what is shown of a notification is what the rules say; its texts alone without them', () => {
  const whole = {
    title: 'Open', body: 'x', badge: 2, url: '/space', localized: { de: { title: 'Offen' } },
    actions: [{ id: 'say', title: 'Say', text_input: {} }],
  };
  const found = shownBy(rules, whole, { language: 'de' });
  assert.deepEqual([found.content.title, found.content.body, found.content.url], ['Offen', 'x', '/space']);
  assert.deepEqual([found.actions[0].meaning.asks_first, found.buttons, found.rings, found.badge],
    [true, found.actions, true, true]);
  assert.deepEqual(shownBy(rules, whole, { language: 'de', room: 0 }).buttons, []);
  const texts = {
    content: { title: 'Offen', subtitle: undefined, body: 'x' }, actions: [], buttons: [], rings: true, stays: false,
    vibration: false, badge: false,
  };
  assert.deepEqual(shownBy(null, whole, { language: 'de' }), texts);
  const { error } = console;
  console.error = () => {};
  assert.deepEqual(shownBy(rules, { ...whole, url: 'javascript:alert(1)' }, { language: 'de' }), texts);
  console.error = error;
});

test('until the rules are there a content is in the reader’s language as they have it', () => {
  const localized = { de: { title: 'Offen', body: null, actions: [{ id: 'say', title: 'Sagen', text_input: {} }] } };
  const whole = { title: 'Open', body: 'x', url: '/space', localized };
  for (const content of [whole, { title: 'Open', body: 'x' }]) {
    for (const language of ['de', 'en']) {
      const { localized: _, ...found } = inLanguage(content, language);
      const { localized: __, ...ruled } = rules.localized(content, language);
      assert.deepEqual(JSON.parse(JSON.stringify(found, (key, one) => one ?? undefined)), ruled);
    }
  }
});

test('what is over offers no answers', () => {
  assert.deepEqual(['new', 'seen', 'acted', 'withdrawn'].map((state) => isOpen({ state, over: null })),
    [true, true, false, false]);
  assert.equal(isOpen({ state: 'new' }), true, 'of an older hub');
  for (const over of ['expired', 'collapsed']) assert.equal(isOpen({ state: 'new', over }), false);
});

test('a view has a height within bounds, and is told the state with the content in the reader\'s language', () => {
  assert.deepEqual([1, 39.2, 40, 120.4, 480, 9e9].map(heightOf), [40, 40, 40, 121, 480, 480]);
  for (const none of [0, -5, NaN, '100', null, undefined, {}]) assert.equal(heightOf(none), null);
  const acted = { action: 'like', by: 'Ada', at: '2026-11-21T22:00:00Z' };
  const item = {
    id: '1', at: '2026-11-21T21:00:00Z', topic: null, room: null, state: 'acted', over: 'answered', acted,
  };
  assert.deepEqual(told({ ...item, view: 'star', content: { title: 'Hello' } }, { title: 'Hallo' }),
    { ...item, content: { title: 'Hallo' } });
  assert.deepEqual([told({ id: '2' }, {}).acted, told({ id: '2' }, {}).over], [null, null]);
  const ours = (name) => ({ url: `/api/v1/bells/attachments/${name}` });
  const attachments = [ours('a'), { url: 'https://other.example/b.png' }, ours('c'), ours('d')];
  assert.deepEqual(handedOver({ attachments }, 2), [ours('a'), ours('c')]);
  assert.deepEqual(handedOver({}, 2), []);
});

test('what somebody writes on the page becomes a request, without what is empty', () => {
  assert.deepEqual(requestOf({ to: 'topic:space', title: ' Open ', body: '', url: '', category: '', level: '' }),
    { to: { topic: 'space' }, content: { title: 'Open', sound: 'default' } });
  assert.deepEqual(requestOf({ title: 'Quiet', level: 'passive' }).content,
    { title: 'Quiet', interruption_level: 'passive' });
  assert.deepEqual(requestOf({ url: '/space' }).content, { url: '/space' }, 'a sound alone would be a notification');
  assert.deepEqual(requestOf({ title: 'Who?', buttons: 'I open, , I cannot,', level: 'critical' }), {
    content: {
      title: 'Who?', interruption_level: 'critical', sound: 'default',
      actions: [{ id: 'action-1', title: 'I open' }, { id: 'action-2', title: 'I cannot' }],
    },
  });
  const payload = { content: { title: 'a', body: 'b' }, priority: 'normal' };
  assert.deepEqual(requestOf({ to: 'device:7', title: 'c' }, { payload }),
    { to: { device: '7' }, priority: 'normal', content: { title: 'c', body: 'b' } });
  const attachments = [{ id: 'file', blob: 'ab' }];
  assert.deepEqual(requestOf({ body: 'c' }, { payload: { title: 'a' }, attachments }).content,
    { title: 'a', body: 'c', attachments });
  assert.deepEqual(payloadOf('{"title": "a"}'), { title: 'a' });
  for (const text of ['[]', 'null', '7', '{']) assert.throws(() => payloadOf(text), SyntaxError);
  assert.deepEqual(actionsOf(' '), []);
  assert.deepEqual([[5, 10], [50, 10], [5, null]].map(([bytes, limit]) => shareOf({ bytes, limit })), [0.5, 1, null]);
});

test('a notification goes to several roles at once', () => {
  assert.deepEqual(requestOf({ to: 'role:owner,role:member', title: 'a' }),
    { to: [{ role: 'owner' }, { role: 'member' }], content: { title: 'a', sound: 'default' } });
});

test('what the hub does not accept is said at its field', () => {
  assert.deepEqual(faultsOf({ 'content.url': 'a', 'content.actions[1].title': 'b', 'content.silent': 'c' }),
    { placed: { url: 'url', buttons: 'actions', title: 'silent' }, others: [] });
  assert.deepEqual(faultsOf({ 'content.thread': 'a', at: 'b' }), { placed: {}, others: ['content.thread', 'at'] });
  assert.deepEqual(faultsOf(), { placed: {}, others: [] });
  for (const { wrong } of Object.values(composeDictionary)) {
    assert.deepEqual(Object.keys(wrong).sort(), ['actions', 'body', 'category', 'silent', 'title', 'url']);
  }
});

test('of the open views, that is closed which was out of sight for the longest time', () => {
  const view = (hiddenAt, isSeen = false) => ({ hiddenAt, isSeen });
  assert.equal(spare([view(3), view(1), view(0, true), view(2)]).hiddenAt, 1);
  assert.equal(spare([view(0, true)]), null);
  assert.equal(spare(new Set()), null);
});

test('a file has a kind by its type or its name, and comes from the hub or from elsewhere', () => {
  for (const [url, type, kind, here] of [
    ['https://other.example/a.png', 'image/png', 'image', false],
    ['http://other.example/a.mp3', undefined, 'audio', false], ['https://other.example/a', 'video/mp4', 'video', false],
    ['https://hub.example.net/a.png', undefined, 'image', false],
    ['/a.mp3', 'audio/mpeg', 'audio', true], [`${ORIGIN}/a.mp3`, 'audio/mpeg', 'audio', true],
    ['/a.png', undefined, 'image', true], ['/a', undefined, null, true],
  ]) {
    assert.deepEqual([attachmentKind({ url, type }), isHere({ url }, ORIGIN)], [kind, here], url);
  }
  assert.equal(attachmentKind({ id: 'x' }), null);
  const content = { mutable: true, attachments: [{ id: 'a', url: '/a.png' }, { id: 'b', url: 'https://b.example/b' }],
    user_info: { 'my-film': 'https://films.example/f.mp4' } };
  assert.deepEqual(attachmentsOf(content).map(({ id }) => id), ['a', 'b', 'my-film']);
  assert.deepEqual(attachmentsOf({ title: 'a' }), []);
});

const device = (...whats) => ({
  pending: false, events: whats.map((what, index) => ({ what, at: `2026-11-21T12:00:0${index}.400Z`, version: 1 })),
});

test('a device rang, has it, waits, or did not ring', () => {
  assert.equal(outcomeOf(device('queued', 'sent', 'delivered', 'shown', 'withdrawn')), 'rang');
  assert.equal(outcomeOf(device('queued', 'delivered')), 'came');
  assert.equal(outcomeOf(device('queued', 'sent')), 'sent');
  assert.equal(outcomeOf(device('queued')), 'waits');
  assert.equal(outcomeOf(device('queued'), 'withdrawn'), 'away');
  assert.equal(outcomeOf(device('queued', 'withdrawn')), 'away');
  assert.equal(outcomeOf(device('queued', 'sent', 'delivered', 'withdrawn')), 'away', 'it asked, and showed nothing');
  assert.equal(outcomeOf(device('queued', 'suppressed')), 'not');
  assert.equal(outcomeOf({ ...device('queued', 'suppressed'), pending: true }), 'waits');
  for (const end of ['expired', 'gone', 'failed']) assert.ok(isOver(device('queued', 'sent', end)));
  assert.equal(firstShown({ at: '2026-11-21T12:00:00.000Z', devices: [device('queued', 'shown'), device()] }), 1400);
  assert.equal(firstShown({ at: '2026-11-21T12:00:00.000Z', devices: [device('queued')] }), undefined);
  assert.deepEqual([420, 12_300, 180_000, 7_200_000].map((ms) => duration(ms, 'en-GB').replace('\u00a0', ' ')),
    ['0.4 s', '12 s', '3 min', '2 h']);
});

test('the reason of an event is told in the language of the reader', () => {
  const quiet = { code: 'quiet_hours', reason: 'quiet hours until 07:00', localized: { de: 'Ruhezeit bis 07:00' } };
  assert.equal(because(quiet, 'de'), 'Ruhezeit bis 07:00');
  assert.equal(because(quiet, 'en'), 'quiet hours until 07:00');
  assert.equal(because({ what: 'shown', repeat: true }, 'de'), 'vielleicht nicht zum ersten Mal');
  assert.equal(because({ code: 'rings_again', reason: 'rings again', repeat: true }, 'en'), 'rings again');
  assert.equal(because({}, 'de'), '');
});

test('the room says the same in German and English', () => {
  const dictionaries = [
    dictionary, stateDictionary, whyDictionary, pushDictionary, strangerDictionary, composeDictionary,
    scheduleDictionary];
  for (const one of dictionaries) {
    assert.deepEqual(shape(one.de), shape(one.en));
  }
});

test('a time by the clocks of devices is told with its days, and a rule that has no words as it is', () => {
  const today = Date.UTC(2026, 10, 29) / 86_400_000;
  const told = (schedule, language) => scheduleWords({ local: '07:30', ...schedule }, today,
    { language, locale: language });
  assert.equal(told({}, 'en'), 'at 07:30 by each device’s clock');
  assert.equal(told({ date: '2026-11-30' }, 'de'), 'um 07:30 nach der Uhr jedes Geräts, am Montag, 30. November');
  assert.equal(told({ date: '2026-11-30', every: 'FREQ=DAILY' }, 'de'),
    'um 07:30 nach der Uhr jedes Geräts, täglich, als Nächstes am Montag, 30. November');
  assert.equal(told({ every: 'FREQ=WEEKLY;BYDAY=MO,FR' }, 'en'),
    'at 07:30 by each device’s clock, every Monday and Friday');
  for (const every of ['FREQ=WEEKLY;BYDAY=XX', 'FREQ=DAILY;COUNT=3']) {
    assert.equal(told({ every }, 'en'), `at 07:30 by each device’s clock, ${every}`);
  }
});

test('what a browser needs to be rung', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36';
  const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 '
    + 'Version/18.0 Mobile Safari/604.1';
  const all = {
    location: new URL(ORIGIN), userAgent: chrome, isStandalone: false, canPrompt: false, hasWorker: true, hasPush: true,
    hasNotification: true, permission: 'default',
  };
  assert.equal(pushObstacle(all), null);
  assert.equal(pushObstacle({ ...all, permission: 'denied' }), 'blocked');
  assert.equal(pushObstacle({ ...all, location: new URL('http://hub.example') }), 'insecure');
  assert.equal(pushObstacle({ ...all, hasPush: false }), 'unsupported');
  assert.equal(pushObstacle({ ...all, userAgent: iphone, hasPush: false, hasNotification: false }), 'iphone');
  assert.equal(pushObstacle({ ...all, userAgent: iphone, isStandalone: true }), null);
  assert.equal(settingsOf(iphone), 'iphone');
  assert.equal(settingsOf(chrome), 'chromium');
  assert.equal(settingsOf('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'), 'firefox');
  const key = Buffer.from([4, 251, 255, 1]).toString('base64url');
  assert.deepEqual([...bytesOf(key)], [4, 251, 255, 1]);
  assert.ok(isMadeWith(new Uint8Array([4, 251, 255, 1]).buffer, key));
  assert.ok(!isMadeWith(new Uint8Array([4, 251, 255, 2]).buffer, key) && !isMadeWith(null, key));
});

test('quiet hours are drawn on a day that begins at noon', () => {
  assert.deepEqual([placeOf('12:00'), placeOf('00:00'), placeOf('06:00')], [0, 0.5, 0.75]);
  assert.deepEqual(quietParts({ from: '00:00', to: '06:00' }), [[0.5, 0.75]]);
  assert.deepEqual(quietParts({ from: '06:00', to: '18:00' }), [[0, 0.25], [0.75, 1]]);
});

test('another try of a device ends the one before, which it takes the place of', async (context) => {
  const asked = [];
  const over = [{ events: [{ what: 'shown', at: '2026-11-22T18:00:00Z' }] }];
  context.mock.method(globalThis, 'fetch', (url, { body } = {}) => new Promise((resolve) => {
    asked.push({ url, body, answer: (with_) => resolve(new Response(JSON.stringify(with_))) });
  }));
  const next = async () => {
    while (!asked.length) await new Promise((resolve) => { setTimeout(resolve); });
    return asked.shift();
  };
  const trial = signal(null);
  const first = tryDevice(trial, 1);
  (await next()).answer({ id: 'a' });
  const late = await next();
  const second = tryDevice(trial, 2);
  (await next()).answer({ id: 'b' });
  (await next()).answer({ id: 'b', devices: over });
  await second;
  late.answer({ id: 'a', devices: over });
  await first;
  assert.equal(trial().trace.id, 'b');
});

test('a look at a try that brings nothing new draws nothing, under whoever has the focus there', async (context) => {
  const [sent, shown] = ['sent', 'shown'].map((what) => [{ events: [{ what, at: '2026-11-22T18:00:00Z' }] }]);
  const answers = [{ id: 'a' }, { id: 'a', devices: sent }, { id: 'a', devices: sent }, { id: 'a', devices: shown }];
  context.mock.method(globalThis, 'fetch', async () => Response.json(answers.shift()));
  const trial = signal(null);
  const drawn = [];
  context.mock.method(trial, 'set', (set => (value) => { drawn.push(value); set(value); })(trial.set));
  await tryDevice(trial, 1);
  assert.deepEqual(drawn.map(({ isWaiting }) => isWaiting), [undefined, true, false]);
});

test('a look at a try that does not reach the hub is followed by the next one; a refusal ends it', async (context) => {
  const shown = [{ events: [{ what: 'shown', at: '2026-11-22T18:00:00Z' }] }];
  const answers = [{ id: 'a' }, new TypeError('no network'), { id: 'a', devices: shown }];
  context.mock.method(globalThis, 'fetch', async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return Response.json(answer, { status: answer.code ? 404 : 200 });
  });
  const trial = signal(null);
  await tryDevice(trial, 1);
  assert.ok(trial().isDone);
  answers.push({ id: 'b' }, { code: 40410, error: 'It is gone.' });
  await assert.rejects(tryDevice(trial, 1), { code: 40410 });
  assert.ok(!trial().isWaiting);
});
