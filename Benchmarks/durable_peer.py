"""Commits once for each write, as the hub turns its sign: python3 durable_peer.py FILE SECONDS

The same tables, statements and durability through Python's sqlite3, one write after the other, and nothing else: no
network, no tokens, no answers. Prints how many writes were committed in a second.
"""

import sqlite3
import sys
import time

TABLE = """
CREATE TABLE space_sign (id INTEGER PRIMARY KEY, set_at INTEGER NOT NULL, open INTEGER NOT NULL,
  last_change INTEGER NOT NULL, is_change INTEGER NOT NULL, message TEXT, until INTEGER, person TEXT, token INTEGER);
CREATE INDEX space_sign_set_at ON space_sign (set_at);
"""
LAST = "SELECT id, open, last_change, message, until, person FROM space_sign ORDER BY id DESC LIMIT 1"
TURN = """INSERT INTO space_sign (set_at, open, last_change, is_change, message, until, person, token)
  VALUES (?, ?, ?, 1, ?, NULL, NULL, 1) RETURNING id"""
PAST = "SELECT open, set_at, person FROM space_sign WHERE is_change = 1 ORDER BY id DESC LIMIT 10"


def main():
    database = sqlite3.connect(sys.argv[1], isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = FULL")
    database.executescript(TABLE)
    start = time.monotonic()
    until = start + float(sys.argv[2])
    number = 0
    while time.monotonic() < until:
        now = int(time.time())
        database.execute("BEGIN IMMEDIATE")
        database.execute(LAST).fetchone()
        database.execute(TURN, (now, number % 2, now, f"turn {number}")).fetchone()
        database.execute(PAST).fetchall()
        database.execute("COMMIT")
        number += 1
    print(number / (time.monotonic() - start))


if __name__ == "__main__":
    main()
