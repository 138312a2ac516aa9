"""The pages' modules use no name that is not there: a slip that a browser only tells where the line is reached, and
then as a form that does nothing. TypeScript's compiler finds it without any types."""

import re
import subprocess

from hub import ROOT

# Names that browsers have and the compiler's library has not.
KNOWN = {"ImageCapture", "registerProcessor", "AudioWorkletProcessor", "registration", "skipWaiting", "clients"}
FAULT = re.compile(r"^(.*?)\((\d+),\d+\): error TS(?:2304|2552): Cannot find name '([^']+)'", re.MULTILINE)


def unknown(folder, files):
    done = subprocess.run(
        ["tsc", "--allowJs", "--checkJs", "--noEmit", "--noResolve", "--target", "esnext", "--module", "esnext",
         "--lib", "esnext,dom,dom.iterable", *files], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.stderr == ""
    return [f"{file}:{line}: {name}" for file, line, name in FAULT.findall(done.stdout)
            if name not in KNOWN and not re.fullmatch(r"__[A-Z]+__", name)]


def test_pages_use_no_name_that_is_not_there(tmp_path):
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "Sources").rglob("*.js"))
    assert len(files) > 400
    assert unknown(ROOT, files) == []
    (tmp_path / "a.js").write_text("import { b } from '/b.js';\nexport const c = (d) => b(d) + e;\n")
    assert unknown(tmp_path, ["a.js"]) == ["a.js:2: e"]
