"""Histories of a hub that is killed, or whose disk is full, run by hubtrial, and checks of their results."""

import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile
import threading

from faults import TRIAL, preloaded, run
from hub import ROOT, clean_environment

PROGRAM = TRIAL.with_name("hubtrial")
# Histories that failed once, reduced. Each is run in every test run.
KEPT = ROOT / "Tests/Fixtures/histories"
RECEIVERS = ("one", "other")
# In memory if possible: what was written outlives a killed process there as on a disk.
FOLDER = "/dev/shm" if os.path.isdir("/dev/shm") else None


@dataclasses.dataclass(frozen=True)
class Life:
    """One process of the hub, from its start to its end."""

    # The seed of the receivers' random failures.
    seed: int
    # Steps of hubtrial, without the numbers of things; of a crowd the size.
    steps: tuple
    # The fault at the nth call that changes a file: ("kill", 7), also half and full. None for an orderly end.
    fault: tuple = None


class Ledger:
    """The acknowledged and refused changes of a hub, compared with its store."""

    def __init__(self, data):
        self.data = data
        self.number = 0
        self.commit = 0
        self.made, self.refused, self.unsure = set(), set(), set()

    def live(self, life):
        """Runs one process, and checks the result."""
        words = [PROGRAM, "run", self.data, life.seed, *self.numbered(life.steps)]
        env = preloaded(self.data, kind=life.fault[0], at=life.fault[1]) if life.fault else None
        told = run(*words, env=env)
        codes = {None: {0}, "kill": {0, -9}, "half": {0, -9}, "full": {0, 1}}[life.fault and life.fault[0]]
        assert told.returncode in codes, (told.returncode, told.stderr[:400])
        failed = self.hear(told.stdout)
        assert life.fault or not failed, told.stdout
        assert life.fault or not self.unsure_of_this, "not everything was answered"
        self.check()

    def kill(self, life, seconds):
        """The same, killed so many seconds after its first answer."""
        words = [PROGRAM, "run", self.data, life.seed, *self.numbered(life.steps)]
        process = subprocess.Popen(
            [str(word) for word in words], stdout=subprocess.PIPE, env=clean_environment(), bufsize=0)
        first = process.stdout.readline()
        threading.Event().wait(seconds)
        process.kill()
        self.hear((first + process.communicate(timeout=20)[0]).decode())
        self.check()
        return process.returncode == -9

    def numbered(self, steps):
        """The steps with numbers for hubtrial, whose outcome is unknown yet."""
        self.unsure_of_this = set()
        heard = False
        for step in steps:
            name, _, count = step.partition(":")
            # Receivers are added once.
            if name == "listen" and heard:
                continue
            heard = heard or name == "listen"
            if name in ("make", "refuse", "crowd"):
                first = self.number + 1
                self.number += int(count or 1)
                self.unsure_of_this |= set(range(first, self.number + 1))
                step = f"{name}:{first}" + (f":{self.number}" if count else "")
            yield step

    def hear(self, text):
        """Reads the program's output; true if a change has failed."""
        failed, last = False, self.commit
        for line in text.splitlines():
            match line.split():
                case ["made", number, commit]:
                    self.made.add(int(number))
                    assert int(commit) > last, "a change has the number of an earlier life's"
                    self.commit = max(self.commit, int(commit))
                case ["refused", number]: self.refused.add(int(number))
                case ["failed", number]: failed = True
        self.unsure |= self.unsure_of_this
        self.unsure -= self.made | self.refused
        self.unsure_of_this -= self.made | self.refused
        return failed

    def check(self):
        """Each change is complete or absent, and receivers have got, or will get, each once and in order."""
        # On a copy: the check must not repair what the next process finds.
        with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
            copy = pathlib.Path(folder) / "data"
            shutil.copytree(self.data, copy)
            with contextlib.closing(sqlite3.connect(copy / "hub.sqlite")) as database:
                self.compare(lambda *question: [row[0] for row in database.execute(*question)])

    def compare(self, ask):
        assert ask("PRAGMA integrity_check") == ["ok"]
        things = ask("SELECT number FROM things ORDER BY rowid")
        assert len(set(things)) == len(things), f"made twice: {things}"
        assert self.made <= set(things), f"acknowledged and lost: {sorted(self.made - set(things))}"
        assert not self.refused & set(things), f"refused and kept: {sorted(self.refused & set(things))}"
        assert set(things) <= self.made | self.unsure
        audited = ask("SELECT about FROM audit WHERE what = 'thing.made' ORDER BY id")
        assert [int(about) for about in audited] == things, "who did it is not what was done"
        for name in RECEIVERS:
            heard = ask("SELECT number FROM heard WHERE receiver = ? ORDER BY rowid", [name])
            waiting = ask(
                "SELECT json_extract(content, '$.number') FROM hub_outbox WHERE id > coalesce("
                "(SELECT acknowledged FROM hub_outbox_receivers WHERE name = ?), 0) ORDER BY id", [name])
            assert heard + waiting == things, f"{name} has {heard}, is to be told {waiting}, of {things}"

    def tell_all(self):
        """In the end every receiver has got everything."""
        told = run(PROGRAM, "tell", self.data)
        assert told.returncode == 0, told.stderr
        self.check()
        with contextlib.closing(sqlite3.connect(self.data / "hub.sqlite")) as database:
            assert database.execute("SELECT count(*) FROM hub_outbox").fetchone() == (0,)


def live_through(lives, empty):
    """Runs a whole history in a new copy of an empty store."""
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        data = pathlib.Path(folder) / "data"
        shutil.copytree(empty, data)
        ledger = Ledger(data)
        for life in lives:
            ledger.live(life)
        ledger.tell_all()


def keep(lives):
    """Stores a failed history for later runs; returns its path."""
    text = json.dumps([dataclasses.asdict(life) for life in lives], indent=1) + "\n"
    path = KEPT / f"{hashlib.sha256(text.encode()).hexdigest()[:8]}.json"
    KEPT.mkdir(exist_ok=True)
    path.write_text(text)
    return path


def kept(path):
    return [Life(life["seed"], tuple(life["steps"]), tuple(life["fault"]) if life["fault"] else None)
            for life in json.loads(path.read_text())]
