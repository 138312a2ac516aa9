"""Data folders of all earlier versions, migrated: nothing they contained is lost. bin/test migrates all of them."""

import contextlib
import os
import re
import socket
import sqlite3
import stat

import pytest

from hub import command
from upgrade import DATABASE, VERSIONS, fill, told, unpack

pytestmark = pytest.mark.file

# The tables in which a migration finds no row, and why.
EMPTY = {
    "blob_bucket": "for blobs in an object store; without one it stays empty",
    "blob_objects": "the same",
    "blob_removals": "a file stands here until it is removed, right after the commit",
    "hub_leases": "several hubs on a database server; in a file it stays empty",
    "hub_members": "the same",
    "hub_news": "the same",
    "hub_passed": "the same",
    "apps_live": "the same",
    "apps_removed_fields": "a field stands here until its values have left all objects, some thousand at a time",
    "hub_untold": "who is removed while a room is off stands here until it is on again",
    "hub_outbox": "what rings stands here until its receiver has taken it, right after the commit",
}


def missing(before, now, path=""):
    """The paths at which an earlier answer is missing or different. New members may have been added."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [gap for name in before for gap in missing(before[name], now.get(name), f"{path}.{name}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [gap for number, one in enumerate(before) for gap in missing(one, now[number], f"{path}[{number}]")]
    return [] if before == now else [f"{path}: {before!r} became {now!r}"]


@pytest.mark.parametrize("version", VERSIONS)
def test_everything_is_there_that_an_earlier_version_kept(make_hub, version):
    hub = make_hub(start=False)
    before = unpack(version, hub.data)
    hub.start()
    assert missing(before["told"], told(hub, before["who"])) == []
    assert hub.stop() == 0
    verified = command("store", "verify", "--data", hub.data)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_systemd_waits_for_a_migration_that_gets_on(make_hub, tmp_path):
    path = tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notify:
        notify.bind(str(path))
        notify.settimeout(10)
        hub = make_hub(start=False, env={"NOTIFY_SOCKET": str(path)})
        unpack(VERSIONS[0], hub.data)
        hub.start()
        assert [notify.recv(4096).decode() for _ in range(2)] == ["EXTEND_TIMEOUT_USEC=1800000000", "READY=1"]


def migrations(folder):
    """The steps that the database of a folder has seen."""
    with contextlib.closing(sqlite3.connect(folder / DATABASE)) as database:
        return database.execute("SELECT room, number FROM migrations ORDER BY room, number").fetchall()


def test_a_command_that_brings_the_records_up_to_date_says_so(tmp_path):
    unpack(VERSIONS[0], tmp_path / "data")
    first, second = (command("token", "list", "--data", tmp_path / "data") for _ in range(2))
    assert first.returncode == 0 and first.stdout == second.stdout
    assert "brought up to date for version" in first.stderr and f"{tmp_path}/data/backups" in first.stderr
    assert second.stderr == ""


@pytest.mark.parametrize("version", VERSIONS[:1])
def test_what_was_there_before_a_migration_can_be_had_back(make_hub, tmp_path, version):
    hub = make_hub(start=False)
    unpack(version, hub.data)
    backups = hub.data / "backups"
    backups.mkdir(mode=0o700)
    for age, name in enumerate(["before-0.0.2.tar", "before-0.0.1.tar", "before-0.0.3.tar.part", "mine.tar"]):
        (backups / name).write_text("earlier")
        os.utime(backups / name, (1_000_000 - age, 1_000_000 - age))
    before = migrations(hub.data)
    hub.start()
    assert hub.stop() == 0
    assert migrations(hub.data) != before
    backup, = set(backups.iterdir()) - {backups / "mine.tar", backups / "before-0.0.2.tar"}
    assert f"backup={backup}" in hub.log
    assert re.fullmatch(r"before-[\d.]+\S*\.tar", backup.name), "the newest are kept, and what is not ours"
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600 and stat.S_IMODE(backups.stat().st_mode) == 0o700
    assert command("restore", backup, "--data", tmp_path / "restored").returncode == 0
    assert migrations(tmp_path / "restored") == before
    # Nothing is to be migrated any more, so none is taken.
    backup.unlink()
    hub.start()
    assert hub.stop() == 0 and not backup.exists()


def test_without_a_backup_nothing_is_migrated_unless_one_says_so(make_hub):
    hub = make_hub(start=False)
    unpack(VERSIONS[0], hub.data)
    before = migrations(hub.data)
    # A file stands in the folder's place.
    (hub.data / "backups").write_text("in the way")
    told = command("store", "migrate", "--data", hub.data)
    assert told.returncode == 1 and "backup before the migration failed" in told.stderr, told
    assert migrations(hub.data) == before
    told = command("store", "migrate", "--data", hub.data, "--without-backup")
    assert told.returncode == 0 and "Ran and lost nothing" in told.stdout, told
    assert migrations(hub.data) != before


def test_a_backup_without_room_is_refused_before_it_fills_the_disk_and_a_migration_says_what_to_do(make_hub, tmp_path):
    hub = make_hub(start=False)
    unpack(VERSIONS[0], hub.data)
    with contextlib.closing(sqlite3.connect(hub.data / DATABASE)) as database:
        # The file itself is missing, which is found only when it is read.
        database.execute("INSERT INTO blobs (digest, size, bytes) VALUES (randomblob(32), ?, NULL)", [2 ** 60])
        database.commit()
    before = migrations(hub.data)
    told = command("backup", tmp_path / "b.tar", "--data", hub.data)
    assert told.returncode == 1 and "no room for the backup: it takes 1152921504" in told.stderr, told
    assert not list(tmp_path.glob("b.tar*"))
    told = command("store", "migrate", "--data", hub.data)
    assert told.returncode == 1 and "backup before the migration failed" in told.stderr, told
    assert "store migrate --without-backup" in told.stderr and migrations(hub.data) == before, told


@pytest.mark.waits
def test_a_folder_that_was_filled_has_rows_in_every_table(make_hub):
    """A table that is new is to be filled in Tests/World/upgrade_rooms.py, so that later migrations see its rows."""
    hub = make_hub()
    fill(hub)
    assert hub.stop() == 0
    with contextlib.closing(sqlite3.connect(hub.data / DATABASE)) as database:
        tables = {name for name, in database.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")}
        empty = {name for name in tables if not database.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchall()}
    assert EMPTY.keys() <= tables and empty <= EMPTY.keys(), f"without a row: {sorted(empty)}; accepted: {[*EMPTY]}"


def test_what_is_gone_or_different_is_found():
    assert missing({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "new": 3}], "new": 4}) == []
    assert missing({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == [".a[1].b: 2 became 3"]
    assert missing({"a": [1]}, {"a": [1, 2]}) == [".a: [1] became [1, 2]"]
    assert missing({"a": 1}, {}) == [".a: 1 became None"]


def test_a_backup_has_all_rooms_in_it(make_hub, tmp_path):
    """Taken while the hub runs, and restored elsewhere: each answer is the same, and each blob is proved."""
    hub = make_hub(start=False)
    before = unpack(VERSIONS[-1], hub.data)
    hub.start()
    expected = told(hub, before["who"])
    made = command("backup", tmp_path / "all.tar", "--data", hub.data)
    assert made.returncode == 0, made.stderr
    assert hub.stop() == 0
    other = make_hub("restored", start=False)
    restored = command("restore", tmp_path / "all.tar", "--data", other.data)
    assert restored.returncode == 0, restored.stderr
    other.start()
    assert told(other, before["who"]) == expected
    assert other.stop() == 0
    verified = command("store", "verify", "--data", other.data)
    assert verified.returncode == 0, verified.stdout + verified.stderr
