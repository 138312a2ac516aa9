"""The commands that the documents show, block by block, and a shell that runs them as a reader would."""

import functools
import os
import re
import subprocess
import sys

from agent import AGENT
from hub import BINARY, ROOT, clean_environment

FENCED = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.M | re.S)
SHELLS = {"sh", "bash", "console"}
# The beginnings by which a block without a language is known as one of commands.
UNSAID = re.compile(r"\s*(?:\$ |(?:sudo|curl|memorygraph|eightbells(?:-agent)?) )")
HERE = "http://127.0.0.1:8080"  # where a reader's hub is
PRELUDE = """set -eu -o pipefail
curl() { command curl -sS --fail-with-body --max-time 20 "$@"; echo; }
until_told() { for i in $(seq 300); do "$@" > /dev/null 2>&1 && return; sleep 0.1; done; "$@"; }
trap 'kill $(jobs -p) 2> /dev/null || true' EXIT
"""


@functools.cache
def documents():
    """All of them by their names: those of Docs without the folder's, the others with all of theirs."""
    found = [ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
    for folder in ("Docs", "Sources", "Packages", "Benchmarks", "Fuzz"):
        found += sorted((ROOT / folder).rglob("*.md"))
    names = {str(path.relative_to(ROOT)).removeprefix("Docs/"): path for path in found}
    return {name: path for name, path in names.items() if "/." not in f"/{name}"}


def blocks(path):
    """The commands of a document, a text for each block; of a console without what it has printed."""
    found = []
    for indent, language, text in FENCED.findall(path.read_text()):
        assert language or not UNSAID.match(text), f"{path}: sh or console, not nothing, above {text[:40]!r}"
        if language not in SHELLS:
            continue
        text = re.sub(rf"^{indent}", "", text, flags=re.M)
        if language == "console":
            text = "".join(line[2:] + "\n" for line in text.splitlines() if line.startswith("$ "))
        if text:
            found.append(text)
    return found


def spans(path):
    """The code in a document's sentences, each on one line."""
    return [" ".join(text.split()) for text in re.findall(r"(?<!`)`([^`]+)`(?!`)", FENCED.sub("", path.read_text()))]


def run(folder, script, env):
    """Runs a script with the programs of the build, and returns what it has printed."""
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    for name, program in {"eightbells": BINARY, "eightbells-agent": AGENT, "python3": sys.executable}.items():
        (programs / name).symlink_to(program)
    env = clean_environment(**env) | {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", PRELUDE + script], cwd=folder, env=env, capture_output=True, text=True,
                          timeout=50, check=False)
    assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
    return done.stdout
