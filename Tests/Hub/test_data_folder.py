"""Only the hub's user can read the data folder, whatever the umask and the earlier permissions are."""

import json
import os
import pathlib
import stat
import subprocess

import pytest

from hub import BINARY, clean_environment, command
from png import png
from upgrade import VERSIONS, unpack

NOBODY = 65534


def open_to_others(folder):
    """Entries that others on the machine may read, with their modes."""
    paths = [folder, *pathlib.Path(folder).rglob("*")]
    return {str(path.relative_to(folder)): oct(stat.S_IMODE(path.lstat().st_mode)) for path in paths
            if stat.S_IMODE(path.lstat().st_mode) & 0o077}


@pytest.fixture
def careless():
    """A umask that removes no permissions."""
    before = os.umask(0)
    yield
    os.umask(before)


def test_nobody_else_reads_what_a_hub_makes(careless, make_hub):
    hub = make_hub()
    hub.configure()
    picture = b"<svg xmlns='http://www.w3.org/2000/svg'>" + b" " * 300_000 + b"</svg>"
    assert hub.request(
        "PUT", "/api/v1/space/pictures/logo", {"Authorization": f"Bearer {hub.owner_token}"}, picture).status == 200
    found = open_to_others(hub.data)
    print("open to others:", found)
    assert found == {}
    assert command("backup", "--data", hub.data, hub.data.parent / "backup.tar").returncode == 0
    hub.stop()
    assert open_to_others(hub.data) == {}
    backup, = hub.data.parent.glob("backup.tar*")
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600
    restored = hub.data.parent / "restored"
    assert command("restore", "--data", restored, backup).returncode == 0
    assert open_to_others(restored) == {}


def test_a_start_closes_what_was_open_and_touches_nothing_else(careless, make_hub):
    hub = make_hub()
    hub.stop()
    for path in [hub.data, *hub.data.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    elsewhere = hub.data.parent / "elsewhere"
    elsewhere.write_text("not the hub's")
    (hub.data / "eightbells.linked").symlink_to(elsewhere)
    elsewhere.chmod(0o644)
    hub.start()
    assert {name: mode for name, mode in open_to_others(hub.data).items() if name != "eightbells.linked"} == {}
    assert stat.S_IMODE(elsewhere.stat().st_mode) == 0o644


def test_a_folder_that_holds_other_things_stays_open_and_its_database_does_not(careless, make_hub):
    hub = make_hub()
    hub.stop()
    (hub.data / "club.ics").write_text("BEGIN:VCALENDAR")
    for path in (hub.data, hub.data / "club.ics", hub.data / "eightbells.sqlite"):
        path.chmod(0o755)
    hub.start()
    assert set(open_to_others(hub.data)) == {".", "club.ics"}
    assert "others on this machine can look into the data folder" in hub.log


def test_commands_beside_the_hub_leave_nothing_open_either(careless, make_hub):
    hub = make_hub()
    assert hub.owner_token and hub.setup_link()
    hub.stop()
    assert hub.token("member")
    assert open_to_others(hub.data) == {}


def owners(folder):
    return {path.lstat().st_uid for path in folder.rglob("*")}


def give_away(folder):
    for path in [folder, *folder.rglob("*")]:
        os.chown(path, NOBODY, NOBODY)


@pytest.mark.file
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_what_root_does_beside_a_hub_belongs_to_the_hubs_user(make_hub, tmp_path):
    hub = make_hub()
    hub.stop()
    picture, backup, old, restored = (tmp_path / name for name in ("door.png", "root.tar", "old", "restored"))
    picture.write_bytes(png(300, 300))  # larger than what stands in the database
    picture.chmod(0o600)
    send = "push", "send", "--data", hub.data, "--to", "topic:space", "--title", "Ding", "--attach", picture
    # A hub that runs as root in somebody's folder.
    os.chown(hub.data, NOBODY, NOBODY)
    assert command(*send).returncode == 0
    assert owners(hub.data / "blobs") == {0}
    give_away(hub.data)
    picture.write_bytes(png(300, 300, seed=2))
    sent = command(*send)
    assert sent.returncode == 0, sent.stderr
    assert owners(hub.data) == {NOBODY}
    assert command("backup", backup, "--data", hub.data).returncode == 0
    assert backup.stat().st_uid == 0 and owners(hub.data) == {NOBODY}
    # As in /tmp, where root's earlier folder is in the way of another user.
    shared = tmp_path / "shared"
    (shared / "out").mkdir(parents=True)
    shared.chmod(0o1777)
    app = json.loads(command("app", "create", "--name", "Boats", "--data", hub.data, "--json").stdout)
    exported = command("app", "export", app["app_id"], "--to", shared / "out", "--data", hub.data)
    assert exported.returncode == 0, exported.stderr
    assert (shared / "out" / "app.ndjson").exists() and owners(shared) == {0} and owners(hub.data) == {NOBODY}
    restored.mkdir(mode=0o700)
    give_away(restored)
    assert command("restore", backup, "--data", restored).returncode == 0
    assert owners(restored) == {NOBODY}
    unpack(VERSIONS[0], old)
    give_away(old)
    listed = command("token", "list", "--data", old)
    assert listed.returncode == 0, listed.stderr
    assert (old / "backups").exists() and owners(old) == {NOBODY}


@pytest.mark.file
@pytest.mark.parametrize("words, part", [
    # A mount that takes no writes, and a disk that failed while it was mounted: there only the file itself says so.
    (["doctor"], "."), (["doctor"], "lock"), (["token", "list"], "."), (["token", "list"], "eightbells.sqlite.lock"),
])
def test_a_disk_that_has_become_read_only_is_told_with_a_way_to_save_what_is_on_it(make_hub, words, part):
    hub = make_hub()
    hub.stop()
    script = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"'
    done = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, hub.data / part, BINARY, *words,
         "--data", hub.data], capture_output=True, text=True, env=clean_environment(), timeout=60, check=False)
    if "unshare: " in done.stderr or "mount: " in done.stderr:
        pytest.skip(f"nothing can be mounted here: {done.stderr.strip()}")
    assert done.returncode == 1 and "Read-only file system" in done.stdout + done.stderr, done
    assert "`cp -a" in done.stdout + done.stderr, done
    if words == ["doctor"]:
        assert "✗ problem  data folder" in done.stdout
        assert part == "." or "✗ problem  database" not in done.stdout, "it can be read"
