"""The unmodified Parse JS SDK through everything of objects, in Chromium."""

import hashlib
import re

from parse_app import PARSE_JS, parse_page

EXPECTED = {
    "objects", "types", "queries", "places", "pointersAndRelations", "many", "users", "anonymous", "rights", "files",
    "config", "functions", "liveQuery",
}


def test_the_client_is_unmodified():
    folder = PARSE_JS.parent
    listed = re.findall(r"\| ([\w.-]+)(?: \(Apache-2.0\))? \| ([0-9a-f]{64}) \|", (folder / "README.md").read_text())
    assert len(listed) == 3
    for name, digest in listed:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


def test_everything_in_chromium(app, browser):
    page = browser.new_page()
    try:
        with parse_page() as url:
            page.goto(url)
            told = page.evaluate("told => features(Parse, told)", app.features)
        assert told == dict.fromkeys(EXPECTED, "passed")
    finally:
        page.close()
