"""Fixtures of all Python tests. A test's failure shows the log of the hubs it used."""

import collections
import contextlib
import fcntl
import os
import pathlib
import shutil
import sqlite3
import sys
import zlib

import pytest

# Tests/World is a folder of the Swift package: Python must not write its caches there.
sys.dont_write_bytecode = sys.pycache_prefix is None

from agent import AGENT, SECRET
from calendar_server import CalendarServer
from gateway import Gateway
from hub import BINARY, RECORDS, Hub, eventually, forget_itself, tables_on
from nats import NATS
from page import WHOLE_CHROMIUM, launch
from postgres import Postgres

HUBS = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption(
        "--on-server", type=int, metavar="N", help="one of N tests; their hubs have the records on a PostgreSQL server")
    parser.addoption(
        "--on-two-hubs", action="store_true", help="with --on-server: two hubs, which get requests in turn")


def pytest_configure(config):
    Hub.gets_tables = True
    if not BINARY.exists():
        raise pytest.UsageError(f"{BINARY} is not there: bin/build makes it, or EIGHTBELLS_BINARY names another.")


def pytest_collection_modifyitems(config, items):
    spread(items)
    share = config.getoption("--on-server")
    if not share:
        return
    # On a server there is no file for the tests that look into it, and two hubs are not one.
    others = ["file", "one_hub"] if config.getoption("--on-two-hubs") else ["file"]
    kept = [item for item in items
            if zlib.crc32(item.nodeid.encode()) % share == 0 and not any(map(item.get_closest_marker, others))]
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = kept


def spread(items):
    """Puts the files of pages evenly among the others. A browser needs more than a core, and the others wait for half
    of their time: three at a time are too many of the first, and too few of the others. Files that may take long come
    first, by the limits of their tests: one at the end would go on while nothing else does."""
    files, groups, place = collections.defaultdict(list), {True: [], False: []}, {}
    for item in items:
        files[item.path].append(item)
    for path in sorted(files, key=lambda path: -sum(map(limit, files[path]))):
        groups["Browser" in path.parts] += files[path]
    for group in groups.values():
        for number, item in enumerate(group):
            place.setdefault(item.path, number / len(group))
    items.sort(key=lambda item: place[item.path])


def limit(item):
    """The seconds after which a test is ended."""
    mark = item.get_closest_marker("timeout")
    return mark.args[0] if mark else float(item.config.getini("timeout"))


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A PostgreSQL server."""
    server = Postgres(tmp_path_factory.mktemp("postgres"))
    yield server
    server.stop()


@pytest.fixture
def store(postgres, tmp_path):
    """The address of a database of the test's own on that server."""
    return postgres.database(tmp_path)


@pytest.fixture(scope="session", autouse=True)
def records_on_server(request):
    """With --on-server every hub has its records there."""
    if request.config.getoption("--on-server"):
        Hub.server = request.getfixturevalue("postgres")
    if request.config.getoption("--on-two-hubs"):
        Hub.bus = request.getfixturevalue("nats")


@pytest.fixture
def gateway():
    """A double of the hub's gateway, for one device."""
    if not AGENT.exists():
        raise pytest.UsageError(f"{AGENT} is not there: bin/build eightbells-agent makes it.")
    with Gateway(SECRET) as gateway:
        yield gateway


@pytest.fixture(scope="session")
def nats(tmp_path_factory):
    """A NATS server."""
    server = NATS(tmp_path_factory.mktemp("nats")).start()
    yield server
    server.stop()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    if report.failed:
        shared = [value for value in item.funcargs.values() if isinstance(value, Hub)]
        for hub in dict.fromkeys(item.stash.get(HUBS, []) + shared):
            report.sections.append((f"log of the hub at {hub.url}", hub.log[-8000:]))
    return report


@pytest.fixture(scope="session")
def hub_class():
    """The kind of hub that `make_hub` makes; Core's tests have another."""
    return Hub


@pytest.fixture
def make_hub(request, tmp_path, hub_class):
    """Makes running hubs, each with a data folder of its own."""
    hubs = request.node.stash.setdefault(HUBS, [])

    def make(name="data", start=True, **options):
        hub = hub_class(tmp_path / name, **options)
        hubs.append(hub)
        return hub.start() if start else hub

    yield make
    for hub in hubs:
        hub.kill()


@pytest.fixture
def make_two_hubs(make_hub, hub_class, postgres, nats, tmp_path):
    """Makes two hubs with the same records and blobs; only the first is set up, and the other knows."""

    def make(**options):
        (tmp_path / "blobs").mkdir()
        store = postgres.database(tmp_path, tables_on(postgres, hub_class))
        words = ["--store", store, "--blobs", tmp_path / "blobs", "--bus", nats.url]
        one, other = [make_hub(name, options=words, **options) for name in ("one", "other")]
        one.configure()
        other.owner_token, other.keykeeper_token = one.owner_token, one.keykeeper_token
        return one, other

    return make


@pytest.fixture
def hub(make_hub):
    """A hub with an empty data folder."""
    return make_hub()


@pytest.fixture
def hub_with_space(hub):
    """A hub with its space set up, without calendars."""
    hub.configure()
    return hub


@pytest.fixture(scope="module")
def shared_hub(tmp_path_factory, hub_class):
    """A hub with its space set up, for all tests of a file that do not mind each other: most of a test's time would
    be the start of its own."""
    hub = hub_class(tmp_path_factory.mktemp("shared") / "data").start()
    hub.configure()
    yield hub
    hub.kill()


@pytest.fixture(scope="session")
def demonstration(tmp_path_factory, hub_class):
    """The data folder of a demonstration with all of its pictures, which cost seconds of a core to make: the processes
    of a run share it, and all runs of bin/test."""
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    base = pathlib.Path(os.environ.get("TEST_REPORTS") or base)
    hub, made = hub_class(base / "demonstration", demo=True), base / "demonstration.made"
    with open(base / "demonstration.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            hub.start()
            with contextlib.closing(sqlite3.connect(hub.data / RECORDS)) as records:
                # The last that it does: its portfolio is sent to somebody.
                eventually(lambda: records.execute("SELECT count(*) FROM portfolio_sent_places").fetchone()[0], 60)
            hub.stop()
            forget_itself(hub.data)
            made.touch()
    return hub.data


@pytest.fixture
def demo_hub(request, make_hub):
    """A hub with its demonstration data."""
    hub = make_hub("demo", demo=True, start=False)
    if not Hub.server:
        shutil.copytree(request.getfixturevalue("demonstration"), hub.data)
    return hub.start()


@pytest.fixture(scope="module")
def shared_demo_hub(tmp_path_factory, hub_class, demonstration):
    """The same for all tests of a file that do not mind each other."""
    hub = hub_class(tmp_path_factory.mktemp("shared") / "demo", demo=True)
    shutil.copytree(demonstration, hub.data)
    yield hub.start()
    hub.kill()


@pytest.fixture
def calendar_server():
    """A web server with answers chosen by the test."""
    with CalendarServer() as server:
        yield server


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven over Playwright's synchronous interface."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def whole_browser(browser):
    """Chromium with what only the whole of it has: notifications."""
    browser = launch(browser.browser_type, program=WHOLE_CHROMIUM)
    yield browser
    browser.close()
