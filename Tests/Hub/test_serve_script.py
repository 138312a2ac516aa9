"""`bin/serve` in a fresh clone: a quick build's hub comes first, the final one takes over. Its builds are imitated,
since real ones take minutes; the hubs are real."""

import os
import pathlib
import re
import shutil
import signal
import subprocess

import pytest

from hub import BINARY, clean_environment, command, eventually

TOP = pathlib.Path(__file__).resolve().parents[2]

BUILD = """#!/usr/bin/env bash
cd "$(dirname "$0")/.."
folder=.build/x86/release
case "${1:-}" in
  --quick) folder=.build/quick/release ;;
  eightbells-pictures) exit 0 ;;
  *) echo $$ > building; until [ -e go ]; do sleep 0.05; done; read -r status < go; [ "$status" = 0 ] || exit 1 ;;
esac
mkdir -p "$folder"
rm -f "$folder/eightbells"
ln HUB "$folder/eightbells" 2> /dev/null || cp HUB "$folder/eightbells"
"""


class Clone:
    """A clone in which `bin/serve` runs."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "bin").mkdir()
        shutil.copy(TOP / "bin/serve", folder / "bin")
        self._script("bin/build", BUILD.replace("HUB", str(BINARY)))
        self._script("swift", f"#!/bin/sh\necho {folder}/.build/x86/release\n")
        self.log = folder / "log"
        self.process = None

    def _script(self, name, text):
        (self.folder / name).write_text(text)
        (self.folder / name).chmod(0o755)

    def start(self):
        path = f"{self.folder}:{os.environ['PATH']}"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [self.folder / "bin/serve", "--listen", "127.0.0.1:0", "--data", self.folder / "data"],
                stdout=log, stderr=log, env=clean_environment(PATH=path), cwd=self.folder)
        return self

    def finish_build(self, status):
        (self.folder / "go").write_text(f"{status}\n")

    @property
    def building(self):
        """True while the final build goes on."""
        file = self.folder / "building"
        return file.exists() and os.path.exists(f"/proc/{file.read_text().strip() or 'none'}")

    def greetings(self):
        return self.log.read_text().count("Eightbells listens on")

    def serving(self):
        """The programs of the hubs that run on the clone's data."""
        found = []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (process / "cmdline").read_bytes().split(b"\0")
                if b"serve" in words[1:2] and str(self.folder / "data").encode() in words:
                    found.append(os.path.relpath(os.readlink(process / "exe"), self.folder))
            except OSError:
                continue
        return found


@pytest.fixture
def clone(tmp_path):
    made = Clone(tmp_path)
    yield made
    if made.process and made.process.poll() is None:
        made.process.terminate()
        made.process.wait(20)


def test_the_final_build_takes_over(clone):
    clone.start()
    eventually(lambda: clone.greetings() == 1 and clone.building, 20)
    assert clone.serving() == [".build/quick/release/eightbells"]
    # The commands of the documents work from the first page on, and those that the hub prints work for ever.
    link = ["link", "--data", "data", "--role", "owner"]
    assert command(*link, cwd=clone.folder, program=".build/release/eightbells").returncode == 0
    printed = re.search(r"(\S+) (link --data .*)", clone.log.read_text())
    clone.finish_build(0)
    eventually(lambda: clone.greetings() == 2, 20)
    assert clone.serving() == [".build/x86/release/eightbells"]
    assert not (clone.folder / ".build/release/eightbells").is_symlink()
    eventually(lambda: not (clone.folder / ".build/quick").exists(), 20)
    assert command(*printed[2].split(), program=printed[1]).returncode == 0
    clone.process.send_signal(signal.SIGINT)
    assert clone.process.wait(20) == 0 and clone.serving() == []


def test_the_quick_one_stays_where_the_final_one_cannot_be_built(clone):
    clone.start()
    eventually(lambda: clone.greetings() == 1 and clone.building, 20)
    clone.finish_build(1)
    eventually(lambda: "build failed" in clone.log.read_text(), 20)
    assert clone.serving() == [".build/quick/release/eightbells"]


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_both_end_when_they_are_told(clone, told):
    clone.start()
    eventually(lambda: clone.greetings() == 1 and clone.building, 20)
    clone.process.send_signal(told)
    assert clone.process.wait(20) == 0
    eventually(lambda: not clone.building and clone.serving() == [])
    # The next start begins with a quick build again, since there is no final one.
    clone.start()
    eventually(lambda: clone.greetings() == 2 and clone.building, 20)
    assert clone.serving() == [".build/quick/release/eightbells"]
