"""A PostgreSQL server for tests, of the distribution's package, with a database for each that asks."""

import contextlib
import hashlib
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess

from hub import eventually

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda one: int(one.parent.name), default=None)


def as_postgres(program, *words):
    """Runs one of PostgreSQL's programs, none of which wants to be root."""
    user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    done = subprocess.run([*user, PROGRAMS / program, *map(str, words)], stdin=subprocess.DEVNULL, cwd="/",
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120, check=False)
    assert done.returncode == 0, done.stderr.decode()


def answer_of(sql, address):
    done = subprocess.run(
        ["psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-d", address, "-c", sql], capture_output=True, text=True,
        check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def name_of(address):
    """The name of the database at an address."""
    return address.split("/")[3].partition("?")[0]


def over(line, address, host="127.0.0.1"):
    """The address of the same database behind a line (relay.py)."""
    return f"postgres://eightbells@{host}:{line.port}/{name_of(address)}?sslmode=disable&gssencmode=disable"


class Postgres:
    """A running server. It ends with the tests, however these end. Only one that `is_durable` waits for the disk."""

    def __init__(self, folder, is_durable=False):
        self._script = subprocess.Popen(
            [HERE / "postgres", folder, *(["durable"] if is_durable else [])], stdin=subprocess.PIPE)
        address = pathlib.Path(folder) / "address"
        eventually(address.exists, 30, "PostgreSQL's address")
        self._address = address.read_text().strip()
        self._made = set()
        # Where its socket and its files are.
        self.folder = pathlib.Path(self._address.partition("host=")[2])
        self.socket = self.folder / ".s.PGSQL.5432"

    def database(self, name, like=None):
        """The address of a database, which is made when it is asked for the first time; `like` is what it is a copy of,
        the address of another one."""
        made = f"hub_{hashlib.sha256(str(name).encode()).hexdigest()[:16]}"
        if made not in self._made:
            # Copied file by file: no log of its changes is written first.
            self.ask(f"CREATE DATABASE {made}" + (f" TEMPLATE {name_of(like)} STRATEGY FILE_COPY" if like else ""))
            self._made.add(made)
        return self._address.replace("NAME", made)

    def ask(self, sql, address=None):
        """The answer of psql, as text."""
        return answer_of(sql, address or self._address.replace("NAME", "postgres"))

    def put_out(self, address):
        """Ends all connections to a database, as a server does that goes down."""
        self.ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity "
                 f"WHERE datname = '{name_of(address)}'")

    def kill(self):
        """Kills all its processes, as when its machine dies; `restart` makes it go on."""
        first = int((self.folder / "data/postmaster.pid").read_text().split()[0])
        with open(f"/proc/{first}/task/{first}/children", encoding="ascii") as file:
            processes = [first, *map(int, file.read().split())]
        for process in processes:
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass
        # What is left of one that was killed is in the way of the next.
        eventually(lambda: not any(pathlib.Path(f"/proc/{one}").exists() for one in processes), 20, "it is gone")

    def restart(self):
        """Starts it again with its options, after a kill or from its midst, without saying goodbye."""
        as_postgres("pg_ctl", "-D", self.folder / "data", "-s", "-w", "-m", "immediate", "restart")

    def stop(self):
        self._script.stdin.close()
        self._script.wait(300)  # hundreds of databases are removed


@contextlib.contextmanager
def standing_still(postgres, address):
    """Somebody stops in the middle of a change, with the lock of all changes: between statements that were sent ahead,
    for whose answers the server was not asked (PostgreSQL's manual, "Frontend/Backend Protocol", Sync)."""
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rb") as answers:
        line.settimeout(20)
        line.connect(str(postgres.socket))

        def send(kind, body):
            line.sendall(kind + struct.pack("!i", len(body) + 4) + body)

        def wait_for(wanted):
            kind = None
            while kind != wanted:
                kind, size = struct.unpack("!ci", answers.read(5))
                text = answers.read(size - 4)
                assert kind != b"E", text

        send(b"", struct.pack("!i", 3 << 16) + f"user\0eightbells\0database\0{name_of(address)}\0\0".encode())
        wait_for(b"Z")
        for sql in (b"BEGIN", b"SELECT pg_advisory_xact_lock(8)"):
            # Parse, Bind, Execute.
            send(b"P", b"\0" + sql + bytes(3))
            send(b"B", bytes(8))
            send(b"E", bytes(5))
        send(b"H", b"")
        for _ in range(2):
            wait_for(b"C")
        yield


class Replica:
    """A replica of a server, which follows it over a port of this machine; `promote` makes it the server. Without a
    port it is what a snapshot of the server leads back to: the same one as of now, that goes on by itself."""

    def __init__(self, primary, folder, port=None):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(mode=0o711)
        self.socket = self.folder / ".s.PGSQL.5432"
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres")
        self._data = self.folder / "data"
        as_postgres("pg_basebackup", "-d", f"host={primary.folder} user=eightbells", "-D", self._data, "-c", "fast")
        if port:
            with open(self._data / "postgresql.auto.conf", "a", encoding="ascii") as file:
                file.write(f"primary_conninfo = 'host=127.0.0.1 port={port} user=eightbells sslmode=disable'\n")
            (self._data / "standby.signal").touch()
        as_postgres("pg_ctl", "-D", self._data, "-s", "-w", "-l", self._data / "log",
                    "-o", f"-c listen_addresses= -k {self.folder} -c max_connections=500 -c fsync=off", "start")

    def ask(self, sql, name):
        return answer_of(sql, f"host={self.folder} user=eightbells dbname={name}")

    def promote(self):
        as_postgres("pg_ctl", "-D", self._data, "-s", "-w", "promote")

    def stop(self):
        as_postgres("pg_ctl", "-D", self._data, "-s", "-m", "immediate", "stop")
