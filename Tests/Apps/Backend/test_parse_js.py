"""The unmodified Parse JS SDK through everything of objects, under Node and in Chromium."""

import hashlib
import json
import re
import subprocess

from parse_app import FEATURES, PARSE_JS, parse_page

NODE = """
require(process.argv[2]);
globalThis.features(require(process.argv[1]), JSON.parse(process.argv[3]))
  .then((told) => { console.log(JSON.stringify(told)); process.exit(0); });
"""
EXPECTED = {
    "objects", "types", "queries", "places", "pointersAndRelations", "many", "users", "anonymous", "rights", "files",
    "config", "functions", "liveQuery",
}


def digest(folder):
    """One for all files of a folder: that of the lines of sha256sum, in the order of their names."""
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    lines = (f"{hashlib.sha256((folder / name).read_bytes()).hexdigest()}  {name}\n" for name in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def test_the_client_is_unmodified():
    listed = dict(re.findall(r"^\| ([\w-]+) .*\| ([0-9a-f]{64}) \|$", (PARSE_JS / "README.md").read_text(), re.M))
    assert listed == {folder.name: digest(folder) for folder in (PARSE_JS / "node_modules").iterdir()}


def test_everything_under_node(app):
    ran = subprocess.run(
        ["node", "-e", NODE, PARSE_JS / "node_modules/parse/node.js", FEATURES, json.dumps(app.features)],
        capture_output=True, text=True, timeout=55, check=False)
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout.splitlines()[-1]) == dict.fromkeys(EXPECTED, "passed"), ran.stderr


def test_everything_in_chromium(app, browser):
    page = browser.new_page()
    try:
        with parse_page() as url:
            page.goto(url)
            told = page.evaluate("told => features(Parse, told)", app.features)
        assert told == dict.fromkeys(EXPECTED, "passed")
    finally:
        page.close()
