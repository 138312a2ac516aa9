// The platform of a page, by the browser's user agent.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { page } from './pages.mjs';

const { installation, isInApp, isTrusted } = await page('/platform.js');
const { lacking } = await page('/lacking.js');

const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) '
  + 'Version/17.5 Mobile/15E148 Safari/604.1';
const CHROME_ON_IPHONE = SAFARI.replace('Version/17.5', 'CriOS/125.0');
const IN_AN_APP = SAFARI.replace(' Safari/604.1', '').replace('Version/17.5 ', '');
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) '
  + 'Version/17.5 Safari/605.1.15';
const ANDROID = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) '
  + 'Chrome/125.0 Mobile Safari/537.36';

const https = new URL('https://hub.example/');
const http = new URL('http://192.168.1.5:8080/');
const usual = { location: https, userAgent: ANDROID, isStandalone: false, canPrompt: false };
const at = (what) => installation({ ...usual, ...what });

test('HTTPS and this very machine are trusted, a plain address is not', () => {
  for (const address of ['https://hub.example', 'http://localhost:8080', 'http://hub.localhost',
    'http://127.0.0.1:8080', 'http://127.9.9.9', 'http://[::1]:8080']) assert.ok(isTrusted(new URL(address)), address);
  for (const address of ['http://hub.example', 'http://192.168.1.5', 'http://localhost.example', 'http://[fe80::1]',
    'http://127.0.0.1.example']) assert.ok(!isTrusted(new URL(address)), address);
});

test('what is installed is asked nothing, also over plain HTTP', () => {
  assert.equal(at({ isStandalone: true }), 'installed');
  assert.equal(at({ isStandalone: true, location: http }), 'installed');
});

test('over plain HTTP there is no other word', () => {
  assert.equal(at({ location: http, canPrompt: true }), 'insecure');
  assert.equal(at({ location: http, userAgent: SAFARI }), 'insecure');
});

test('who offers to install is taken at the word', () => assert.equal(at({ canPrompt: true }), 'prompt'));

test('an iPhone installs by hand, in Safari', () => {
  assert.equal(at({ userAgent: SAFARI }), 'iphone');
  assert.equal(at({ userAgent: CHROME_ON_IPHONE }), 'iphone-other');
  assert.equal(at({ userAgent: IN_AN_APP }), 'iphone-other');
});

test('the browser within another app is told from the phone’s own, and from a page on the home screen', () => {
  const android = ANDROID.replace('Pixel 8', 'Pixel 8; wv');
  const facebook = `${SAFARI} [FBAN/FBIOS;FBAV/460.0]`;
  const all = [IN_AN_APP, facebook, android, SAFARI, CHROME_ON_IPHONE, ANDROID, MAC];
  assert.deepEqual(all.map((userAgent) => isInApp({ userAgent })), [true, true, true, false, false, false, false]);
  assert.equal(isInApp({ userAgent: IN_AN_APP, isStandalone: true }), false);
});

test('an iPad that says it is a Mac has a touch screen', () => {
  assert.equal(at({ userAgent: MAC, maxTouchPoints: 5 }), 'iphone');
  assert.equal(at({ userAgent: MAC }), null);
});

test('others are not told what they cannot do', () => assert.equal(at({}), null));

test('an old browser is known by what it lacks', () => {
  assert.deepEqual(lacking({}), ['customElements', 'indexedDB', 'dialog', 'timeout', 'mixed colours']);
});
