"""Records are moved from a folder to a PostgreSQL server and back, by the command: nothing is lost, also where it is
killed in between, and nobody takes a part for the whole."""

import contextlib
import json
import random
import sqlite3
import subprocess

import pytest

from hub import BINARY, clean_environment, command, eventually
from postgres import name_of
from trials import some

ROWS = 60_000


@pytest.fixture
def hub(postgres, make_hub):
    """A hub with records in its folder, that has ended."""
    hub = make_hub(start=False, demo=True)
    hub.server = None  # also where all other hubs' records are on a server
    hub.address = postgres.database(hub.data)
    hub.start()
    hub.demo = False
    hub.configure()
    hub.turn(open=True, message="Soup tonight")
    hub.stop()
    return hub


def move(source, target, *words):
    return command("store", "move", "--from", source, "--to", target, *words, seconds=120)


@contextlib.contextmanager
def opened(hub):
    """The database's file, which nobody else may have open while it is moved."""
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite")) as database, database:
        yield database


def rows(hub):
    with opened(hub) as database:
        tables = [name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
                  if not name.startswith("sqlite_") and name != "store_numbers"]  # a server has these in its own way
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


def fill(hub):
    """So many records that a move takes a while."""
    with opened(hub) as database:
        database.executemany("INSERT INTO audit (at, who, what) VALUES (?, 'Ada', ?)",
                             ((1.5 * number, f"did {number}") for number in range(ROWS)))


def test_there_and_back(hub, postgres):
    before = rows(hub)
    there = json.loads(move(hub.data, hub.address, "--json").stdout)
    assert there["rows"] == sum(before.values()) and there["damage"] == [] and there["blobs"] > 5
    assert there["kept"].endswith("/eightbells.sqlite.moved")
    assert not (hub.data / "eightbells.sqlite").exists() and (hub.data / "eightbells.sqlite.moved").exists()
    hub.start()
    assert hub.state()["message"] == "Soup tonight"
    # New rows are numbered on.
    hub.turn(open=False, message="Good night")
    assert hub.token("keykeeper", "another")
    assert command("store", "verify", "--data", hub.data).returncode == 0
    hub.stop()

    # As a hub leaves it that is killed with the file from before open.
    (hub.data / "eightbells.sqlite.lock").write_text("1\n")
    back = move(hub.address, hub.data)
    assert back.returncode == 0, back.stderr
    assert "The records are in the folder now" in back.stdout
    assert rows(hub)["tokens"] == before["tokens"] + 1
    assert not (hub.data / "store").exists()
    hub.start()
    assert "was copied" not in hub.log
    assert hub.state()["message"] == "Good night"
    hub.turn(open=True, message="Good morning")
    assert "store_move" not in rows(hub)
    assert command("store", "verify", "--data", hub.data).returncode == 0


def test_no_move_takes_the_records_from_under_a_hub_of_another_machine(hub, make_hub):
    assert move(hub.data, hub.address).returncode == 0
    other = make_hub("other", start=False, options=["--store", hub.address, "--blobs", hub.data / "blobs"])
    other.server = None
    other.start()
    told = move(hub.address, hub.data)
    assert told.returncode == 1 and "Hubs run on these records" in told.stderr, told.stderr
    assert not (hub.data / "store.moving").exists()
    assert other.state()["message"] == "Soup tonight"
    other.stop()
    back = move(hub.address, hub.data)
    assert back.returncode == 0, back.stderr


def test_no_setting_leads_back_to_where_the_records_were(hub):
    setting = hub.data / "eightbells.conf"
    setting.write_text("store = file\n")
    told = move(hub.data, hub.address)
    assert told.returncode == 1 and "the folder's own records" in told.stderr, told.stderr
    setting.write_text(f"store = {hub.address}\n")
    there = move(hub.data, hub.address)
    assert there.returncode == 0, there.stderr
    told = move(hub.address, hub.data)
    assert told.returncode == 1 and "Take it out first" in told.stderr, told.stderr
    assert not (hub.data / "store.moving").exists()
    setting.unlink()
    back = move(hub.address, hub.data)
    assert back.returncode == 0, back.stderr


def test_one_that_is_killed_goes_on(hub, postgres):
    fill(hub)
    wanted, chance = rows(hub), random.Random(22)
    for ends in ((hub.data, hub.address), (hub.address, hub.data)):
        kills = [_killed(hub, ends, chance.random()) for _ in range(some(20))]
        if "was begun" in kills[-1]:
            done = move(*ends)
            assert done.returncode == 0, done.stderr
    assert {name: count for name, count in rows(hub).items() if name != "store_move"} == wanted
    hub.start()
    assert hub.state()["message"] == "Soup tonight"


def _killed(hub, ends, seconds):
    """Kills a move after a while; what a start is told then."""
    going = subprocess.Popen([BINARY, "store", "move", "--from", ends[0], "--to", ends[1]], env=clean_environment(),
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        going.wait(seconds)
    except subprocess.TimeoutExpired:
        going.kill()
        going.wait()
    if not (hub.data / "store.moving").exists():
        return "it was done, or had not begun"
    # Nobody else uses the records meanwhile.
    for words in (["serve", "--listen", "127.0.0.1:0"], ["token", "list"]):
        told = command(*words, "--data", hub.data)
        assert told.returncode == 1 and "was begun: eightbells store move" in told.stderr, told.stderr
    return told.stderr


def test_one_that_was_begun_can_be_taken_back(hub, postgres):
    fill(hub)
    going = subprocess.Popen([BINARY, "store", "move", "--from", hub.data, "--to", hub.address],
                             env=clean_environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    eventually((hub.data / "store.moving").exists)
    going.kill()
    going.wait()
    looked = command("doctor", "--data", hub.data, "--json")
    found = {one["subject"]: one for one in json.loads(looked.stdout)}
    assert looked.returncode == 1 and "eightbells store move --from" in found["move"]["remedy"]
    elsewhere = move(hub.data, postgres.database("elsewhere"))
    assert elsewhere.returncode == 1 and "Another move was begun" in elsewhere.stderr
    told = move(hub.data, hub.address, "--cancel", "--json")
    assert told.returncode == 0 and json.loads(told.stdout) == {"taken_back": True, "database_left": False}
    assert postgres.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", hub.address) == "0"
    assert move(hub.data, hub.address, "--cancel").returncode == 1
    hub.start()
    assert hub.state()["message"] == "Soup tonight"


def test_one_whose_server_is_gone_can_be_taken_back(hub):
    gone = "postgres://ada@127.0.0.1:1/club"
    (hub.data / "store.moving").write_text(f"0123456789abcdef\nto\n{gone}\n")  # as one leaves it that was cut short
    told = move(hub.data, gone, "--cancel")
    assert told.returncode == 0 and "cannot be reached" in told.stdout, told.stderr
    hub.start()
    assert hub.state()["message"] == "Soup tonight"


def test_what_cannot_be_moved_is_told(hub, postgres, tmp_path):
    used = postgres.database("used")
    postgres.ask("CREATE TABLE theirs (id BIGINT)", used)
    told = move(hub.data, used)
    assert told.returncode == 1 and "name a database that is empty" in told.stderr
    told = move(hub.data, "postgres://ada@127.0.0.1:1/club")
    assert told.returncode == 1 and "Cannot reach the database server" in told.stderr
    told = move(hub.data, used, "--cancel")
    assert told.returncode == 1 and "No move was begun" in told.stderr
    assert postgres.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", used) == "1"
    told = move(hub.address, hub.data)
    assert told.returncode == 1 and "in the folder itself" in told.stderr
    told = move(hub.data, "postgres://ada:secret@127.0.0.1/club")
    assert told.returncode == 2 and "passfile" in told.stderr and "secret" not in told.stderr
    for ends in ((hub.data, tmp_path), (used, used)):
        told = move(*ends)
        assert told.returncode == 2 and "--from and --to" in told.stderr
    hub.start()
    told = move(hub.data, hub.address)
    assert told.returncode == 1 and "Another hub is running" in told.stderr


def test_records_come_into_no_database_that_is_not_in_utf8(hub, postgres, tmp_path):
    postgres.ask("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
    latin = hub.address.replace(name_of(hub.address), "latin")
    begun = command("serve", "--data", tmp_path / "new", "--listen", "127.0.0.1:0", "--store", latin)
    for told in (begun, move(hub.data, latin)):
        assert told.returncode == 1 and "createdb --encoding=UTF8" in told.stderr, told.stderr
    assert postgres.ask("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", latin) == "0"
    assert not (hub.data / "store.moving").exists()


def test_a_file_that_another_program_has_open_stays(hub):
    with opened(hub) as database:
        assert database.execute("SELECT count(*) FROM audit").fetchone()
        told = move(hub.data, hub.address)
        assert told.returncode == 1 and "Another program has the database open" in told.stderr
    assert move(hub.data, hub.address).returncode == 0
    hub.start()
    assert hub.state()["message"] == "Soup tonight"


def test_a_text_that_the_server_cannot_keep_is_told_before_anything_changes(hub):
    with opened(hub) as database:
        database.execute("INSERT INTO audit (at, who, what) VALUES (1, ?, 'did')", ("A\0da",))
    told = move(hub.data, hub.address)
    assert told.returncode == 1 and "zero byte" in told.stderr and "audit" in told.stderr
    assert move(hub.data, hub.address, "--cancel").returncode == 0
    hub.start()
    assert hub.state()["message"] == "Soup tonight"
