"""Safari's engine in two versions that Debian has: WebKitGTK, which is that of today's Safari, and WPE WebKit 2.38,
which is that of Safari 16, the oldest that the pages promise to work in. Both are driven by Selenium."""

import contextlib
import os
import socket
import subprocess
import time

from every_page import SETTLED
from selenium import webdriver
from selenium.common.exceptions import NoSuchFrameException
from selenium.webdriver.webkitgtk.options import Options as NewOptions
from selenium.webdriver.webkitgtk.service import Service as NewService
from selenium.webdriver.wpewebkit.options import Options as OldOptions
from selenium.webdriver.wpewebkit.service import Service as OldService
from urllib3.exceptions import ReadTimeoutError

LIBRARIES = "/usr/lib/x86_64-linux-gnu"
ANSWER_SECONDS = 30
LOST_SECONDS = ANSWER_SECONDS + 5  # after which a driver has lost an answer

# Notes errors of a page in itself: neither engine tells what is written to the console.
LISTEN = """if (!window.errorsSeen) {
  window.errorsSeen = [];
  addEventListener('error', ({ message, filename, lineno, target }) => errorsSeen.push(
    message === undefined ? `not fetched: ${target.src}` : `${message} at ${filename}:${lineno}`), true);
  addEventListener('unhandledrejection', (event) => errorsSeen.push(String(event.reason?.stack ?? event.reason)));
}
return document.readyState !== 'loading' && !window.isLeft;"""


@contextlib.contextmanager
def _display():
    """The number of a display without a screen: WebKitGTK has windows."""
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x1000x24"], pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    try:
        with os.fdopen(read) as said:
            yield f":{said.readline().strip()}"
    finally:
        server.kill()
        server.wait()


@contextlib.contextmanager
def _new_driver(environment):
    options = NewOptions()
    options.binary_location = f"{LIBRARIES}/webkit2gtk-4.1/MiniBrowser"
    options.page_load_strategy = "none"
    options.add_argument("--automation")
    with _display() as display:
        service = NewService("/usr/bin/WebKitWebDriver", env=environment | {"DISPLAY": display})
        driver = webdriver.WebKitGTK(options=options, service=service)
        driver.set_window_size(1280, 900)
        yield driver


@contextlib.contextmanager
def _old_driver(environment):
    options = OldOptions()
    options.binary_location = f"{LIBRARIES}/wpe-webkit-1.1/MiniBrowser"
    options.page_load_strategy = "none"
    for argument in ("--automation", "--headless"):
        options.add_argument(argument)
    yield webdriver.WPEWebKit(options=options, service=OldService("/usr/bin/WPEWebDriver", env=environment))


ENGINES = {"webkitgtk": _new_driver, "wpe": _old_driver}


class WebKit:
    """A browser of one of `ENGINES`, with nothing kept from before, until it leaves its `with` block."""

    def __init__(self, engine, folder):
        """`folder`: its home."""
        # Each web process is in a sandbox of bubblewrap, which a container does not let it make.
        environment = os.environ | {"HOME": str(folder), "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1"}
        self._stack = contextlib.ExitStack()
        before = socket.getdefaulttimeout()
        socket.setdefaulttimeout(LOST_SECONDS)  # Selenium takes it for its connection, and has no other way
        try:
            self.driver = self._stack.enter_context(ENGINES[engine](environment))
        finally:
            socket.setdefaulttimeout(before)
        self._stack.callback(self.driver.quit)
        self.driver.set_script_timeout(ANSWER_SECONDS)

    def open(self, url):
        """Opens a page and listens to its errors from its first moments on."""
        self.driver.execute_script("window.isLeft = true;")
        for _ in range(2):  # WebKit loses it if the page before begins to lead elsewhere in the same moment
            self.driver.get(url)
            until = time.monotonic() + ANSWER_SECONDS
            while time.monotonic() < until:
                with contextlib.suppress(NoSuchFrameException):  # the page leads to another one
                    if self._listen():
                        return
        raise AssertionError(f"{url} does not come")

    def _listen(self):
        try:
            return self.driver.execute_script(LISTEN)
        except ReadTimeoutError:
            # Both drivers now and then lose the answer to a script that is sent while a page comes, and the page is
            # idle. One that hangs does not answer the second time, either.
            return self.driver.execute_script(LISTEN)

    def run(self, script):
        """The value of a script in the page; it may await."""
        return self.driver.execute_async_script(f"""const [done] = [...arguments].slice(-1);
          (async () => {{ {script} }})().then(done, (error) => done(String(error)));""")

    def wait(self, condition, seconds=30):
        """Waits until a condition in JavaScript holds."""
        until = time.monotonic() + seconds
        while not self.run(f"return Boolean({condition});"):
            assert time.monotonic() < until, f"not within {seconds} s: {condition}, but {self.errors()}"
            time.sleep(0.1)

    def settle(self):
        """Waits until the page stands still; its text."""
        while True:
            try:
                return self.run(f"return ({SETTLED})([150, 4000]);")
            except NoSuchFrameException:  # the page leads to another one
                self._listen()

    def errors(self):
        """The errors of the page that is open, but those before it led to another one."""
        return self.driver.execute_script("return window.errorsSeen ?? [];")

    def cookie(self, name, value):
        """Sets a cookie for the page that is open."""
        self.driver.add_cookie({"name": name, "value": value, "path": "/", "httpOnly": True})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._stack.close()
