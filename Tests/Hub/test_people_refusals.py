"""Wrong requests about people."""

import pytest

from hub import SESSION
from people import DEVICES, LINKS, LOOK, PEOPLE, TOKENS


@pytest.fixture(scope="module")
def owner(shared_hub):
    return shared_hub.sign_in("owner", "Olga")


@pytest.mark.parametrize("path, method, body, said", [
    (LINKS, "post", {}, "for, role and person"), (LINKS, "post", {"for": "me", "role": "member"}, "beside"),
    (LINKS, "post", {"for": "you"}, "only \"me\""), (LINKS, "post", {"role": "reader"}, "owner, keykeeper, member"),
    (LINKS, "post", {"role": 7}, "a number"), (LINKS, "post", {"person": 7}, "a number"),
    (LINKS, "post", {"for": "me", "name": "x"}, "only an invitation"), (LINKS, "post", [], "an object"),
    (LINKS, "post", {"role": "member", "name": "a\u0007b"}, "control"),
    (LINKS, "post", {"role": "member", "name": "a\u202eb"}, "control"),
    (LINKS, "post", {"role": "member", "name": "x" * 101}, "1 to 100"),
    (LINKS, "post", {"role": "member", "admin": True}, "admin: unknown"),
    (TOKENS, "post", {"name": "x"}, "role: missing"), (TOKENS, "post", {"role": "owner"}, "name: missing"),
    (TOKENS, "post", {"name": "x", "role": "king"}, "\"king\""), (f"{PEOPLE}/1", "patch", {}, "name or role"),
    (f"{PEOPLE}/1", "patch", {"name": " "}, "empty"), (f"{PEOPLE}/1", "patch", {"role": "sensor"}, "member is"),
    (LINKS, "post", {"for": None}, "only \"me\""), (LINKS, "post", {"role": "member", "valid_s": None}, "null"),
    (f"{PEOPLE}/1", "patch", {"name": "x", "role": None}, "null"), (f"{PEOPLE}/1", "patch", {"name": "x\n"}, "control"),
    (SESSION, "post", {}, "link or code"), (SESSION, "post", {"link": "a", "code": "b"}, "beside"),
    (SESSION, "post", {"link": 7}, "a number"), (LOOK, "post", {"code": "A" * 101}, "1 to 100"),
])
def test_what_is_wrong_is_named(shared_hub, owner, path, method, body, said):
    status, answer = getattr(shared_hub, method)(path, owner, body)
    assert status == 400 and answer["code"] == 40003 and said in answer["error"], answer
    if said == "control":
        assert "missing" not in answer["error"], "what is there and wrong is not missing, too"


@pytest.mark.parametrize("number", ["0", "-1", "x", "99999999999999999999", "1e3", "%00"])
def test_a_number_that_is_none_is_nothing_there(shared_hub, owner, number):
    for path in (PEOPLE, TOKENS, LINKS, DEVICES):
        assert shared_hub.delete(f"{path}/{number}", owner)[0] == 404
