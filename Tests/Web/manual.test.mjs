// The members' manual, in English and German: what it says in bold stands so on a page in that language, and the two
// have the same chapters.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = (path) => readFileSync(root + path, 'utf8');
const FILES = { en: 'Docs/members.md', de: 'Docs/mitglieder.md' };

// All words of pages, both languages in one: a text in several pieces is put together.
const words = readdirSync(`${root}Sources`, { recursive: true })
  .filter((path) => /\/Web\/(?:.*[/-])?(?:words[\w-]*|room|told|old)\.js$/.test(path))
  .map((path) => text(`Sources/${path}`)).join('\n').replaceAll(/'\s*\n\s*\+ '/g, '').toLowerCase();
const manual = (language) => text(FILES[language]).replaceAll(/\s+/g, ' ');

for (const language of ['en', 'de']) {
  test(`what ${FILES[language]} calls by its name is called so on a page`, () => {
    const [first, ...named] = [...manual(language).matchAll(/\*\*(.+?)\*\*/g)].map(([, name]) => name);
    assert.ok(['bold', 'fett'].includes(first) && named.length > 40, `${named.length} names`);
    assert.deepEqual(named.filter((name) => !words.includes(name.toLowerCase())), []);
  });
}

test('both have the same chapters, lists and links, and lead to each other', () => {
  const shape = (language) => text(FILES[language]).split('\n').flatMap((line) => /^(#+|-|\|) /.exec(line)?.[1] ?? []);
  assert.deepEqual(shape('en'), shape('de'));
  const links = (language) => [...manual(language).matchAll(/\]\(([^)]+)\)/g)].map(([, to]) => to);
  const [toGerman, ...english] = links('en');
  const [toEnglish, ...german] = links('de');
  assert.deepEqual([toGerman, toEnglish], ['mitglieder.md', 'members.md']);
  assert.deepEqual(english, german);
});
