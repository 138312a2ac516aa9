// What bin/pack-web makes of modules: joined, they behave as they did.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { page, rooms } from './pages.mjs';

const bin = fileURLToPath(new URL('../../bin/', import.meta.url));

const SCRIPT = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing.join import Joiner
files = {name: text.encode() for name, text in json.load(sys.stdin).items()}
joiner = Joiner(files)
joiner.add("/page.js")
print(json.dumps({name: text.decode() for name, text in joiner.joined.items()}))`;

/** The joined files of some modules, by address; or what the joiner said instead. */
function joined(files) {
  const input = JSON.stringify(files);
  const { stdout, stderr } = spawnSync('python3', ['-c', SCRIPT, bin], { input, encoding: 'utf8' });
  return stdout ? JSON.parse(stdout) : stderr.trim();
}

/** Runs them as a browser would until they have told `count` things, and answers these. */
async function run(files, count) {
  const folder = mkdtempSync(join(tmpdir(), 'joined-'));
  try {
    const at = (name) => pathToFileURL(join(folder, name.slice(1).replace('.js', '.mjs'))).href;
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(fileURLToPath(at(name)), text.replace(/'(\/[^']+\.js)'/g, (_, target) => `'${at(target)}'`));
    }
    globalThis.told = [];
    await import(at('/page.js'));
    for (let round = 0; round < 500 && globalThis.told.length < count; round += 1) {
      await new Promise((resolve) => { setTimeout(resolve, 10); });
    }
    return globalThis.told;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const MODULES = {
  '/shell.js': "import '/kit.js';\ntold.push('shell');\n",
  '/kit.js': "/** Doc. */\nexport const kit = { count: 0 };\nexport const { a, b } = { a: 1, b: 2 };\n"
    + "const own = 'kit';\n"
    + 'export function name() { return own; }\nexport const later = () => import(\'/words.js\');\n',
  '/words.js': "import { kit } from '/kit.js';\nkit.count += 1;\nexport const words = { count: kit.count };\n",
  '/part.js': "import {\n  kit, name as kitName,\n} from '/kit.js';\nconst own = 'part'; // the same name\n"
    + 'export class Part { say() { return `${own} of ${kitName()} ${kit.count}`; } }\n',
  '/again.js': "export { Part } from '/part.js';\n",
  '/page.js': "import { a, b, later } from '/kit.js';\nimport { Part } from '/again.js';\nimport '/shell.js';\n"
    + 'told.push(new Part().say(), a + b);\nconst { words } = await later();\ntold.push(words.count);\n'
    + "const { late } = await import('/late.js');\ntold.push(late);\n",
  '/late.js': "import { Part } from '/part.js';\nimport { words } from '/words.js';\n"
    + 'export const late = `late ${new Part().say()} ${words.count}`;\n',
};

test('joined modules behave as they did, each made once', async () => {
  const files = joined(MODULES);
  assert.deepEqual(Object.keys(files).sort(), ['/late.js', '/page.js', '/shell.js', '/words.js']);
  assert.deepEqual(await run(files, 5), ['shell', 'part of kit 0', 3, 1, 'late part of kit 1 1']);
  assert.ok(!files['/shell.js'].includes('Doc.'), 'comments stay behind');
});

test('what cannot be joined ends the build, and is named', () => {
  assert.match(joined({ ...MODULES, '/part.js': "import * as all from '/kit.js';\n" }), /part\.js cannot be joined/);
  assert.match(joined({ ...MODULES, '/part.js': 'export let changing = 1;\n' }), /part\.js cannot be joined/);
  assert.match(joined({ ...MODULES, '/part.js': "import { x } from '/none.js';\n" }), /none\.js is imported/);
  assert.match(joined({ ...MODULES, '/kit.js': "import { Part } from '/part.js';\n" }), /in a circle/);
});

test('every room says of itself what the shell needs, in both languages', async () => {
  assert.ok(rooms.length >= 2);
  const shape = (value) => (typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shape(inner)])) : typeof value);
  for (const address of rooms) {
    const { room, audit, states, duties, removed, errors, reasons } = await page(address);
    for (const name of ['id', 'settings', 'icon']) assert.equal(typeof room[name], 'string', name);
    for (const words of [room, audit, states, duties].filter(Boolean)) {
      assert.deepEqual(shape(words.de), shape(words.en));
    }
    assert.deepEqual(Object.keys(removed ?? {}), removed ? ['en', 'de'] : []);
    for (const code of Object.keys(errors?.en ?? {})) assert.ok(errors.de[code], code);
    for (const { short } of [room.en, room.de]) assert.ok(short.length <= 9, `${address}: ${short} is too long`);
    assert.equal(typeof reasons, 'object');
  }
});
