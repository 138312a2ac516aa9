"""The chart's tiles by the hub: asked for once, with our name, kept within a bound, and there without a network."""

import pytest
from calendar_server import CalendarServer

TILE = b"\x89PNG\r\n\x1a\n" + bytes(2000)
PATH = "/api/v1/anchor/tiles"


@pytest.fixture
def tiles():
    with CalendarServer() as server:
        server.serve("/map/17/69211/42110.png", TILE, content_type="image/png")
        yield server


@pytest.fixture
def hub(make_hub, tiles):
    return make_hub(env={"EIGHTBELLS_ANCHOR_TILES": f"{tiles.url}/map,{tiles.url}/sea"})


def get(hub, path, fields=None):
    return hub.request("GET", f"{PATH}/{path}", fields or {})


def asked(tiles):
    return [one.path for one in tiles.requests]


# Each hub keeps tiles in its own data folder.
@pytest.mark.one_hub
def test_a_tile_is_fetched_once_with_our_name_and_only_when_somebody_asks(hub, tiles):
    ada = hub.sign_in("member", "Ada")
    assert asked(tiles) == []
    first = get(hub, "map/17/69211/42110", ada)
    assert first.status == 200 and first.body == TILE and first.headers["Content-Type"] == "image/png"
    assert get(hub, "map/17/69211/42110", ada).body == TILE
    assert asked(tiles) == ["/map/17/69211/42110.png"], "no tile twice, and none ahead"
    assert tiles.requests[0].headers["user-agent"].startswith("Eightbells/")
    # A sea without marks is no failure, and not asked for again.
    for _ in range(2):
        assert get(hub, "sea/17/69211/42110", ada).status == 200
    assert asked(tiles)[1:] == ["/sea/17/69211/42110.png"]


# Each hub keeps tiles in its own data folder.
@pytest.mark.one_hub
def test_without_a_network_a_tile_that_was_seen_is_still_there(hub, tiles):
    ada = hub.sign_in("member", "Ada")
    get(hub, "map/17/69211/42110", ada)
    tiles.pages.clear()
    hub.stop()
    hub.start()
    assert get(hub, "map/17/69211/42110", ada).body == TILE
    gone = get(hub, "map/17/69211/42111", ada)
    assert gone.status == 503 and gone.json["code"] == 50359


def test_strangers_and_odd_addresses_get_no_tile(hub, tiles):
    ada = hub.sign_in("member", "Ada")
    assert get(hub, "map/17/69211/42110").status == 401
    for odd in ("land/1/0/0", "map/20/0/0", "map/1/2/0", "map/1/0/-1", "map/a/0/0", "sea/19/0/0", "map/1/0/..%2f"):
        refused = get(hub, odd, ada)
        assert refused.status == 404, odd
    assert asked(tiles) == []
