"""The contact sheet has a picture of every page, of this run: what was not taken is named. `bin/trial contact-sheet`
takes them all; that its list is that of the hub's routes is tested by EightbellsTests/PagesTests.swift."""

import importlib.util
import pathlib

import pytest
from PIL import Image

from every_page import PAGES

FILE = pathlib.Path(__file__).with_name("contact_sheet.py")


class Page:
    """Stands for a tab: its screenshot is one colour."""

    def screenshot(self, path):
        Image.new("RGB", (39, 84), "#123").save(path)


@pytest.fixture
def contact_sheet(tmp_path, monkeypatch):
    spec = importlib.util.spec_from_file_location("contact_sheet", FILE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "OUT", tmp_path)
    return module


def taking(all_but=()):
    """In the place of the browser's part: a picture of each page, but for some in one look."""
    def take(browser, every, size, scheme, locale, routes, act, scale=1):
        for route in routes:
            if route not in all_but or (scheme, locale) != ("dark", "de-DE"):
                act(route, Page())
    return take


def test_every_page_has_its_pictures(contact_sheet, tmp_path, monkeypatch):
    monkeypatch.setattr(contact_sheet, "take", taking())
    contact_sheet.compose(None, None, list(PAGES))
    names = [contact_sheet.name_of(route) for route in PAGES]
    assert len(set(names)) == len(names), "one picture for two pages"
    assert len(list((tmp_path / "phone").iterdir())) == 4 * len(PAGES)
    shown = (tmp_path / "index.html").read_text()
    assert all(f"phone/{name}-de-dark.png" in shown and f"desktop/{name}-en-light.png" in shown for name in names)
    with Image.open(tmp_path / "phone.png") as whole:
        assert whole.width > 2000


def test_a_page_without_a_picture_fails(contact_sheet, tmp_path, monkeypatch):
    monkeypatch.setattr(contact_sheet, "take", taking(all_but=["/anchor"]))
    with pytest.raises(SystemExit, match="without a picture: /anchor$"):
        contact_sheet.compose(None, None, ["/me", "/anchor"])
    assert not (tmp_path / "index.html").exists()


def test_a_route_that_shows_the_same_shows_what_has_a_picture(contact_sheet, monkeypatch):
    monkeypatch.setitem(contact_sheet.ROUTES, "/new", {"same": "/nowhere"})
    assert contact_sheet.without_picture([]) == ["/new"]
