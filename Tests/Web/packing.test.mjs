// Modules joined by bin/pack-web behave as before.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { test } from 'node:test';
import vm from 'node:vm';
import { folders as apps, page, rooms } from './pages.mjs';
import { shape } from './shape.mjs';

const bin = fileURLToPath(new URL('../../bin/', import.meta.url));

const SCRIPT = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing.join import Joiner
files = {name: text.encode() for name, text in json.load(sys.stdin).items()}
joiner = Joiner(files, {"door", "clock"}, {"/page.js"}, [one for one in ("/shell.js", "/live.js") if one in files])
for entry in ("/page.js", "/other.js"):
    if entry in files:
        joiner.add(entry)
print(json.dumps({name: text.decode() for name, text in joiner.joined.items()}))`;

/** The joined files of some modules, by address; or the joiner's error. */
function joined(files) {
  const input = JSON.stringify(files);
  const { stdout, stderr } = spawnSync('python3', ['-c', SCRIPT, bin], { input, encoding: 'utf8' });
  return stdout ? JSON.parse(stdout) : stderr.trim();
}

/** A module with its imports as one script for the service worker; or the joiner's error. */
function scripted(files, entry) {
  const script = SCRIPT.replace(/for entry[^]*/, `print(joiner.script("${entry}"))`);
  const input = JSON.stringify({ '/shell.js': '', ...files });
  const { stdout, stderr } = spawnSync('python3', ['-c', script, bin], { input, encoding: 'utf8' });
  return stdout || stderr.trim();
}

/** The output of bin/packing/openapi.py for a description's files, by address; or its error. */
function description(files) {
  const script = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing.openapi import join
print(join(json.load(sys.stdin)), end="")`;
  const input = JSON.stringify(files);
  const { stdout, stderr } = spawnSync('python3', ['-c', script, bin], { input, encoding: 'utf8' });
  return stdout || stderr.trim();
}

/** Runs them as a browser would until they have reported `count` things, and returns these. */
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
    + "const own = 'kit'; // its own\n"
    + 'export function name() { return own; }\nexport const later = () => import(\'/words.js\');\n',
  '/words.js': "import { kit } from '/kit.js';\nkit.count += 1;\nexport const words = { count: kit.count };\n",
  '/part.js': "import {\n  kit, name as kitName,\n} from '/kit.js';\nconst own = 'part';\n"
    + 'export const sum = (a, b) => a + b; // the same name\n'
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
  assert.ok(!files['/shell.js'].includes('its own'), 'also those behind code with a text');
  assert.ok(!files['/page.js'].includes('the same name'), 'remarks behind code, too');
});

test('a module that is named as shared is one for two files that do not know each other', async () => {
  const files = joined({
    '/shell.js': '', '/live.js': "import '/shell.js';\nexport const live = {};\n",
    '/page.js': "import { live } from '/live.js';\nconst OTHER = '/other.js';\n"
      + 'import(OTHER).then(({ $other: { same } }) => told.push(same(live)));\n',
    '/other.js': "import { live } from '/live.js';\nexport const same = (other) => other === live;\n",
  });
  assert.deepEqual(Object.keys(files).sort(), ['/live.js', '/other.js', '/page.js', '/shell.js']);
  assert.deepEqual(await run(files, 1), [true]);
});

test('what cannot be joined ends the build, and is named', () => {
  assert.match(joined({ ...MODULES, '/part.js': "import * as all from '/kit.js';\n" }), /part\.js cannot be joined/);
  assert.match(joined({ ...MODULES, '/part.js': 'export let changing = 1;\n' }), /part\.js cannot be joined/);
  assert.match(joined({ ...MODULES, '/part.js': "import { x } from '/none.js';\n" }), /none\.js is imported/);
  assert.match(joined({ ...MODULES, '/kit.js': "import { Part } from '/part.js';\n" }), /in a circle/);
});

test('a part of the service worker is one script with what it imports', () => {
  const files = {
    '/worker.js': "import { sum } from '/sum.js';\nconst own = 'worker';\nseen.push(own, sum(1, shell));\n",
    '/sum.js': "import { name } from '/name.js';\nconst own = 'sum';\n"
      + 'export const sum = (a, b) => `${own} ${name} ${a + b}`;\n',
    '/name.js': "export const name = 'of two';\n",
  };
  const world = { seen: [], shell: 2 };
  vm.runInNewContext(`const own = 'shell';\nif (true) {\n${scripted(files, '/worker.js')}}\n`, world);
  assert.deepEqual([...world.seen], ['worker', 'sum of two 3']);
  const late = { ...files, '/name.js': "export const name = import('/sum.js');\n" };
  assert.match(scripted(late, '/worker.js'), /\/worker\.js imports \/sum\.js while it runs/);
});

test('a room imports no other room, nor does the hub: only what is composed', () => {
  const clock = { '/clock/hands.js': 'export const hands = 2;\n' };
  const take = "import { hands } from '/clock/hands.js';\nexport const found = hands;\n";
  const shell = { '/shell.js': "export const shell = 1;\n" };
  const built = (address) => joined({ ...shell, ...clock, [address]: take, '/page.js': `import '${address}';\n` });
  assert.match(built('/door/part.js'), /\/door\/part\.js imports \/clock\/hands\.js, of another room/);
  assert.match(built('/hub.js'), /\/hub\.js imports \/clock\/hands\.js, of another room/);
  assert.ok(built('/clock/part.js')['/page.js']);
  const late = { ...shell, ...clock, '/hub.js': "import('/clock/hands.js');\n", '/page.js': "import '/hub.js';\n" };
  assert.match(joined(late), /\/hub\.js imports \/clock\/hands\.js, of another room/);
});

const sources = new URL('../../Sources/', import.meta.url);
const folders = [['', 'Hub/Web/'], ...Object.entries(apps).map(([id, app]) => [id, `Apps/${app}/Web/`])];

test('no module of a room imports another room', () => {
  let count = 0;
  for (const [id, folder] of folders) {
    const all = readdirSync(new URL(folder, sources), { recursive: true });
    for (const name of all.filter((one) => one.endsWith('.js'))) {
      const text = readFileSync(new URL(folder + name, sources), 'utf8');
      for (const [, target] of text.matchAll(/(?:\bimport|\bfrom)\b\s*\(?\s*['"`](\/[^'"`]*)/g)) {
        count += 1;
        const other = folders.find(([one]) => one && target.startsWith(`/${one}/`))?.[0] ?? '';
        assert.ok(['', id].includes(other), `${folder}${name} imports ${target}`);
      }
    }
  }
  assert.ok(count > 300, `only ${count} imports were found`);
});

test('what a room offers to pages is there', async () => {
  for (const address of rooms) {
    const { room, parts = {} } = await page(address);
    const [, folder] = folders.find(([id]) => id === room.id);
    for (const one of Object.values(parts).flat().filter((it) => it.startsWith('/') && !it.startsWith('/api/'))) {
      const [, first, ...rest] = one.split('/');
      assert.equal(first, room.id, `${address} offers ${one}`);
      assert.ok(existsSync(new URL(folder + rest.join('/'), sources)), one);
    }
  }
});

const COMPOSE = `import json, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing.rooms import compose, compose_pages
files = {name: text.encode() for name, text in json.load(sys.stdin).items()}
compose_pages(files, compose(files))
print(json.dumps({name: text.decode() for name, text in files.items()}))`;

const said = (id) => `    name: '${id}',\n    about: 'A ${id}',\n`; // in English and in German
const roomText = (id, order, parts, settings = `/settings/${id}`) =>
  `export const room = {\n  id: '${id}',\n  order: ${order},\n  settings: '${settings}',\n${said(id)}${said(id)}};
export const parts = {\n${parts.map((line) => `  ${line},\n`).join('')}};\n`;
const HEAD = '<head>\n  <!-- parts -->\n</head>\n';

test('a page shows its own room and what others put there, and two with the same rooms share their files', () => {
  const files = {
    '/door/room.js': roomText('door', 10, ["first: '/door/part.js'", "later: '/door/later.js'",
      "style: '/door/door.css'", "asks: ['/api/door']", "watch: ['door-sign', 'door-voice.quiet']"]),
    '/clock/room.js': roomText('clock', 20, ["first: '/clock/part.js'", "main: '/clock/face.js'",
      "style: '/clock/clock.css'", "lastStyle: '/clock/last.css'", "course: [\n    'clock-hands',\n  ]",
      "settings: '/clock/settings.js'", "tells: '/clock/state.js'", "rings: '/clock/alarm.js'",
      "checklist: '/clock/steps.js'"]),
    '/pond/room.js': roomText('pond', 30, ["first: '/pond/part.js'"]),
    '/door/index.html': `${HEAD}<door-sign></door-sign>
<div class="course">
  <!-- parts course -->
  <hub-checklist></hub-checklist>
  <p></p>
</div>\n`,
    '/clock/index.html': `${HEAD}<!-- parts watch -->\n<clock-hands></clock-hands>\n`,
    '/pond/index.html': `${HEAD}<hub-watch data-shown="@parts"></hub-watch>\n`,
  };
  const input = JSON.stringify(files);
  const { stdout, stderr } = spawnSync('python3', ['-c', COMPOSE, bin], { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  const made = JSON.parse(stdout);
  const head = (name, more = '') => `<head>\n${more}  <link rel="stylesheet" href="/pages/${name}.css">
  <script type="module" src="/pages/${name}.js"></script>\n</head>\n`;
  const both = (of, main = '') =>
    head('door-clock', `  <link rel="preload" href="/api/door" as="fetch" crossorigin${of}>\n${main}`);
  const face = '  <link rel="modulepreload" href="/pages/door-clock-clock.js">\n';
  assert.equal(made['/door/index.html'], `${both('')}<door-sign></door-sign>
<div class="course">
  <hub-hints></hub-hints>
  <clock-hands data-of="clock"></clock-hands>
  <hub-checklist></hub-checklist>
  <p></p>
  <hub-watch data-shown="door clock"></hub-watch>
</div>\n`);
  assert.equal(made['/clock/index.html'], `${both(' data-of="door"', face)}<door-sign data-of="door"></door-sign>
<door-voice class="quiet" data-of="door"></door-voice>\n<clock-hands></clock-hands>\n`);
  assert.equal(made['/pond/index.html'], `${head('pond')}<hub-watch data-shown="pond"></hub-watch>\n`);
  assert.match(made['/pages/door-clock.js'], /import \{ part as door \} from '\/door\/part\.js';/);
  assert.match(made['/pages/door-clock.js'], /open\(\{ 'door': door, 'clock': clock \}/);
  assert.match(made['/pages/door-clock.js'], /main: \{ 'clock': \(\) => import\('\/pages\/door-clock-clock\.js'\) \}/);
  assert.equal(made['/pages/door-clock-clock.js'], "import '/clock/face.js';\n");
  assert.equal(made['/pages/pond-last.js'], "import '/front.js';\n");
  assert.equal(made['/pages/door-clock-later.js'], "import '/door/later.js';\n");
  assert.equal(made['/pages/door-clock.css'],
    '@import "/page.css";\n@import "/door/door.css";\n@import "/clock/clock.css";\n');
  assert.equal(made['/pages/door-clock-last.css'], '@import "/watch.css";\n@import "/clock/last.css";\n');
  assert.equal(made['/rooms-tell.js'], "import '/clock/state.js';\n");
  assert.equal(made['/rooms-ring.js'], "import '/clock/alarm.js';\n");
  assert.equal(made['/rooms-checklist.js'], "import '/clock/steps.js';\n");
  assert.equal(made['/settings-parts.js'],
    "import { settings as clock } from '/clock/settings.js';\nexport const parts = { 'clock': clock };\n");
});

test('a category has one extension', () => {
  const composed = (...rooms) => {
    const files = Object.fromEntries(rooms.map(([id, ...parts], index) => [`/${id}/room.js`,
      roomText(id, 10 + index, parts)]));
    const { stdout, stderr } = spawnSync('python3', ['-c', COMPOSE, bin], {
      input: JSON.stringify(files), encoding: 'utf8',
    });
    return stderr.trim() || JSON.parse(stdout)['/extensions.js'];
  };
  const bells = ['bells', "extension: '/bells/media.js'", "categories: ['*']"];
  const door = ['the-door', "extension: '/the-door/extend.js'", "categories: ['sign', 'gate']"];
  assert.equal(composed(bells, door), `import { extend as bells } from '/bells/media.js';
import { extend as the_door } from '/the-door/extend.js';
export const extensions = [{ room: 'bells', categories: ['*'], extend: bells }, `
    + "{ room: 'the-door', categories: ['sign', 'gate'], extend: the_door }];\n");
  assert.equal(composed(['door']), 'export const extensions = [];\n');
  assert.equal(composed(door, ['gate', "extension: '/gate/extend.js'", "categories: ['gate']"]),
    "/gate/room.js: the category 'gate' has an extension of the-door; a category has one.");
  assert.equal(composed(['gate', "extension: '/gate/extend.js'"]),
    '/gate/room.js: `extension` and `categories` belong together.');
});

test('a room with a part of the settings says the address that the hub serves it at', () => {
  const composed = (id, settings, files = {}) => {
    const room = { [`/${id}/room.js`]: roomText(id, 10, [`settings: '/${id}/settings.js'`], settings), ...files };
    return spawnSync('python3', ['-c', COMPOSE, bin], { input: JSON.stringify(room), encoding: 'utf8' }).stderr.trim();
  };
  assert.equal(composed('door', '/settings/door'), '');
  assert.equal(composed('door', '/settings/place'),
    '/door/room.js: `settings` is /settings/place; /settings/door is served for a room with a part of the settings.');
  assert.equal(composed('place', '/settings/place', { '/settings/place/index.html': '' }),
    '/place/room.js: /settings/place is a page of the hub; another id is needed.');
});

test('every room says of itself what the shell needs, in both languages', async () => {
  assert.ok(rooms.length >= 2);
  for (const address of rooms) {
    const { room, audit, states, duties, removed, errors, reasons } = await page(address);
    for (const name of ['id', 'settings', 'icon']) assert.equal(typeof room[name], 'string', name);
    for (const words of [room, audit, states, duties].filter(Boolean)) {
      assert.deepEqual(shape(words.de), shape(words.en));
    }
    assert.deepEqual(Object.keys(removed ?? {}), removed ? ['en', 'de'] : []);
    for (const code of Object.keys(errors?.en ?? {})) assert.ok(errors.de[code], code);
    for (const { short } of [room.en, room.de]) assert.ok(short.length <= 9, `${address}: ${short} is too long`);
    assert.equal(typeof (reasons ?? {}), 'object');
  }
});

test('whatever is written down about who did what has words', async () => {
  const sources = fileURLToPath(new URL('../../Sources/', import.meta.url));
  const kinds = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.swift')).flatMap((name) => {
    const text = readFileSync(join(sources, name), 'utf8');
    return [...text.matchAll(/\baudit\(([^()]*)/g)].flatMap(([, given]) => [...given.matchAll(/"([a-z]+\.[a-z_-]+)"/g)]
      .map(([, kind]) => kind));
  });
  assert.ok(kinds.length > 60);
  const words = [(await page('/people/words.js')).dictionary.en.what];
  for (const address of rooms) words.push((await page(address)).audit?.en);
  const known = new Set(words.flatMap((some) => Object.keys(some ?? {})));
  assert.deepEqual(kinds.filter((kind) => !known.has(kind)), []);
  // What members may read of it, in the rooms' plans and in the hub's own list.
  const told = readdirSync(sources, { recursive: true }).filter((name) => name.endsWith('.swift')).flatMap((name) =>
    [...readFileSync(join(sources, name), 'utf8').matchAll(/\b(?:history:|static let own =) \[([^\]]*)\]/g)]
      .flatMap(([, list]) => [...list.matchAll(/"([a-z]+\.[a-z_-]+)"/g)].map(([, kind]) => kind)));
  assert.ok(told.length > 15);
  assert.deepEqual(told.filter((kind) => !known.has(kind)), []);
});

const HUB = `openapi: 3.1.0
info:
  title: A hub
  description: |
    ## Errors

    | Code | Name |
    |---|---|
    | 40001 | malformed request |
    | 50001 | failed |

    The end.

tags:
  - name: About
paths:
  /healthz:
    get:
      operationId: getHealth
      responses:
        default: { $ref: '#/components/responses/Error' }
components:
  responses:
    Error:
      description: An error.
`;
const TEA = `info:
  description: |
    ## Errors

    | 40480 | no tea |

tags:
  - name: Tea
paths:
  /api/v1/tea/{id}:
    get:
      operationId: getTea
      responses:
        '200': { $ref: '#/components/responses/Tea' }
        default: { $ref: '#/components/responses/Error' }

components:
  responses:
    Tea:
      description: Tea.
  schemas:
    Cup:
      type: string
`;

/** A description with one more room, and with one of the rooms changed. */
const described = (room, change = (text) => text) => description({
  'Sources/Hub/openapi.yaml': HUB, 'Sources/Apps/Tea/openapi.yaml': change(TEA), ...room,
});

test("the API's description is the hub's, with what each room says of itself", () => {
  const [head, ...lines] = described().split('\n');
  assert.match(head, /^# Joined by/);
  assert.equal(lines.join('\n'), `openapi: 3.1.0

info:
  title: A hub
  description: |
    ## Errors

    | Code | Name |
    |---|---|
    | 40001 | malformed request |
    | 40480 | no tea |
    | 50001 | failed |

    The end.

tags:
  - name: About
  - name: Tea

paths:
  /healthz:
    get:
      operationId: getHealth
      responses:
        default: { $ref: '#/components/responses/Error' }

  /api/v1/tea/{id}:
    get:
      operationId: getTea
      responses:
        '200': { $ref: '#/components/responses/Tea' }
        default: { $ref: '#/components/responses/Error' }

components:
  responses:
    Error:
      description: An error.

    Tea:
      description: Tea.

  schemas:
    Cup:
      type: string
`);
});

test('what two say, or nobody, ends the build, and is named', () => {
  const other = (text) => ({ 'Sources/Apps/Pot/openapi.yaml': text });
  assert.match(described(other('paths:\n  /api/v1/tea/{name}:\n    get: {}\n')), /Pot.*\/tea\/\{\} is in .*Tea/);
  assert.match(described(other('paths:\n  /x:\n    get:\n      operationId: getHealth\n')),
    /Pot.*operationId getHealth is in .*Hub/);
  assert.match(described(other('components:\n  schemas:\n    Cup: {}\n')), /Cup: \{\}.* cannot be joined/);
  assert.match(described(other('components:\n  schemas:\n    Cup:\n      type: string\n')),
    /Pot.*schemas\/Cup is in .*Tea/);
  assert.match(described(other('tags:\n  - name: About\n')), /the tag About is in .*Hub/);
  assert.match(described({}, (text) => text.replace('40480', '50001')), /the code 50001 is in .*Hub/);
  assert.match(described({}, (text) => text.replace('## Errors', '## Mistakes')), /Mistakes is no table/);
  assert.match(described({}, (text) => text.replace('## Errors', 'Words of its own')), /its info is/);
  assert.match(described({}, (text) => `openapi: 3.1.0\n${text}`), /openapi is for the hub to say/);
  assert.match(described({}, (text) => text.replace('responses/Error', 'responses/Eror')),
    /responses\/Eror, which nobody/);
  assert.match(described({ 'Sources/Hub/openapi.yaml': HUB.replace('responses/Error', 'responses/Tea') }),
    /responses\/Tea, which the hub/);
});

test('each row of a table in the description has as many cells as its head', () => {
  const text = readFileSync(join(bin, '../Docs/openapi.yaml'), 'utf8');
  const tables = [...text.matchAll(/(?:^ +\|.*\n)+/gm)].map(([table]) => table.trimEnd().split('\n'));
  assert.ok(tables.length > 4);
  const cells = (row) => row.split('|').length;
  assert.deepEqual(tables.flatMap((rows) => rows.filter((row) => cells(row) !== cells(rows[0]))), []);
});

test('Docs/openapi.yaml is what bin/pack-web --openapi writes', () => {
  const script = `import pathlib, sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing.openapi import joined
sys.stdout.write(joined(pathlib.Path(sys.argv[1]).parent))`;
  const { stdout } = spawnSync('python3', ['-c', script, bin], { encoding: 'utf8', maxBuffer: 16 << 20 });
  const kept = readFileSync(join(bin, '../Docs/openapi.yaml'), 'utf8');
  assert.ok(kept === stdout, 'Docs/openapi.yaml is not what the rooms say: run bin/pack-web --openapi');
});

test('half a package of PhotoSwipe, as a full disk leaves it, is fetched anew', (t) => {
  const kept = mkdtempSync(join(tmpdir(), 'libraries-'));
  t.after(() => rmSync(kept, { recursive: true }));
  // pip fetches no file that is there already.
  const script = `import pathlib, sys, types
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
from packing import libraries
kept = pathlib.Path(sys.argv[2])
(kept / libraries.PHOTOSWIPE_WHEEL).write_bytes(b"half")
def fetch(*_, **__):
    print((kept / libraries.PHOTOSWIPE_WHEEL).exists())
    return types.SimpleNamespace(returncode=1)
libraries.subprocess = types.SimpleNamespace(run=fetch)
libraries.photoswipe(kept)`;
  assert.equal(spawnSync('python3', ['-c', script, bin, kept], { encoding: 'utf8' }).stdout.trim(), 'False');
});
