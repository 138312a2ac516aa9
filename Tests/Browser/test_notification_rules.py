"""The rules for notifications in a real browser: the vectors that Swift and Node answer too."""

import json
import re

from hub import ROOT
from page import pages

FIXTURES = ROOT / "Tests/Fixtures/notifications"
FILES = ["contents.json", "attachments.json", "presentation.json", "responses.json", "triggers.json", "queue.json"]


def script(*modules):
    """The modules as one script: the pages' own are joined when they are packed."""
    text = "\n".join((ROOT / path).read_text() for path in modules)
    return re.sub(r"^export ", "", re.sub(r"^import .*;$", "", text, flags=re.M), flags=re.M)


def test_the_vectors(browser, demo_hub):
    with pages(browser) as open_page:
        page = open_page()
        page.goto(demo_hub.url)
        text = script("Sources/Hub/Web/rules.js", "Sources/Hub/Web/notification-rules.js",
                      "Tests/Web/notification-vectors.mjs")
        wrong = page.evaluate("async (files) => {" + text + """
          const rules = await loadNotificationRules();
          return Object.fromEntries(Object.entries(files).map(([name, vectors]) => [name, wrong(rules, vectors)]));
        }""", {name: json.loads((FIXTURES / name).read_text()) for name in FILES})
    assert wrong == {name: [] for name in FILES}
