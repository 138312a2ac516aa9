// Docs/browsers.md names the oldest supported browsers. Code that needs newer ones has to change that page.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = new URL('../../Sources/', import.meta.url).pathname;

function* files(folder, ending) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) yield* files(path, ending);
    else if (name.endsWith(ending)) yield path;
  }
}

const web = ['Hub/Web', ...readdirSync(join(root, 'Apps')).map((app) => `Apps/${app}/Web`)].map((path) => root + path);

// Chromium 112 and later, Firefox 114 and later, Safari 16.3 and later.
const newer = {
  '.js': [
    /URL\.canParse/, /\.(toSorted|toReversed|toSpliced)\(/, /(Object|Map)\.groupBy/, /Promise\.(withResolvers|try)/,
    /Array\.fromAsync/, /\.(isWellFormed|toWellFormed)\(/, /AbortSignal\.any/, /\.(union|intersection|isSubsetOf)\(/,
    /startViewTransition/, /showPopover|popovertarget/, /Iterator\.from/, /URL\.parse\(/, /Intl\.DurationFormat/,
    /import\s.*\swith\s*\{/, /scheduler\.yield/,
  ],
  '.css': [
    /^\s*&/m, /@starting-style/, /light-dark\(/, /@scope/, /anchor-name/, /field-sizing/, /:popover-open/,
    /@container style/, /subgrid/, /oklch\(from|rgb\(from/, /view-transition-name/,
  ],
};

test('properties that Safari knows with its prefix alone are there with it', () => {
  for (const folder of web) {
    for (const path of files(folder, '.css')) {
      const text = readFileSync(path, 'utf8');
      for (const [said] of text.matchAll(/(?<!-)\b(user-select|hyphens):\s*[\w-]+;/g)) {
        assert.ok(new RegExp(`-webkit-${said}\\s+${said}`).test(text), `${path}: ${said}`);
      }
    }
  }
});

for (const [ending, patterns] of Object.entries(newer)) {
  test(`no ${ending} of ours needs a newer browser than Docs/browsers.md says`, () => {
    for (const folder of web) {
      for (const path of files(folder, ending)) {
        const text = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
        for (const pattern of patterns) assert.doesNotMatch(text, pattern, path);
      }
    }
  });
}

// Their pages have no navigation: `main` is never hidden there.
const isNeverHidden = (path) => /Albums\/Web\/(album|card)\//.test(path);

test('whatever lies in a container is shown in Safari 16, too', () => {
  for (const path of web.flatMap((folder) => [...files(folder, '.css')])) {
    const text = readFileSync(path, 'utf8');
    if (isNeverHidden(path)) continue;
    for (const [, box] of text.matchAll(/^([^\s{][^{\n]*) \{[^}]*container-type: (?:inline-)?size/gm)) {
      assert.ok(text.includes(`[data-known] ${box} > * { visibility: visible; }`), `${path}: ${box}`);
    }
  }
});
