"""Fixtures of all tests of pages."""

import pytest
from firefox import Firefox
from page import launch, pages
from visits import visits


@pytest.fixture
def open_page(browser):
    """open_page(context=…, viewport=…, …), which `page.pages` describes."""
    with pages(browser) as open_page:
        yield open_page


@pytest.fixture(scope="module")
def camera(browser):
    """Chromium with a made-up camera and microphone, which pages may use."""
    made = launch(browser.browser_type, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
    yield made
    made.close()


@pytest.fixture(scope="module")
def firefox(tmp_path_factory):
    """A Firefox of all the module's tests."""
    with Firefox(tmp_path_factory.mktemp("firefox") / "profile") as browser:
        yield browser


@pytest.fixture
def visit(browser, make_hub):
    """visit(hub, path, …), which `visits.visits` describes. Hubs go after their pages."""
    with visits(browser) as visit:
        yield visit
