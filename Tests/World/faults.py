"""Programs that are killed, or run out of disk space, at a chosen call, by faults.c."""

import atexit
import concurrent.futures
import contextlib
import functools
import os
import pathlib
import random
import shutil
import sqlite3
import subprocess
import tempfile

from hub import BINARY, clean_environment
from trials import IS_WHOLE

TRIAL = BINARY.with_name("storetrial")
HERE = pathlib.Path(__file__).resolve().parent
SECONDS = 20

# The entries of a clean data folder.
TIDY = {"blobs", "lock"} | {f"eightbells.sqlite{end}" for end in ("", "-wal", "-shm", ".lock")}


def older(hub):
    """Stops a hub, and makes its data folder that of a version without blobs."""
    assert hub.stop() == 0
    with contextlib.closing(sqlite3.connect(hub.data / "eightbells.sqlite")) as database:
        for table in ("store_numbers", "blob_bucket", "blob_objects", "blob_parts", "blob_names", "blob_removals",
                      "blob_totals", "blobs"):
            database.execute(f"DROP TABLE {table}")
        database.execute("DELETE FROM migrations WHERE room = 'store'")
        database.commit()
    return hub


def library(source=HERE / "faults.c"):
    """Compiles a library to be preloaded, once for all tests."""
    return compiled(source, ".so", "-shared", "-fPIC", "-ldl")


@functools.cache
def compiled(source, ending="", *options):
    """Compiles a file of C, once for all tests."""
    folder = tempfile.mkdtemp(prefix="eightbells-c-")
    atexit.register(shutil.rmtree, folder)
    made = pathlib.Path(folder) / f"{source.stem}{ending}"
    compiler = next(filter(shutil.which, ("cc", "clang", "gcc")))
    subprocess.run([compiler, "-O1", "-Wall", "-Wextra", "-Werror", "-o", made, source, *options], check=True)
    return made


def preloaded(folder, **faults):
    """The environment of a program whose calls on this folder are watched. The hub refuses unknown variables with
    EIGHTBELLS_, so these have another prefix."""
    named = {f"FAULTS_{name.upper()}": str(value) for name, value in faults.items()}
    return {"LD_PRELOAD": str(library()), "FAULTS_FOLDER": os.path.realpath(folder), **named}


def run(program, *words, env=None, seconds=SECONDS):
    return subprocess.run(
        [program, *map(str, words)], capture_output=True, text=True, timeout=seconds, check=False,
        env=clean_environment(**(env or {})))


def trial(*words, env=None):
    """Runs storetrial, which has to succeed; returns its output."""
    told = run(TRIAL, *words, env=env)
    assert told.returncode == 0, f"storetrial {words}: {told.returncode}\n{told.stdout}{told.stderr}"
    return told.stdout


def count_calls(program, *words, folder):
    """The number of calls of a run at which it could be killed."""
    with tempfile.NamedTemporaryFile() as report:
        told = run(program, *words, env=preloaded(folder, report=report.name))
        assert told.returncode == 0, told.stderr
        return int(pathlib.Path(report.name).read_text())


def at_every_call(calls, attempt):
    """Runs attempt(number, kind) for every call, or for every tenth and some ten at most, and every kind of fault;
    reports all failures together."""
    failures = []
    step = 1 if IS_WHOLE else max(10, calls // 10)
    first = random.randrange(step) + 1

    def one(case):
        try:
            attempt(*case)
        except AssertionError as error:
            failures.append(f"{case[1]} at call {case[0]} of {calls}: {error}")

    cases = [(number, kind) for number in range(first, calls + 1, step) for kind in ("kill", "half", "full")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        list(pool.map(one, cases))
    assert failures == [], "\n".join(failures[:5])
    return len(cases)


def large_files(data):
    """Every large blob's file with its bytes and times, which nothing may change."""
    return {path.name: (path.read_bytes(), path.stat().st_mtime_ns)
            for path in pathlib.Path(data).glob("blobs/??/*")}


def leftovers(data):
    """The entries of a data folder that should not be there."""
    names = {path.name for path in pathlib.Path(data).iterdir()} - TIDY
    return sorted(names) + sorted(path.name for path in pathlib.Path(data).glob("blobs/incoming/*"))
