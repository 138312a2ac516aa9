"""The example Docs/examples/words: four play on four phones, with nothing but a static page and the hub."""

import itertools
import json
import pathlib
import shutil
from collections import Counter

import pytest
from axe_playwright_python.sync_playwright import Axe

from hub import ROOT
from local_server import FolderServer
from page import PHONE, pages, wait_until
from parse_client import Parse
from pusher_app import PEERS, App

GAME = ROOT / "Docs/examples/words"
PARSE = ROOT / "Tests/Fixtures/peers/parse-js/node_modules/parse/dist/parse.min.js"
LISTS = {"en": "/usr/share/dict/american-english", "de": "/usr/share/dict/ngerman"}
AXE = {"runOnly": ["wcag2a", "wcag2aa"]}


@pytest.fixture
def game(hub_with_space, tmp_path):
    """The address of the page, set up as its README says."""
    app = App(hub_with_space, "Words")
    app.set(user_channels=True, client_classes=False)
    for name in ("Round", "Word", "Wort"):
        Parse(app.hub.port, app.told, master=True).ask(
            "POST", f"schemas/{name}", json.loads((GAME / f"{name}.json").read_text()))
    folder = tmp_path / "words"
    shutil.copytree(GAME, folder)
    shutil.copy(PARSE, folder / "parse.min.js")
    shutil.copy(PEERS / "dist/web/pusher-with-encryption.min.js", folder / "pusher.min.js")
    keys = {"hub": app.hub.url, "key": app.key, "applicationId": app.told["application_id"],
            "restKey": app.told["rest_key"]}
    (folder / "config.js").write_text(f"export const app = {json.dumps(keys)};\n")
    with FolderServer(folder) as server:
        yield app, f"{server.url}/"


@pytest.fixture
def sit(browser, game):
    """Sits somebody down at a table, in a browser of his own."""
    with pages(browser) as open_page:
        def sit(name, table="quay", **options):
            page = open_page(viewport=PHONE, **options)
            page.clock.install()
            page.goto(f"{game[1]}#table={table}")
            page.fill("[name=name]", name)
            page.click("[name=sit]")
            return page
        yield sit


def letters(page):
    page.locator(".tile").nth(8).wait_for()
    return "".join(page.locator(".tile").all_inner_texts()).lower()


def words(language, tiles):
    """The words of the hub's list that can be laid, the longest first."""
    have = Counter(tiles)
    lines = pathlib.Path(LISTS[language]).read_text(encoding="utf-8").splitlines()
    found = {line.lower() for line in lines if 3 <= len(line) <= 9 and not Counter(line.lower()) - have}
    return sorted(found, key=lambda word: (-len(word), word))


def lay(page, word):
    page.click(".row button >> nth=0")
    tiles = letters(page)
    free = list(range(len(tiles)))
    for letter in word:
        place = next(index for index in free if tiles[index] == letter)
        free.remove(place)
        page.locator(".tile").nth(place).click()


def take(page, word):
    lay(page, word)
    page.click(".row .primary")


def wait_points(page, name, points):
    wait_until(page, f"""[...document.querySelectorAll('.players li')].some((one) =>
      one.querySelector('strong').innerText === '{name}' && one.querySelector('b').innerText === '{points}')""")


def test_four_play_on_four_phones_and_all_see_each_word_as_it_is_taken(game, sit):
    names = ["Ada", "Ben", "Clara", "Dora"]
    phones = [sit(name, color_scheme=scheme) for name, scheme in zip(names, itertools.cycle(["light", "dark"]))]
    ada, ben, clara, dora = phones
    for phone in phones:
        phone.locator(".players li").nth(3).wait_for()
    fifth = sit("Emil")
    fifth.wait_for_selector(".problem:has-text('Four sit there already')")
    ada.click("text=English")
    ada.click("button:has-text('Start')")
    tiles = letters(ada)
    assert all(letters(phone) == tiles for phone in phones[1:])
    first, second, *_ = words("en", tiles)
    take(ada, first)
    for phone in phones:
        wait_points(phone, "Ada", len(first))
    take(ben, first)
    ben.wait_for_selector(f".said:has-text('“{first}” is taken already.')")
    odd = next("".join(some) for some in itertools.permutations(tiles, 3) if "".join(some) not in words("en", tiles))
    take(ben, odd)
    ben.wait_for_selector(f".said:has-text('“{odd}” is not in the list.')")
    take(ben, second)
    for phone in phones:
        wait_points(phone, "Ben", len(second))
        wait_points(phone, "Ada", len(first))
    lay(clara, second[:2])
    dora.wait_for_selector(".players li:has-text('Clara') small:has-text('lays 2')")
    for phone in (ada, ben):
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert phone.evaluate("document.documentElement.scrollHeight") <= PHONE["height"]
        found = Axe().run(phone, options=AXE).response["violations"]
        assert found == [], [(one["id"], one["nodes"][0]["html"]) for one in found]
    for phone in phones:
        phone.clock.fast_forward(61_000)
        phone.wait_for_selector(".won")
    assert len({phone.inner_text(".won") for phone in phones}) == 1
    dora.context.close()
    wait_until(ada, "document.querySelectorAll('.players li').length === 3")


def test_a_german_round_is_played_with_german_words(game, sit):
    jan, ole = [sit(name, "kai", locale="de-DE", color_scheme="dark") for name in ("Jan", "Ole")]
    for phone in (jan, ole):
        phone.locator(".players li").nth(1).wait_for()
    ole.click("button:has-text('Los')")
    tiles = letters(jan)
    german = next(word for word in words("de", tiles) if word not in words("en", tiles))
    take(jan, german)
    wait_points(ole, "Jan", len(german))
    # A stranger sees it, and takes none.
    stranger = Parse(game[0].hub.port, game[0].told)
    (word,) = stranger.find("Wort")
    assert word["word"] == german
    assert stranger.code("POST", "classes/Wort", {name: word[name] for name in ("word", "round", "player")}) == 101
    # Nobody takes it twice, whatever a page says: it is there once in the round, at the hub.
    master = Parse(game[0].hub.port, game[0].told, master=True)
    again = {name: word[name] for name in ("word", "round", "player")}
    assert master.code("POST", "classes/Wort", again) == 137
    assert master.code("POST", "classes/Wort", again | {"word": german.capitalize()}) == 142
