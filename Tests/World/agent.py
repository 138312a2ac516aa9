"""The agent as the tests use it: the real program, in a folder of its own."""

import json
import os
import pathlib
import signal
import subprocess
import threading

from hub import BINARY, clean_environment, eventually

AGENT = pathlib.Path(os.environ.get("EIGHTBELLS_AGENT_BINARY") or BINARY.parent / "eightbells-agent").absolute()
SECRET = "s" * 64
ACTIONS = [{"id": "open", "title": "Open"}, {"id": "not-today", "title": "Not today"}]


class Agent:
    """A running agent; its lines are collected over all of its runs. Without a `url` it has no hub."""

    def __init__(self, folder, url, *options, secret=SECRET, env=None):
        self.state = pathlib.Path(folder) / "state"
        self.words = [AGENT, *(["--hub", url] if url else []), "--state", self.state, "--json", *options]
        self.env = ({"EIGHTBELLS_TOKEN": secret} if url else {}) | (env or {})
        self.lines, self.broken = [], []
        self.log_file = pathlib.Path(folder) / "agent.log"
        self.process = self.reader = None

    def start(self):
        with open(self.log_file, "ab") as log:
            self.process = subprocess.Popen(
                list(map(str, self.words)), stdout=subprocess.PIPE, stderr=log, env=clean_environment(**self.env))
        self.reader = threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True)
        self.reader.start()
        return self

    def _read(self, output):
        for line in output:
            try:
                self.lines.append(json.loads(line))
            except ValueError:
                self.broken.append(line)

    def end(self, how=signal.SIGTERM):
        """Ends it, and returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(15)
        self.reader.join(5)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        self.end(signal.SIGKILL)

    def told(self, what, **members):
        return [line for line in list(self.lines)
                if line["what"] == what and all(line.get(name) == value for name, value in members.items())]

    def wait_told(self, what, seconds=10, **members):
        return eventually(lambda: self.told(what, **members), seconds, what=f"{what} {members}: {self.lines[-5:]}")[0]

    @property
    def log(self):
        return self.log_file.read_text()

    def last_words(self):
        return run("--last-words", "--state", self.state)

    def anchor(self, *words):
        """An order to the watch of this agent; returns its state."""
        done = run("anchor", *words, "--state", self.state, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def request(self, name, text):
        """A request of the device's own, put there in one step."""
        draft = self.state / "draft"
        draft.write_text(text if isinstance(text, str) else json.dumps(text))
        draft.rename(self.state / "requests" / f"{name}.json")


class WatchingAgent(Agent):
    """An agent that takes orders as soon as it has started."""

    def start(self):
        super().start()
        eventually(lambda: run("anchor", "status", "--state", self.state).returncode == 0, 20, what="it takes orders")
        return self


def run(*words, env=None, seconds=20):
    return subprocess.run(
        [AGENT, *map(str, words)], capture_output=True, text=True, env=clean_environment(**(env or {})),
        timeout=seconds, check=False)
