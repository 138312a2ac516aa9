"""Debian's Firefox without a window, driven over Marionette: "length:[type, number, command, parameters]"."""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import time

FIREFOX = "/usr/bin/firefox-esr"
START_SECONDS = 60
ANSWER_SECONDS = 60

# No requests to anybody but the hub, and no pages before the tested one.
PREFERENCES = {
    "app.normandy.enabled": False, "app.update.enabled": False, "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore", "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "extensions.update.enabled": False,
    "browser.safebrowsing.malware.enabled": False, "browser.safebrowsing.phishing.enabled": False,
    "services.settings.server": "data:,#remote-settings-dummy/v1", "toolkit.telemetry.reportingpolicy.firstRun": False,
    "dom.serviceWorkers.testing.enabled": True,
}


class Firefox:
    """A browser with a profile of its own, until it leaves its `with` block."""

    def __init__(self, folder, preferences=(), environment=()):
        """`preferences` and `environment` add to what every browser of the tests gets."""
        if not pathlib.Path(FIREFOX).exists():
            raise FileNotFoundError(f"{FIREFOX} is missing: bin/install test")
        self.profile = pathlib.Path(folder)
        self.profile.mkdir(parents=True)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        preferences = PREFERENCES | {
            "marionette.port": self.port, "intl.accept_languages": "en-GB,en"} | dict(preferences)
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in preferences.items()]
        (self.profile / "user.js").write_text("\n".join(lines))
        environment = os.environ | {
            "MOZ_HEADLESS": "1", "HOME": str(self.profile), "MOZ_DISABLE_CONTENT_SANDBOX": "1"} | dict(environment)
        self.process = subprocess.Popen(
            [FIREFOX, "--headless", "--marionette", "--remote-allow-system-access", "--no-remote", "--profile",
             self.profile], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self._number = 0
        self._socket = self._connect()
        self._read()  # its greeting
        self("WebDriver:NewSession", capabilities={"alwaysMatch": {"acceptInsecureCerts": True}})

    def _connect(self):
        until = time.monotonic() + START_SECONDS
        while True:
            try:
                connected = socket.create_connection(("127.0.0.1", self.port), ANSWER_SECONDS)
                connected.settimeout(ANSWER_SECONDS)
                return connected
            except OSError:
                if time.monotonic() > until or self.process.poll() is not None:
                    raise
                time.sleep(0.1)

    def _read(self):
        length = b""
        while (byte := self._socket.recv(1)) != b":":
            if not byte:
                raise ConnectionError("Firefox has left")
            length += byte
        message = b""
        while len(message) < int(length):
            piece = self._socket.recv(int(length) - len(message))
            if not piece:
                raise ConnectionError("Firefox has left")
            message += piece
        return json.loads(message)

    def __call__(self, command, **parameters):
        """Runs one command; returns its answer, or raises Firefox's error."""
        self._number += 1
        text = json.dumps([0, self._number, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(text), text))
        _, _, error, result = self._read()
        if error:
            raise AssertionError(f"{command}: {error['error']}: {error['message']}")
        return result

    def open(self, url):
        self("WebDriver:Navigate", url=url)

    def run(self, script):
        """The value of a script in the page; it may await."""
        wrapped = f"""const [done] = [...arguments].slice(-1);
          (async () => {{ {script} }})().then(done, (error) => done(String(error)));"""
        return self(
            "WebDriver:ExecuteAsyncScript", script=wrapped, args=[], scriptTimeout=ANSWER_SECONDS * 1000)["value"]

    def wait(self, condition, seconds=20):
        """Waits until a condition in JavaScript holds."""
        until = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition});"):
            assert time.monotonic() < until, f"not within {seconds} s: {condition}"
            time.sleep(0.1)

    def console(self, origin):
        """Errors of pages of this origin, from the browser's console."""
        self("Marionette:SetContext", value="chrome")
        try:
            return self("WebDriver:ExecuteScript", args=[origin], script="""
              return Services.console.getMessageArray().filter((message) => message instanceof Ci.nsIScriptError
                && !(message.flags & Ci.nsIScriptError.warningFlag) && !(message.flags & Ci.nsIScriptError.infoFlag)
                && message.sourceName.startsWith(arguments[0]))
                .map((one) => `${one.errorMessage} (${one.sourceName}:${one.lineNumber})`);""")["value"]
        finally:
            self("Marionette:SetContext", value="content")

    def letters(self, times):
        """Makes the letters of the page that many times as large, as "Zoom text only" does."""
        self("Marionette:SetContext", value="chrome")
        try:
            self("WebDriver:ExecuteScript", args=[times], script="""
              gBrowser.selectedBrowser.browsingContext.textZoom = arguments[0];""")
        finally:
            self("Marionette:SetContext", value="content")

    def cookie(self, name, value):
        """Sets a cookie for the page that is open."""
        self("WebDriver:AddCookie", cookie={"name": name, "value": value, "path": "/", "httpOnly": True})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        with contextlib.suppress(Exception):
            self("Marionette:Quit", flags=["eForceQuit"])
        with contextlib.suppress(Exception):
            self._socket.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
