"""Fixtures of all tests in Python."""

import sys

import pytest

# Tests/World is a folder of the Swift package: nothing of ours may be left in it.
sys.dont_write_bytecode = sys.pycache_prefix is None

from page import launch
from victims import TOOL, VICTIM


def pytest_configure(config):
    for program in (TOOL, VICTIM):
        if not program.exists():
            raise pytest.UsageError(f"{program} is not there: Packages/MemoryGraph/bin/build victim makes it.")


@pytest.fixture(scope="session")
def browser():
    """Chromium, driven over Playwright's synchronous interface."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch(playwright.chromium)
        yield browser
        browser.close()
