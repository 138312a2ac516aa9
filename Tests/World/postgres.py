"""A PostgreSQL server for tests, of the distribution's package, with a database for each that asks."""

import hashlib
import pathlib
import subprocess

from hub import eventually

HERE = pathlib.Path(__file__).resolve().parent


class Postgres:
    """A running server. It ends with the tests, however these end. Only one that `is_durable` waits for the disk."""

    def __init__(self, folder, is_durable=False):
        self._script = subprocess.Popen(
            [HERE / "postgres", folder, *(["durable"] if is_durable else [])], stdin=subprocess.PIPE)
        address = pathlib.Path(folder) / "address"
        eventually(address.exists, 30, "PostgreSQL's address")
        self._address = address.read_text().strip()
        self._made = set()

    def database(self, name):
        """The address of a database, which is made when it is asked for the first time."""
        made = f"hub_{hashlib.sha256(str(name).encode()).hexdigest()[:16]}"
        if made not in self._made:
            self.ask(f"CREATE DATABASE {made}")
            self._made.add(made)
        return self._address.replace("NAME", made)

    def ask(self, sql, address=None):
        """The answer of psql, as text."""
        done = subprocess.run(
            ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-d", address or self._address.replace("NAME", "postgres"),
             "-c", sql], capture_output=True, text=True, check=False, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()

    def put_out(self, address):
        """Ends all connections to a database, as a server does that goes down."""
        name = address.split("/")[3].partition("?")[0]
        self.ask(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'")

    def stop(self):
        self._script.stdin.close()
        self._script.wait(300)  # hundreds of databases are removed
