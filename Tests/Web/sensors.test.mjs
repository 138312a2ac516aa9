// The space's sensors: an answer that was on its way when one of them was reported does not take that back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

globalThis.location ??= { origin: 'http://hub.example' };
globalThis.addEventListener ??= () => {};
globalThis.customElements ??= { define() {} };
globalThis.HTMLElement ??= class {};
const { heardOf, measured, refreshSensors, sensors } = await page('/space/sensors.js');

const door = (value) => ({ kind: 'door_locked', name: 'door', value });
const room = { kind: 'temperature', name: 'room', value: 19 };

test('an older answer does not replace a newer event, and what else it has is not lost', async (context) => {
  const waiting = [];
  context.mock.method(globalThis, 'fetch', () => new Promise((resolve) => {
    waiting.push((commit, all) => resolve(new Response(JSON.stringify({ sensors: all }),
      { headers: { 'Eightbells-Commit': String(commit) } })));
  }));
  const until = async (count) => {
    while (waiting.length < count) await new Promise((resolve) => { setTimeout(resolve); });
  };
  const first = refreshSensors();
  await until(1);
  waiting[0](3, [door(true)]);
  await first;
  const second = refreshSensors(); // after a lost connection
  await until(2);
  heardOf(door(false), 5);
  assert.deepEqual(sensors(), [door(false)]);
  waiting[1](4, [door(true), room]);
  await until(3);
  assert.deepEqual(sensors(), [door(false)]);
  waiting[2](5, [door(false), room]);
  await second;
  assert.deepEqual(sensors(), [door(false), room]);
  heardOf({ ...room, gone: true }, 6);
  assert.deepEqual(sensors(), [door(false)]);
});

test('what is small is not rounded to nothing, and money has its cents', () => {
  const all = [['radiation.gamma', 0.123, 'µSv/h'], ['carbondioxide', 0.04, 'vol%'], ['temperature', -19.26, '°C'],
    ['account_balance', -1234.5, 'EUR'], ['account_balance', 0.00042, 'BTC'], ['account_balance', 0, 'EUR']];
  assert.deepEqual(all.map(([kind, value, unit]) => measured(kind, { value, unit })),
    ['0.12 µSv/h', '0.04 vol%', '-19.3 °C', '-1,234.50 EUR', '0.00042 BTC', '0 EUR']
      .map((text) => text.replace(' ', '\u00a0')));
});
