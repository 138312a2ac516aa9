// A room's part of the service worker, as bin/pack-web packs it, for its tests.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const SCRIPT = `import json, pathlib, sys
sys.dont_write_bytecode = True
root, app = pathlib.Path(sys.argv[1]), sys.argv[2]
room = app.lower()
sys.path.insert(0, str(root / "bin"))
from packing.join import Joiner
files = {}
for address, folder in (("/", root / "Sources/Hub/Web"), (f"/{room}/", root / f"Sources/Apps/{app}/Web")):
    files |= {address + one.relative_to(folder).as_posix(): one.read_bytes() for one in folder.rglob("*.js")}
files |= {name: text.encode() for name, text in json.load(sys.stdin).items()}
print(Joiner(files).script(f"/{room}/worker.js"))`;
const root = fileURLToPath(new URL('../../', import.meta.url));

/** The worker of an app's room; `others` are texts of modules that take the place of the room's and the hub's own. */
export function workerScript(app, others) {
  const input = JSON.stringify({ '/shell.js': '', ...others });
  const { stdout, stderr } = spawnSync('python3', ['-c', SCRIPT, root, app], { input, encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
}
