"""Hubs of two versions beside each other: the newer one adds to the tables that the older one uses, and takes nothing
away; the older one goes on, but does not start again.

Both are this program. What the tables are told has been done says which of them is the older one."""

import contextlib
import subprocess

import pytest

from hub import command, eventually
from live import listening
from several import holders, several

# Their records are on a server of their own.
pytestmark = pytest.mark.file


def forget(postgres, store, room, number, sql):
    """Takes back a step of the tables, so that the next hub to start is the newer one."""
    postgres.ask(f"BEGIN; {sql}; DELETE FROM migrations WHERE room = '{room}' AND number = {number}; COMMIT", store)


def work_together(one, other):
    # A hub that is not on the bus yet sends its listeners away at a change, to come again and ask.
    for hub in (one, other):
        eventually(lambda: hub.log.rfind("connected to NATS") > hub.log.rfind("the hub listens"), what="on the bus")
    with listening(one) as here, listening(other) as there:
        for hub in (one, other) * 2:
            hub.turn(hub is one)
            assert [listener.expect("state")["open"] for listener in (here, there)] == [hub is one] * 2


def test_a_newer_hub_adds_tables_while_an_older_one_runs(make_hub, store, postgres, nats, tmp_path):
    one, other = several(make_hub, store, nats, tmp_path, "--drain", "0")
    other.stop()
    forget(postgres, store, "bellstroubles", 1, "DROP TABLE bells_troubles")
    # And a column of a table that the older one uses all the time, whose statements are prepared.
    one.turn(True)
    postgres.ask("ALTER TABLE space_sign ADD COLUMN future INTEGER", store)
    other.start()
    assert postgres.ask("SELECT count(*) FROM bells_troubles", store) == "0"
    work_together(one, other)
    # One after the other: now the older one is replaced, and the work goes to whoever runs.
    one.stop()
    eventually(lambda: len(set(holders(postgres, store).values())) == 1, what="the newer one has all work")
    one.start()
    work_together(one, other)


def test_a_newer_hub_takes_no_tables_from_older_ones_that_run(make_hub, store, postgres, nats, tmp_path):
    one, other = several(make_hub, store, nats, tmp_path, "--drain", "0")
    other.stop()
    forget(postgres, store, "anchor", 6, "ALTER TABLE anchor_sources DROP COLUMN tells")
    forget(postgres, store, "anchor", 5, "ALTER TABLE anchor_events DROP COLUMN told_at")
    forget(postgres, store, "anchor", 4, "ALTER TABLE anchor_alarms DROP COLUMN acknowledged_beyond_m")
    forget(postgres, store, "anchor", 3, "CREATE TABLE anchor_drills (number BIGINT)")
    refused = command("serve", "--data", other.data, *other.options, "--listen", "127.0.0.1:0")
    assert refused.returncode == 1, refused
    assert "changes tables (anchor 3)" in refused.stderr and "stop all of them" in refused.stderr
    version = command("version").stdout.split()[1]
    assert f"({version})" in refused.stderr, "which hubs run, with their versions"
    migrated = command("store", "migrate", "--data", other.data)
    assert migrated.returncode == 1 and "changes tables (anchor 3)" in migrated.stderr
    one.turn(True)  # nothing has happened to it
    one.stop()
    other.start()
    assert postgres.ask("SELECT count(*) FROM migrations WHERE room = 'anchor'", store) == "6"
    one.start()
    work_together(one, other)


@contextlib.contextmanager
def reading(table, address):
    """Somebody who has read a table in a transaction that is not at its end, as a backup has."""
    with subprocess.Popen(["psql", "-qXAt", "-d", address], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as psql:
        psql.stdin.write(f"BEGIN; SELECT count(*) FROM {table};\n".encode())
        psql.stdin.flush()
        assert psql.stdout.readline().strip().isdigit()
        yield
        psql.stdin.close()


def test_a_newer_hub_holds_up_nobody_during_a_backup(make_hub, store, postgres, nats, tmp_path):
    one, other = several(make_hub, store, nats, tmp_path, "--drain", "0")
    other.stop()
    forget(postgres, store, "anchor", 6, "ALTER TABLE anchor_sources DROP COLUMN tells")
    forget(postgres, store, "anchor", 5, "ALTER TABLE anchor_events DROP COLUMN told_at")
    with reading("anchor_events", store):
        refused = command("serve", "--data", other.data, *other.options, "--listen", "127.0.0.1:0")
        assert refused.returncode == 1 and "Somebody reads the tables for long" in refused.stderr, refused
        tried = command("store", "migrate", "--check", "--data", other.data)
        assert tried.returncode == 1 and "Somebody reads the tables for long" in tried.stderr, tried
        one.turn(True)
    other.start()
    work_together(one, other)


def test_an_older_hub_goes_on_but_does_not_start_again(make_hub, store, postgres, nats, tmp_path):
    one, other = several(make_hub, store, nats, tmp_path, "--drain", "0")
    postgres.ask("INSERT INTO migrations (room, number, fingerprint, applied_at) VALUES ('space', 10, '', 0)", store)
    work_together(one, other)
    one.stop()
    refused = command("serve", "--data", one.data, *one.options, "--listen", "127.0.0.1:0")
    assert refused.returncode == 1 and "newer version of Eightbells" in refused.stderr
    other.turn(False)
