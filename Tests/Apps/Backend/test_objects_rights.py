"""What the rights of apps' objects keep from whoever has the key that stands in every page, with the real program."""

import json
import urllib.parse

from parse_app import sign_up
from parse_client import pointer


def found(app, path, where, **who):
    status, answer = app.ask("GET", f"{path}?where={urllib.parse.quote(json.dumps(where))}", **who)
    return answer["results"] if status == 200 else answer["code"]


def test_what_ones_own_user_points_to_is_seen_as_one_may_see_it(app):
    victim = sign_up(app, "Ada", email="ada@example.org")
    mallory = sign_up(app, "Mallory")
    session = mallory["sessionToken"]
    to_ada = {"p": pointer("_User", victim["objectId"])}
    assert app.ask("PUT", f"users/{mallory['objectId']}", to_ada, session=session)[0] == 200
    assert app.ask("PUT", "sessions/me", to_ada, session=session)[0] in (200, 400)
    for path in ("users/me", "sessions/me"):
        status, own = app.ask("GET", f"{path}?include=p", session=session)
        assert status == 200 and own["sessionToken"] == session
        assert "Ada" not in json.dumps(own) and "example.org" not in json.dumps(own)


def test_a_protected_field_is_told_by_no_way_round(app):
    schema = {"fields": {"secret": {"type": "Number"}, "list": {"type": "Array"}}, "classLevelPermissions": {
        **{name: {"*": True} for name in ("find", "count", "get", "create", "update", "delete", "addField")},
        "protectedFields": {"*": ["secret", "list"]}}}
    assert app.ask("POST", "schemas/Card", schema, master=True)[0] == 200
    card = app.ask("POST", "classes/Card", {"secret": 42, "list": ["x"]}, master=True)[1]["objectId"]
    assert "secret" not in app.ask("GET", f"classes/Card/{card}")[1]
    for change in ({"secret": {"__op": "Increment", "amount": 0}}, {"list": {"__op": "AddUnique", "objects": []}}):
        status, told = app.ask("PUT", f"classes/Card/{card}", change)
        assert status == 200 and not {"secret", "list"} & set(told), told
    assert found(app, "classes/Card", {"secret": 42}) == 119
    app.ask("POST", "classes/Guess", {"x": 42})
    asked = {"$select": {"query": {"className": "Card", "where": {}}, "key": "secret"}}
    assert found(app, "classes/Guess", {"x": asked}) == 119
    assert len(found(app, "classes/Guess", {"x": asked}, master=True)) == 1


def test_a_class_may_give_its_new_objects_an_access_list(app):
    open_to_all = {name: {"*": True} for name in ("find", "get", "create", "update", "addField")}
    own = {"currentUser": {"read": True, "write": True}, "role:crew": {"read": True}}
    schema = {"classLevelPermissions": open_to_all | {"ACL": own}}
    assert app.ask("POST", "schemas/Diary", schema, master=True)[1]["classLevelPermissions"]["ACL"] == own
    ada, bob = sign_up(app, "Ada"), sign_up(app, "Bob")
    status, made = app.ask("POST", "classes/Diary", {"text": "private"}, session=ada["sessionToken"])
    path = f"classes/Diary/{made['objectId']}"
    mine = {ada["objectId"]: {"read": True, "write": True}, "role:crew": {"read": True}}
    assert status == 201 and made["ACL"] == mine
    assert app.ask("PUT", path, {"text": "more"}, session=ada["sessionToken"])[0] == 200
    assert app.ask("GET", path, session=ada["sessionToken"])[1]["ACL"] == mine
    for who in ({}, {"session": bob["sessionToken"]}):
        assert app.ask("GET", path, **who)[0] == 404 and app.ask("PUT", path, {"text": "x"}, **who)[0] == 404
    public = {"*": {"read": True}}
    made = app.ask("POST", "classes/Diary", {"text": "told", "ACL": public}, session=ada["sessionToken"])[1]
    assert app.ask("GET", f"classes/Diary/{made['objectId']}")[1]["ACL"] == public
    assert app.ask("POST", "classes/Diary", {}, master=True)[1]["ACL"] == {"role:crew": {"read": True}}
    wrong = {"classLevelPermissions": open_to_all | {"ACL": {"*": {"own": True}}}}
    assert app.ask("PUT", "schemas/Diary", wrong, master=True)[1]["code"] == 123


def test_a_field_is_added_by_those_to_whom_the_object_points(app):
    ada, bob = sign_up(app, "Ada"), sign_up(app, "Bob")
    permissions = {name: {"*": True} for name in ("find", "get", "create", "update")}
    schema = {"fields": {"owner": {"type": "Pointer", "targetClass": "_User"}},
              "classLevelPermissions": permissions | {"addField": {"pointerFields": ["owner"]}}}
    assert app.ask("POST", "schemas/Card", schema, master=True)[0] == 200
    made = {"owner": pointer("_User", ada["objectId"])}
    card = app.ask("POST", "classes/Card", made, session=ada["sessionToken"])[1]["objectId"]
    path = f"classes/Card/{card}"
    assert app.ask("PUT", path, {"extra": 1}, session=bob["sessionToken"])[1]["code"] == 119
    assert app.ask("PUT", path, {"extra": 1}, session=ada["sessionToken"])[0] == 200


def test_an_access_list_is_never_longer_than_it_can_be_read(app):
    ada, bob = sign_up(app, "Ada"), sign_up(app, "Bob")
    many = {f"user{number}": {"read": True} for number in range(1000)}
    status, answer = app.ask("PUT", f"users/{ada['objectId']}", {"ACL": many}, session=ada["sessionToken"])
    assert (status, answer["code"]) == (400, 123)
    assert app.ask("GET", f"users/{ada['objectId']}", session=bob["sessionToken"])[0] == 404


def test_whoever_may_read_one_may_ask_for_it_by_a_query(app):
    permissions = {name: {"*": True} for name in ("get", "create")}
    assert app.ask("POST", "schemas/Card", {"classLevelPermissions": permissions}, master=True)[0] == 200
    card = app.ask("POST", "classes/Card", {})[1]["objectId"]
    assert [one["objectId"] for one in found(app, "classes/Card", {"objectId": card})] == [card]
    assert found(app, "classes/Card", {}) == 119


def test_whoever_may_find_objects_but_not_count_them_gets_no_count_beside_them(app):
    permissions = {name: {"*": True} for name in ("find", "create")}
    assert app.ask("POST", "schemas/Card", {"classLevelPermissions": permissions}, master=True)[0] == 200
    app.ask("POST", "classes/Card", {})
    assert len(found(app, "classes/Card", {})) == 1
    for path in ("classes/Card?count=1", "classes/Card?count=1&limit=0"):
        assert app.ask("GET", path)[1]["code"] == 119
    assert app.ask("GET", "classes/Card?count=1", master=True)[1]["count"] == 1
    # Whoever may count their own alone, and find all, gets no count of all either.
    mine = permissions | {"count": {"pointerFields": ["owner"]}}
    assert app.ask("PUT", "schemas/Card", {"fields": {"owner": {"type": "Pointer", "targetClass": "_User"}},
                                           "classLevelPermissions": mine}, master=True)[0] == 200
    session = sign_up(app, "Ada")["sessionToken"]
    assert app.ask("GET", "classes/Card?count=1&limit=0", session=session)[1]["count"] == 0
    assert app.ask("GET", "classes/Card?count=1", session=session)[1]["code"] == 119


def test_users_addresses_stay_hidden_when_permissions_say_nothing_of_them(app):
    sign_up(app, "Ada", email="ada@example.org", ACL={"*": {"read": True}})
    permissions = {name: {"*": True} for name in ("find", "get", "create", "update")}
    for more in ({}, {"protectedFields": {}}, {"protectedFields": {"*": []}}):
        wish = {"classLevelPermissions": permissions | more}
        assert app.ask("PUT", "schemas/_User", wish, master=True)[0] == 200
        assert [one["username"] for one in found(app, "users", {})] == ["Ada"]
        assert "example.org" not in json.dumps(found(app, "users", {}))
        assert found(app, "users", {"email": "ada@example.org"}) == 119
    # Whoever wants to show them says to whom.
    wish = {"classLevelPermissions": permissions | {"protectedFields": {"authenticated": []}}}
    assert app.ask("PUT", "schemas/_User", wish, master=True)[0] == 200
    session = sign_up(app, "Bob")["sessionToken"]
    assert {one.get("email") for one in found(app, "users", {}, session=session)} >= {"ada@example.org"}


def test_long_texts_of_some_do_not_end_a_rule_for_others(app):
    schema = {"fields": {"code": {"type": "String", "rules": {"pattern": "[a-z]+[0-9]"}}}}
    assert app.ask("POST", "schemas/Card", schema, master=True)[0] == 200
    for _ in range(12):
        assert app.ask("POST", "classes/Card", {"code": "a" * 100_000})[1]["code"] == 142
    assert app.ask("POST", "classes/Card", {"code": "abc1"})[0] == 201


def test_an_odd_file_spoils_no_query(app):
    deep = "[" * 1900 + "]" * 1900
    body = '{"n": 1, "file": {"__type": "File", "name": "x", "url": %s}}' % deep
    status = app.hub.request("POST", "/parse/classes/Card", app.headers(), body).status
    assert status in (201, 400)
    assert isinstance(found(app, "classes/Card", {"n": 1}), list)
