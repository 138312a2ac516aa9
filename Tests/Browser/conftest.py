"""Fixtures of all tests of pages."""

import pytest
from page import pages
from visits import visits


@pytest.fixture
def open_page(browser):
    """open_page(context=…, viewport=…, …), which `page.pages` describes."""
    with pages(browser) as open_page:
        yield open_page


@pytest.fixture
def visit(browser, make_hub):
    """visit(hub, path, …), which `visits.visits` describes. Hubs go after their pages."""
    with visits(browser) as visit:
        yield visit
