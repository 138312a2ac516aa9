"""Chromium driven by its own protocol (Chrome DevTools Protocol). Playwright's pages all count as seen, and none of
their timers is ever slowed down; of these tabs one is seen, and the others are hidden as they are for everybody."""

import contextlib
import itertools
import json
import os
import subprocess

from hub import eventually
from page import WHOLE_CHROMIUM
from websockets.sync.client import connect

ANSWER_SECONDS = 30


class Tabs:
    """A browser with a profile of its own, without a window."""

    def __init__(self, folder, environment=()):
        self.process = subprocess.Popen(
            [WHOLE_CHROMIUM, "--headless=new", "--no-sandbox", "--no-first-run", "--remote-debugging-port=0",
             f"--user-data-dir={folder}", "--autoplay-policy=no-user-gesture-required", "about:blank"],
            env=os.environ | dict(environment), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = folder / "DevToolsActivePort"
        eventually(lambda: told.exists() and told.read_text().count("\n"), 30, what="Chromium's port")
        port, path = told.read_text().split("\n")[:2]
        self._ends = contextlib.ExitStack()
        self._socket = self._ends.enter_context(connect(f"ws://127.0.0.1:{port}{path}", max_size=None))
        self._numbers = itertools.count(1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._ends.close()
        self.process.kill()
        self.process.wait(10)

    def __call__(self, method, session=None, **parameters):
        """Runs one command; returns its answer, or raises Chromium's error."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer = json.loads(self._socket.recv(ANSWER_SECONDS))
            if answer.get("id") == number:
                assert "error" not in answer, f"{method}: {answer['error']}"
                return answer["result"]

    def open(self, url="about:blank"):
        return Tab(self, self("Target.createTarget", url=url)["targetId"])


class Tab:
    def __init__(self, tabs, target):
        self.tabs, self.target = tabs, target
        self.session = tabs("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def __call__(self, method, **parameters):
        return self.tabs(method, self.session, **parameters)

    def before_scripts(self, script):
        """Runs before any script of the pages that are opened in it, whatever their policy allows."""
        self("Page.enable")
        self("Page.setBypassCSP", enabled=True)
        self("Page.addScriptToEvaluateOnNewDocument", source=script)

    def go(self, url):
        self("Page.navigate", url=url)

    def run(self, expression):
        answer = self("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def show(self):
        """All others are hidden then."""
        self.tabs("Target.activateTarget", targetId=self.target)
