import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';

const read = (path) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The colours in light and dark mode, with the default for the space's own colour. */
function blocks(sheet) {
  return [...sheet.matchAll(/:root \{(.*?)\}/gs)].slice(0, 2).map(([, block]) => new Map(
    [...block.matchAll(/--([\w-]+):\s*(?:var\(--[\w-]+, *([^;]+)\)|([^;]+));/g)]
      .map(([, name, own, value]) => [name, own ?? value])));
}

test('the memory graph\'s page has the colours of ours', async () => {
  const shell = blocks(await read('Sources/Hub/Web/shell.css'));
  const palette = blocks(await read('Packages/MemoryGraph/Sources/Report/View/palette.css'));
  assert.deepEqual(palette.map((colours) => colours.size > 10), [true, true]);
  palette.forEach((colours, night) => {
    for (const [name, value] of colours) {
      assert.equal(value, shell[night].get(name), `--${name}, ${night ? 'by night' : 'by day'}`);
    }
  });
});
