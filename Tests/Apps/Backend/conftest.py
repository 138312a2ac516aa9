"""An app of each test's own, which knows nothing of others: the tests of a file share a hub."""

import pytest

from parse_app import ParseApp


@pytest.fixture(scope="module")
def hub(shared_hub):
    return shared_hub


@pytest.fixture
def app(hub):
    return ParseApp(hub)


@pytest.fixture
def master(app):
    return app.client(master=True)


@pytest.fixture
def client(app):
    """Whoever has the key that stands in every page."""
    return app.client()
