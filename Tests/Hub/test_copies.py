"""Folders that an older program finds, and folders that were copied with cp while a hub was writing into them."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import threading

import pytest

from hub import BINARY, STATE, clean_environment, command, eventually
from upgrade import DATABASE

pytestmark = pytest.mark.file

WARNING = "the data folder was copied while a hub had it open"


@pytest.mark.parametrize("room, number", [("space", 999), ("later", 1)])
def test_an_older_program_refuses_with_words_and_changes_nothing(make_hub, room, number):
    hub = make_hub()
    hub.stop()
    path = hub.data / DATABASE
    with contextlib.closing(sqlite3.connect(path)) as database, database:
        database.execute("INSERT INTO migrations VALUES (?, ?, x'00', 0)", (room, number))
    before = path.read_bytes()
    refused = command("serve", "--data", hub.data, "--listen", "127.0.0.1:0")
    assert refused.returncode == 1 and room in refused.stderr, refused
    assert "newer" in refused.stderr and "backup" in refused.stderr, refused.stderr
    told = command("doctor", "--data", hub.data)
    assert told.returncode == 1 and "it was written by a newer Eightbells" in told.stdout, told.stdout
    assert path.read_bytes() == before


def test_a_copy_of_a_folder_in_use_is_told_from_others(make_hub, hub_with_space):
    hub = hub_with_space
    hub.turn(True, message="Come in")
    copy = make_hub("copy", start=False)
    shutil.copytree(hub.data, copy.data)
    told = command("doctor", "--data", copy.data)
    assert "copied while a hub had it open" in told.stdout, told.stdout
    # What was acknowledged before copying began is there, as the hub was at rest.
    copy.start()
    assert WARNING in copy.log and copy.state()["open"] is True
    assert copy.stop() == 0
    copy.start()
    assert copy.log.count(WARNING) == 1, "it is said once"
    # Copied at rest, it is like any other; and a folder that was killed where it is, too.
    copy.stop()
    still = make_hub("still", start=False)
    shutil.copytree(copy.data, still.data)
    still.start()
    still.kill()
    still.start()
    assert WARNING not in still.log


def test_a_torn_copy_is_refused(make_hub, hub_with_space):
    hub = hub_with_space
    copy = make_hub("copy", start=False)
    shutil.copytree(hub.data, copy.data)
    path = copy.data / DATABASE
    pages = bytearray(path.read_bytes())
    size = len(pages) // 2
    pages[size:] = bytes(len(pages) - size)
    path.write_bytes(pages)
    (copy.data / f"{DATABASE}-wal").write_bytes(b"")
    refused = command("serve", "--data", copy.data, "--listen", "127.0.0.1:0")
    assert refused.returncode == 1 and "the copy is torn" in refused.stderr, refused
    assert "eightbells backup" in refused.stderr


def test_a_backup_of_a_hub_that_is_written_to_has_all_that_was_acknowledged(make_hub, hub_with_space, tmp_path):
    hub, stop, turns = hub_with_space, threading.Event(), []

    def turn():
        while not stop.is_set():
            hub.turn(len(turns) % 2 == 0, message=f"turn {len(turns)}")
            turns.append(len(turns))

    thread = threading.Thread(target=turn)
    thread.start()
    try:
        while len(turns) < 20:
            stop.wait(0.01)
        before = len(turns)
        made = hub.command("backup", tmp_path / "night.tar")
    finally:
        stop.set()
        thread.join()
    assert made.returncode == 0, made.stderr
    restored = make_hub("restored", start=False)
    assert command("restore", tmp_path / "night.tar", "--data", restored.data).returncode == 0
    restored.start()
    assert WARNING not in restored.log
    assert int(restored.get(STATE)[1]["message"].removeprefix("turn ")) >= before - 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_backup_that_is_ended_leaves_nothing(hub_with_space, tmp_path, number):
    hub_with_space.stop()
    # It waits there for somebody who writes, with the records copied.
    os.mkfifo(hub_with_space.data / "eightbells.conf")
    with subprocess.Popen(
            [BINARY, "backup", tmp_path / "night.tar", "--data", hub_with_space.data], stderr=subprocess.DEVNULL,
            env=clean_environment()) as backup:
        part = tmp_path / "night.tar.part"
        eventually(lambda: part.exists() and part.stat().st_size > 0, what="the records are in it")
        backup.send_signal(number)
        assert backup.wait(20) == 128 + number
    assert list(tmp_path.glob("night.tar*")) == []
