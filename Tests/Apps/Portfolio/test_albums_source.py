"""The albums of a hub as a portfolio's source."""

from hub import eventually
from planted import live_photo
from portfolio import PORTFOLIOS, add, galleries, numbers, photo, run, sync
from uploads import Guest, join


def test_a_member_has_the_albums_they_are_in_and_what_is_taken_back_goes(hub, tmp_path):
    ada = hub.sign_in("member", "Ada")
    for name in ("Party", "Other"):
        who = ada if name == "Party" else hub.sign_in("member", "Ben")
        status, album = hub.post("/api/v1/albums", token=who, json={"name": name, "mode": "open"})
        assert status == 201, album
        guest = Guest(hub, album, join(hub, album, "Cleo"))
        sent = [guest.send(photo(tmp_path / "a.jpg", number).read_bytes()) for number in range(3)]
        made = lambda guest=guest: [one for one in guest.pictures() if "1600" in one["sizes"]]  # noqa: E731
        eventually(lambda: len(made()) == 3, 60)
        if name == "Party":
            party, first, sent_to_party = guest, sent[0], sent
    status, told = hub.post(PORTFOLIOS, token=ada, json={"source": "albums:"})
    assert status == 201 and told["name"] == "Albums", told
    portfolio = add(hub.data, "albums:", "--for", "Ada")
    assert numbers(sync(hub.data, portfolio)) == {"photos": 3, "new": 3, "changed": 0, "gone": 0}
    found = galleries(hub, portfolio, ada)
    assert list(found) == ["Party"] and all(one["private"] for one in found["Party"])

    # A live photo is one picture, as in the album.
    still, clip, _ = live_photo(tmp_path)
    sent_to_party += [party.send(one.read_bytes()) for one in (still, clip)]
    eventually(lambda: all(one.get("pair") and one["sizes"].get("1600") for one in party.pictures()[3:])
               and "video" in party.pictures()[4], 60)
    assert numbers(sync(hub.data, portfolio)) == {"photos": 4, "new": 1, "changed": 0, "gone": 0}
    assert party.ask("DELETE", f"{party.path}/pictures/{sent_to_party.pop()}").status == 204
    assert numbers(sync(hub.data, portfolio)) == {"photos": 3, "new": 0, "changed": 0, "gone": 1}
    sent_to_party.pop()  # both halves go

    assert party.ask("DELETE", f"{party.path}/pictures/{first}").status == 204
    assert numbers(sync(hub.data, portfolio)) == {"photos": 2, "new": 0, "changed": 0, "gone": 1}
    # All of it, too: the hub knows for certain what there is.
    for picture in sent_to_party[1:]:
        assert party.ask("DELETE", f"{party.path}/pictures/{picture}").status == 204
    assert numbers(sync(hub.data, portfolio)) == {"photos": 0, "new": 0, "changed": 0, "gone": 2}
    assert run(hub.data, "add", "--source", "albums:x", "--for", "Ada").returncode == 1
