"""Links made by the command beside the hub that give an owner another role."""

import pytest

from hub import SESSION, command
from people import AUDIT, LINKS, PEOPLE, TOKENS


@pytest.fixture
def owner(hub):
    return hub.sign_in("owner", "Olga")


def test_a_link_that_ends_an_owners_role_ends_what_they_made(hub, owner):
    ada = hub.sign_in("owner", "Ada")
    token = hub.post(TOKENS, ada, {"name": "script", "role": "owner"})[1]["token"]
    code = hub.post(LINKS, ada, {"role": "owner", "name": "Eve"})[1]["code"]
    link = hub.link("member", "Ada")[0]
    assert hub.get(PEOPLE, token=token)[0] == 200, "nothing changes before it is used"
    status, answer = hub.post(SESSION, json={"link": link})
    assert status == 200 and answer["person"]["role"] == "member"
    assert hub.get(PEOPLE, ada)[0] == 403
    assert hub.post(TOKENS, token, {"name": "another", "role": "owner"})[0] == 401
    assert hub.post(SESSION, json={"code": code})[0] == 404
    told = [(entry["who"], entry["what"], entry["about"]) for entry in hub.get(AUDIT, owner)[1]["entries"]]
    assert ("command line", "role.changed", "Ada: owner, member") in told


def test_no_link_ends_the_last_owners_role(hub, owner):
    told = command("link", "--data", hub.data, "--role", "member", "--name", "Olga")
    assert told.returncode == 1 and "Olga is the last owner" in told.stderr and told.stdout == ""
    ada = hub.sign_in("owner", "Ada")
    link = hub.link("member", "Olga")[0]
    who = next(one["id"] for one in hub.get(PEOPLE, owner)[1] if one["name"] == "Ada")
    assert hub.delete(f"{PEOPLE}/{who}", owner)[0] == 204
    status, answer = hub.post(SESSION, json={"link": link})
    assert (status, answer["code"]) == (409, 40920) and "Olga" in answer["error"]
    assert hub.get(PEOPLE, owner)[0] == 200 and hub.get(PEOPLE, ada)[0] == 401
    assert hub.post(f"{LINKS}/look", json={"link": link})[0] == 200, "the refusal does not use it up"
