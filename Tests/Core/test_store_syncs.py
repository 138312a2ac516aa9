"""Data that must survive a power failure is synced before anything that builds on it. Killing a process cannot show
this, since its writes are safe in the kernel; so the order of the calls themselves is checked."""

import pytest

from faults import TRIAL, preloaded, run, trial
from hub import BINARY


@pytest.fixture
def album(tmp_path):
    data = tmp_path / "album"
    trial("fill", data, 3, 1)
    return data


def calls_of(tmp_path, folder, program, *words):
    """Every call that changes something below a folder: its name, and the path relative to it."""
    trace = tmp_path / "trace"
    told = run(program, *words, env=preloaded(folder, trace=trace))
    assert told.returncode == 0, told.stderr
    calls = []
    for line in trace.read_text().splitlines():
        name, path = line.split(" ", 1)
        calls.append((name, path[len(str(folder)):].removeprefix("/")))
    return calls


def last(calls, name, end, before=None):
    """The index of the last call with a path that ends so."""
    names = name.split("|")
    found = [number for number, call in enumerate(calls[:before]) if call[0] in names and call[1].endswith(end)]
    assert found, f"no {name} of …{end}"
    return found[-1]


WRITES, SYNCS = "write|pwrite|pwrite64", "fsync|fdatasync"


def test_a_blob_is_synced_with_its_folders_before_its_row_and_the_row_before_the_mark_goes(album, tmp_path):
    calls = calls_of(tmp_path, album, TRIAL, "upload", album, 70_000, 9)
    place = next(path for name, path in calls if name == "link")
    digest = place.rsplit("/", 1)[1]
    mark = next(path for name, path in calls if name == "rename" and digest in path)
    # Linked again within the transaction, in case removing an older blob has removed the file.
    link = calls.index(("link", place))
    row = last(calls, WRITES, "-wal", before=last(calls, "unlink", mark))
    order = [
        last(calls, WRITES, ".part"), last(calls, SYNCS, ".part"), last(calls, "rename", mark),
        last(calls, SYNCS, "blobs/incoming", before=link), link, last(calls, SYNCS, place.rsplit("/", 1)[0]), row,
        last(calls, SYNCS, "-wal", before=last(calls, "unlink", mark)), last(calls, "unlink", mark)]
    assert order == sorted(order), [calls[number] for number in order]
    # The folders themselves are new, except for the root.
    assert last(calls, SYNCS, "blobs") < row


def test_a_migrated_database_is_synced_before_it_takes_its_place_and_then_before_the_old_one_goes(album, tmp_path):
    calls = calls_of(tmp_path, album, TRIAL, "migrate", album)
    swap = last(calls, "rename", "eightbells.sqlite")
    kept, gone = last(calls, "link", ".old"), last(calls, "unlink", ".old")
    synced = [number for number, call in enumerate(calls) if call == ("fsync", "")]
    assert last(calls, WRITES, ".new") < last(calls, SYNCS, ".new") < swap
    assert kept < swap < gone
    assert any(kept < number < swap for number in synced), "the old file's second name is on the disk first"
    assert any(swap < number < gone for number in synced), "the new file's place is on the disk before the old one goes"
    assert not [call for call in calls if call[0] != "fsync" and call[1].startswith("blobs/")]


def test_a_backup_is_synced_before_it_gets_its_name(album, tmp_path):
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    calls = calls_of(tmp_path, folder, BINARY, "backup", folder / "b", "--data", album)
    order = [last(calls, WRITES, "b.part"), last(calls, SYNCS, "b.part"), last(calls, "rename", "b"), len(calls) - 1]
    assert order == sorted(order) and calls[-1] == ("fsync", ""), calls[-5:]


def test_a_restore_is_synced_before_the_database_takes_its_place(album, tmp_path):
    assert run(BINARY, "backup", tmp_path / "b", "--data", album).returncode == 0
    data = tmp_path / "new"
    calls = calls_of(tmp_path, data, BINARY, "restore", tmp_path / "b", "--data", data)
    done = max(number for number, call in enumerate(calls) if call == ("rename", "eightbells.sqlite"))
    # The lock's note of the file that was here before is emptied, and needs no sync.
    written = {path for name, path in calls if name in WRITES.split("|")} - {"eightbells.sqlite.lock"}
    assert len(written) == 4, "the database and three large blobs"
    for path in written:
        assert last(calls, WRITES, path) < last(calls, SYNCS, path) < done
    assert last(calls, "rename", "blobs") < max(
        number for number, call in enumerate(calls[:done]) if call == ("fsync", "")) < done
    assert ("fsync", "") in calls[done:]
