// Each test that Docs/origins.md and Docs/security.md name is there.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const FOLDERS = ['Tests/', 'Packages/MemoryGraph/Tests/'];
const ROW = /\| `([\w/.-]+\.(?:py|mjs))` `([^`]+)` \|$/;

for (const [document, least] of [['origins.md', 95], ['security.md', 50]]) {
  test(`each test that ${document} names is there`, () => {
    const rows = readFileSync(`${root}Docs/${document}`, 'utf8').split('\n').filter((line) => /^\|.*`/.test(line));
    assert.ok(rows.length > least, `${rows.length} rows`);
    for (const row of rows) {
      const [, file, name] = ROW.exec(row) ?? assert.fail(row);
      const found = FOLDERS.map((folder) => root + folder + file).find((path) => existsSync(path));
      assert.ok(found, file);
      const definition = file.endsWith('.py') ? `\ndef ${name}(` : `\ntest('${name}',`;
      assert.ok(readFileSync(found, 'utf8').includes(definition), `${file} ${name}`);
    }
  });
}
