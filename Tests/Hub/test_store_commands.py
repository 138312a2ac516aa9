"""eightbells store, backup and restore, beside a running hub and without one; and a full disk."""

import contextlib
import fcntl
import hashlib
import io
import os
import pathlib
import sqlite3
import subprocess
import tarfile
import threading

import pytest

import faults
from faults import TRIAL, preloaded, run, trial
from hub import BINARY, SETTINGS, STATE, clean_environment, command, eventually

pytestmark = pytest.mark.file


@pytest.fixture
def album(tmp_path):
    data = tmp_path / "album"
    trial("fill", data, 3, 1)
    return data


def large_file(data):
    return sorted(pathlib.Path(data).glob("blobs/??/*"))[0]


def flip(path):
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


# verify

def test_verify_says_that_all_is_well_beside_a_running_hub(hub_with_space):
    told = command("store", "verify", "--data", hub_with_space.data)
    assert (told.returncode, told.stdout) == (0, "0 of 0 verified\n")
    assert "checking the database: 100 %" in told.stderr
    hub_with_space.turn(True)


def test_verify_counts_every_blob(album):
    told = command("store", "verify", "--data", album)
    assert (told.returncode, told.stdout) == (0, "6 of 6 verified\n")
    assert "checking blobs: 100 %" in told.stderr


def test_verify_says_what_is_wrong_and_ends_with_1(album):
    damaged = large_file(album)
    flip(damaged)
    stray = album / "blobs" / "stray"
    stray.mkdir()
    (stray / "letter").write_text("not ours")
    with contextlib.closing(sqlite3.connect(album / "eightbells.sqlite")) as database:
        database.execute("INSERT INTO blob_names VALUES ('album', 'nowhere', x'00')")
        database.commit()
    told = command("store", "verify", "--data", album)
    assert told.returncode == 1
    assert told.stdout.splitlines()[-1] == "5 of 6 verified"
    for words in (damaged.name, str(stray / "letter"), "album/nowhere"):
        assert words in told.stdout


def test_verify_finds_a_torn_database(album):
    database = album / "eightbells.sqlite"
    trial("check", album)
    content = bytearray(database.read_bytes())
    content[3 * 4096:4 * 4096] = os.urandom(4096)
    for log in ("-wal", "-shm"):
        pathlib.Path(f"{database}{log}").unlink(missing_ok=True)
    database.write_bytes(content)
    told = command("store", "verify", "--data", album)
    assert told.returncode == 1, told.stdout


def test_progress_is_one_line_on_a_terminal(album):
    ours, its = os.openpty()
    process = subprocess.Popen(
        [BINARY, "store", "verify", "--data", album], stdout=subprocess.PIPE, stderr=its, env=clean_environment())
    os.close(its)
    assert process.communicate(timeout=20)[0] == b"6 of 6 verified\n"
    shown = b""
    with contextlib.suppress(OSError):  # its end
        while part := os.read(ours, 65536):
            shown += part
    os.close(ours)
    assert b"\r\x1b[Kchecking blobs: 16 %\r\x1b[Kchecking blobs: 100 %\r\n" in shown, shown


# migrate

@pytest.fixture
def older(make_hub):
    """A hub's folder as left by an older version."""
    hub = make_hub()
    hub.configure()
    hub.turn(True, message="kept")
    return faults.older(hub)


def test_a_migration_can_be_tried_first(older):
    database = older.data / "eightbells.sqlite"
    before = database.read_bytes()
    told = command("store", "migrate", "--check", "--data", older.data)
    assert told.returncode == 0 and "Would run and lose nothing: store 1" in told.stdout, told.stderr
    assert database.read_bytes() == before
    assert not [path for path in older.data.iterdir() if "trial" in path.name]
    told = command("store", "migrate", "--data", older.data)
    assert told.returncode == 0 and "Ran and lost nothing: store 1" in told.stdout
    told = command("store", "migrate", "--data", older.data)
    assert (told.returncode, told.stdout) == (0, "The store is up to date.\n")
    older.start()
    assert older.state()["message"] == "kept"


def test_a_start_migrates_by_itself(older):
    older.start()
    assert older.state()["message"] == "kept"
    assert command("store", "migrate", "--check", "--data", older.data).stdout == "The store is up to date.\n"


def test_a_command_does_not_migrate_under_a_running_hub(older):
    """A hub of an older version holds its lock and does not know the new tables."""
    holder = subprocess.Popen(
        ["python3", "-c", "import fcntl, sys; f = open(sys.argv[1], 'w'); fcntl.flock(f, fcntl.LOCK_EX); "
         "print('held', flush=True); sys.stdin.read()", older.data / "lock"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"held\n"
        before = (older.data / "eightbells.sqlite").read_bytes()
        told = command("token", "create", "--data", older.data, "--name", "a", "--role", "owner")
        assert told.returncode == 1 and "brought up to date" in told.stderr and told.stdout == ""
        told = command("store", "migrate", "--data", older.data)
        assert told.returncode == 1 and "Another hub is running" in told.stderr
        assert (older.data / "eightbells.sqlite").read_bytes() == before
    finally:
        holder.communicate()


def test_a_database_of_a_newer_program_is_refused_and_left_alone(older):
    with contextlib.closing(sqlite3.connect(older.data / "eightbells.sqlite")) as database:
        database.execute("INSERT INTO migrations SELECT room, 99, fingerprint, applied_at FROM migrations "
                         "WHERE room = 'space' AND number = 1")
        database.commit()
    before = (older.data / "eightbells.sqlite").read_bytes()
    for words in (["serve", "--listen", "127.0.0.1:0"], ["store", "migrate"], ["store", "migrate", "--check"],
                  ["token", "create", "--name", "a", "--role", "owner"]):
        told = command(*words, "--data", older.data)
        assert told.returncode == 1 and "newer version" in told.stderr, (words, told.stderr)
    assert (older.data / "eightbells.sqlite").read_bytes() == before


# backup and restore

def test_a_backup_of_a_busy_hub_is_one_moment_and_starts_elsewhere(hub_with_space, make_hub, tmp_path):
    hub = hub_with_space
    away = "store = postgres://club:secret@db.example/club\nbus = nats://db.example:4222\nblobs=/srv/blobs\n"
    (hub.data / "eightbells.conf").write_text(f"listen = 127.0.0.1:0\n{away}log_level = debug")
    assert hub.keykeeper_token and hub.owner_token
    stop = threading.Event()
    turns = []

    def keep_turning():
        while not stop.is_set():
            turns.append(hub.turn(True, message=f"{len(turns)}"))

    writer = threading.Thread(target=keep_turning)
    writer.start()
    try:
        eventually(lambda: len(turns) > 3)
        told = command("backup", tmp_path / "b", "--data", hub.data)
    finally:
        stop.set()
        writer.join(20)
    assert told.returncode == 0 and "writing the backup: 100 %" in told.stderr, told.stderr
    assert (tmp_path / "b").stat().st_mode & 0o777 == 0o600
    with tarfile.open(tmp_path / "b") as archive:
        assert archive.getnames() == ["eightbells-backup", "eightbells.sqlite", "eightbells.conf", "manifest"]
    other = make_hub("other", start=False)
    told = command("restore", tmp_path / "b", "--data", other.data)
    assert told.returncode == 0, told.stderr
    assert other.data.stat().st_mode & 0o077 == 0
    # Its configuration leads to the records of the hub it is from no more.
    assert (other.data / "eightbells.conf").read_text().splitlines() == [
        "listen = 127.0.0.1:0", *(f"# {line}" for line in away.splitlines()), "log_level = debug"]
    assert "store, bus, blobs" in told.stdout and "secret" not in told.stdout
    assert "On trial" in told.stdout and told.stdout.endswith(f" --data {other.data} --rooms space\n")
    other.start()
    assert int(other.state()["message"]) >= 3
    assert other.get(SETTINGS, token=hub.owner_token)[1] == hub.get(SETTINGS, token=hub.owner_token)[1]


def test_a_backup_replaces_nothing_that_the_hub_keeps(hub_with_space, tmp_path):
    data = hub_with_space.data
    (data / "eightbells.conf").write_text("listen = 127.0.0.1:0\n")
    (tmp_path / "link").symlink_to(data / "eightbells.sqlite")
    before = (data / "eightbells.conf").read_bytes()
    for target in (data / "eightbells.sqlite", data / "eightbells.sqlite-wal", data / "eightbells.conf", data / "lock",
                   data / "store", data / "eightbells.sqlite.new"):
        told = command("backup", target, "--data", data)
        assert told.returncode == 1 and "is the hub's own" in told.stderr, (target, told.stderr)
    told = command("backup", tmp_path / "link", "--data", data)
    assert told.returncode == 2 and "is a link" in told.stderr and (tmp_path / "link").is_symlink()
    told = command("backup", tmp_path / "none/night.tar", "--data", data)
    assert told.returncode == 1 and f"the folder {tmp_path}/none/: No such file" in told.stderr, told.stderr
    assert (data / "eightbells.conf").read_bytes() == before and hub_with_space.get("/healthz")[0] == 200
    # Beside them, and a second time, it is what one asked for. It changes nothing in the folder.
    before = sorted(path.name for path in data.iterdir())
    for name in ("nightly.tar", "nightly.tar", "eightbells.sqlite.tar", "eightbells.sqlite.tar"):
        assert command("backup", data / name, "--data", data).returncode == 0
    assert sorted(path.name for path in data.iterdir()) == sorted([*before, "nightly.tar", "eightbells.sqlite.tar"])


def test_a_backup_replaces_nothing_in_a_folder_with_letters_of_several_bytes(make_hub, tmp_path):
    hub = make_hub("J\u00fcrgen", start=False)
    hub.start()
    told = command("backup", hub.data / "eightbells.sqlite", "--data", hub.data)
    assert told.returncode == 1 and "is the hub's own" in told.stderr, told.stderr


def test_a_backup_holds_every_blob_while_others_are_removed(tmp_path):
    data = tmp_path / "album"
    trial("fill", data, 40, 1)
    loader = subprocess.Popen([TRIAL, "load", data, "7"], stdout=subprocess.PIPE, env=clean_environment())
    try:
        for number in range(3):
            # It removes photos at random, too; one more is kept, so both go on beside the backup.
            lines = iter(loader.stdout.readline, b"")
            assert any(b"kept" in line for line in lines), "the load has ended"
            told = command("backup", tmp_path / f"b{number}", "--data", data)
            assert told.returncode == 0, told.stderr
    finally:
        loader.kill()
        loader.communicate()
    for number in range(3):
        assert command("restore", tmp_path / f"b{number}", "--data", tmp_path / f"r{number}").returncode == 0
        told = trial("check", tmp_path / f"r{number}").splitlines()[-1]
        assert int(told.split()[0]) >= 40


def changed(backup, change):
    """A backup whose entries were replaced by `change(name, content)`; None removes one."""
    target = backup.with_name("changed")
    with tarfile.open(backup) as old, tarfile.open(target, "w") as new:
        for member in old.getmembers():
            content = change(member.name, old.extractfile(member).read())
            if content is None:
                continue
            member.size = len(content)
            new.addfile(member, io.BytesIO(content))
    return target


def flipped(wanted):
    return lambda name, content: bytes([content[0] ^ 1]) + content[1:] if name.startswith(wanted) else content


@pytest.mark.parametrize("change, reason", [
    (flipped("eightbells.sqlite"), "eightbells.sqlite was changed"),
    (flipped("blobs/"), "was changed"),
    (flipped("manifest"), "manifest is damaged"),
    (lambda name, content: None if name == "manifest" else content, "cut off"),
    (lambda name, content: None if name.startswith("blobs/") else content, "is missing in it"),
    (lambda name, content: content.replace(b"format 1", b"format 2"), "format 2"),
    (lambda name, content: content.replace(b"format 1\nbytes ", b"format 1\nbytes 999999999"), "There is no room for"),
])
def test_a_changed_backup_is_refused_with_a_reason(album, tmp_path, change, reason):
    assert command("backup", tmp_path / "b", "--data", album).returncode == 0
    told = command("restore", changed(tmp_path / "b", change), "--data", tmp_path / "new")
    assert told.returncode == 1 and reason in told.stderr, told.stderr
    assert not (tmp_path / "new" / "eightbells.sqlite").exists()
    told = command("restore", tmp_path / "b", "--data", tmp_path / "new")
    assert told.returncode == 0, told.stderr


@pytest.mark.parametrize("statement, reason", [
    ("DROP TABLE migrations", "no records of Eightbells"),
    ("CREATE TRIGGER late AFTER INSERT ON blob_names BEGIN DELETE FROM blobs; END", "triggers or views"),
    ("CREATE VIEW late AS SELECT 1", "triggers or views"),
])
def test_a_database_that_no_hub_has_made_is_refused(album, tmp_path, statement, reason):
    assert command("backup", tmp_path / "b", "--data", album).returncode == 0
    database = tmp_path / "eightbells.sqlite"

    def foreign(name, content):
        if name == database.name:
            database.write_bytes(content)
            with contextlib.closing(sqlite3.connect(database)) as records:
                records.execute(statement)
                records.commit()
            return database.read_bytes()
        if name == "manifest":
            lines = [line for line in content.splitlines(keepends=True) if not line.startswith((b"eightb", b"end"))]
            found = database.read_bytes()
            lines.append(f"{database.name} {len(found)} {hashlib.sha256(found).hexdigest()}\n".encode())
            return b"".join([*lines, f"end {hashlib.sha256(b''.join(lines)).hexdigest()}\n".encode()])
        return content

    told = command("restore", changed(tmp_path / "b", foreign), "--data", tmp_path / "new")
    assert told.returncode == 1 and reason in told.stderr, told.stderr


def test_a_torn_backup_is_refused_wherever_it_ends(album, tmp_path):
    assert command("backup", tmp_path / "b", "--data", album).returncode == 0
    whole = (tmp_path / "b").read_bytes()
    end = whole.rindex(b"end ")
    for size in [0, 1, 511, 512, 1024, 5000, *range(10_000, end, end // 6), end, end + 60]:
        (tmp_path / "torn").write_bytes(whole[:size])
        told = command("restore", tmp_path / "torn", "--data", tmp_path / "new")
        assert told.returncode == 1 and "backup" in told.stderr, (size, told.stderr)
        assert not (tmp_path / "new" / "eightbells.sqlite").exists()


def test_names_that_lead_outside_are_refused(album, tmp_path):
    assert command("backup", tmp_path / "b", "--data", album).returncode == 0
    with tarfile.open(tmp_path / "b") as archive:
        members = [(member, archive.extractfile(member).read()) for member in archive.getmembers()]
    for name in ("../outside", "/tmp/outside", "blobs/../../outside", "lock", "blobs/ab/" + "0" * 64):
        with tarfile.open(tmp_path / "evil", "w") as new:
            for member, content in members[:1]:
                new.addfile(member, io.BytesIO(content))
            evil = tarfile.TarInfo(name)
            evil.size = 1
            new.addfile(evil, io.BytesIO(b"x"))
        told = command("restore", tmp_path / "evil", "--data", tmp_path / "new")
        assert told.returncode == 1 and "does not belong to it" in told.stderr, told.stderr
    assert list(tmp_path.glob("**/outside")) == []


@pytest.mark.parametrize("swelling", ["eightbells-backup", "eightbells.sqlite"])
def test_a_file_that_is_larger_than_the_backup_is_refused(tmp_path, swelling):
    content = b"format 1\nbytes 10\n"
    with tarfile.open(tmp_path / "b", "w", format=tarfile.PAX_FORMAT) as new:
        for name in ("eightbells-backup", "eightbells.sqlite"):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            member.pax_headers = {"GNU.sparse.realsize": str(1 << 29)} if name == swelling else {}
            new.addfile(member, io.BytesIO(content))
    told = command("restore", tmp_path / "b", "--data", tmp_path / "new")
    assert told.returncode == 1 and "larger than the backup" in told.stderr, told.stderr
    assert not (tmp_path / "new" / "restoring").exists()


def test_a_restore_wants_an_empty_folder_and_no_hub(hub_with_space, tmp_path):
    hub = hub_with_space
    assert command("backup", tmp_path / "b", "--data", hub.data).returncode == 0
    told = command("restore", tmp_path / "b", "--data", hub.data)
    assert told.returncode == 1 and "Another hub is running" in told.stderr
    hub.stop()
    told = command("restore", tmp_path / "b", "--data", hub.data)
    assert told.returncode == 1 and "new or empty" in told.stderr
    (tmp_path / "busy").mkdir()
    (tmp_path / "busy" / "letter").write_text("kept")
    told = command("restore", tmp_path / "b", "--data", tmp_path / "busy")
    assert told.returncode == 1 and "letter" in told.stderr
    assert (tmp_path / "busy" / "letter").read_text() == "kept"
    # The top of a disk.
    (tmp_path / "disk/lost+found").mkdir(parents=True)
    assert command("restore", tmp_path / "b", "--data", tmp_path / "disk").returncode == 0


def test_a_restore_does_not_replace_what_came_while_it_waited(hub_with_space, tmp_path):
    assert command("backup", tmp_path / "b", "--data", hub_with_space.data).returncode == 0
    new = tmp_path / "new"
    new.mkdir()
    with open(new / "eightbells.sqlite.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)
        restore = subprocess.Popen(
            [BINARY, "restore", tmp_path / "b", "--data", new], stderr=subprocess.PIPE, text=True,
            env=clean_environment())
        descriptors = pathlib.Path(f"/proc/{restore.pid}/fd")
        eventually(
            lambda: any(os.path.realpath(file) == lock.name for file in descriptors.iterdir()),
            what="the restore to wait for the lock")
        (new / "eightbells.sqlite").write_text("somebody's store")
    told = restore.communicate(timeout=20)[1]
    assert restore.returncode == 1 and "new or empty" in told, told
    assert (new / "eightbells.sqlite").read_text() == "somebody's store"


def test_damage_is_backed_up_as_it_is_and_told(album, tmp_path):
    damaged = large_file(album)
    flip(damaged)
    told = command("backup", tmp_path / "b", "--data", album)
    assert told.returncode == 1 and damaged.name in told.stdout
    told = command("restore", tmp_path / "b", "--data", tmp_path / "new")
    assert told.returncode == 0 and damaged.name in told.stdout, told.stderr
    assert command("store", "verify", "--data", tmp_path / "new").stdout.splitlines()[-1] == "5 of 6 verified"


@pytest.mark.parametrize("words, said", [
    (["store"], "verify, migrate and move are accepted.\nUsage: eightbells store verify --data DIR [--json]\n"),
    (["store", "verfy", "--data", "x"], "Did you mean verify?"),
    (["store", "verify"], "--data is missing"),
    (["backup", "--data", "x"], "FILE is missing.\nUsage: eightbells backup FILE"),
    (["restore", "a", "b", "--data", "x"], "Usage: eightbells restore FILE"),
])
def test_a_wrong_call_ends_with_2(words, said, tmp_path):
    told = command(*words, cwd=tmp_path)
    assert told.returncode == 2 and said in told.stderr
    assert list(tmp_path.iterdir()) == []


# A full disk

def test_on_a_full_disk_writes_answer_507_and_reads_go_on(make_hub, tmp_path):
    full = tmp_path / "full"
    data = tmp_path / "data"
    data.mkdir()
    hub = make_hub(env=preloaded(data, **{"while": full}))
    hub.configure()
    hub.turn(True, message="before")
    full.touch()
    for _ in range(3):
        status, answer = hub.post(STATE, hub.keykeeper_token, {"open": False, "message": "lost"})
        assert (status, answer["code"]) == (507, 50701), answer
        assert hub.state()["message"] == "before"
        assert hub.get(SETTINGS, token=hub.owner_token)[0] == 200
        assert hub.get("/api/v1/space/history")[0] == 200
    full.unlink()
    hub.turn(False, message="after")
    full.touch()
    hub.kill()
    full.unlink()
    hub.start()
    assert hub.state()["message"] == "after"
    assert command("store", "verify", "--data", hub.data).returncode == 0


def test_an_upload_on_a_full_disk_says_so(album, tmp_path):
    full = tmp_path / "full"
    full.touch()
    told = run(TRIAL, "upload", album, 70_000, 5, env=preloaded(album, **{"while": full}))
    assert told.returncode == 1 and "kept" not in told.stdout
    full.unlink()
    assert "kept" in trial("upload", album, 70_000, 5)
