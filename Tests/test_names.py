"""The pages' modules use no name that is not there: a slip that a browser only tells where the line is reached, and
then as a form that does nothing. TypeScript's compiler finds it without any types."""

import re
import subprocess

from hub import ROOT

# Names that browsers have and the compiler's library has not.
KNOWN = {"ImageCapture", "registerProcessor", "AudioWorkletProcessor", "registration", "skipWaiting", "clients"}


def unknown(folder, files):
    done = subprocess.run(
        ["node", ROOT / "Tests/World/names.mjs", *files], cwd=folder, capture_output=True, text=True, timeout=100)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    names = [(line, line.rpartition(" ")[2]) for line in done.stdout.splitlines()]
    return [line for line, name in names if name not in KNOWN and not re.fullmatch(r"__[A-Z]+__", name)]


def test_pages_use_no_name_that_is_not_there(tmp_path):
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "Sources").rglob("*.js"))
    assert len(files) > 400
    assert unknown(ROOT, files) == []
    (tmp_path / "a.js").write_text(
        "import { b } from '/b.js';\nexport const c = (d) => b(d) + e;\nconst { x: y = f } = b;\n"
        "export const g = () => ({ y, h: y.i, j });\n")
    assert unknown(tmp_path, ["a.js"]) == ["a.js:2: e", "a.js:3: f", "a.js:4: j"]
