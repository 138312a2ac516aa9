"""Random queries over random objects: the hub finds what a model in Python finds, in the same order. Hypothesis reduces
what differs."""

import itertools
import json
import urllib.parse

import hypothesis
import pytest
from hypothesis import strategies as some_of

from parse_app import ParseApp
from query_model import asked, reached, with_elements
from trials import some

ROUNDS = some(400)
BIG = 2 ** 53

numbers = some_of.one_of(
    some_of.integers(-3, 3), some_of.sampled_from([0.5, -1.5, 2.0, 1e300, BIG - 1, BIG, BIG + 1, -BIG - 1]))
texts = some_of.sampled_from(
    ["", "a", "A", "ab", "aab", "b", "z", "é", "e\u0301", "ß", "a.b", "😀", "\uffee", "3", "a\nb"])
PATTERNS = ["^a", "^aa?b", "b$", "A|z", "^é", "^$", "a.b", "^a\\.b", "[a-z]b", "(?=a)"]
dates = some_of.sampled_from(["0000-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "2026-02-28T12:00:00.000Z",
                              "2026-02-28T12:00:00.001Z", "9999-12-31T23:59:59.999Z"]).map(
    lambda text: {"__type": "Date", "iso": text})
pointers = some_of.sampled_from(["u1", "u2"]).map(
    lambda id: {"__type": "Pointer", "className": "Team", "objectId": id})
places = some_of.tuples(some_of.integers(-90, 90), some_of.integers(-180, 180)).map(
    lambda pair: {"__type": "GeoPoint", "latitude": pair[0], "longitude": pair[1]})
plain = some_of.one_of(numbers, texts, some_of.booleans(), some_of.none())
lists = some_of.lists(some_of.one_of(plain, dates, pointers), max_size=3)
inner = some_of.fixed_dictionaries({}, optional={"x": some_of.one_of(plain, dates), "l": lists})
FIELDS = {"n": numbers, "s": texts, "b": some_of.booleans(), "d": dates, "p": pointers, "g": places, "a": lists,
          "o": inner, "r": some_of.lists(inner, max_size=2)}
fields = {name: some_of.one_of(values, values, values, some_of.none()) for name, values in FIELDS.items()}
objects = some_of.fixed_dictionaries(
    {name: fields[name] for name in "nsa"}, optional={name: fields[name] for name in FIELDS if name not in "nsa"})

atoms = some_of.one_of(plain, dates, pointers)
PATHS = ["n", "n", "s", "s", "b", "d", "d", "p", "a", "o.x", "o.l", "o.l.0", "r.x", "r.0.x", "none"]


@some_of.composite
def constraints(draw, made):
    """A path and what is wanted there: often a value that an object has, or of the field's own kind, sometimes any."""
    path = draw(some_of.sampled_from(PATHS))
    known = [value for one in made for value in with_elements(reached(one, path.split(".")))
             if not isinstance(value, list) and (not isinstance(value, dict) or "__type" in value)]
    own = FIELDS.get(path, atoms) if path in ("n", "s", "b", "d", "p") else atoms
    # For a pointer, text is an id.
    values = own if path == "p" else draw(some_of.sampled_from([own, own, atoms]))
    if known:
        values = some_of.one_of(some_of.sampled_from(known), values)
    kind = draw(some_of.integers(0, 8))
    match kind:
        case 0:
            return {path: draw(values)}
        case 1 | 2:
            limits = values.filter(lambda value: value is not None)
            names = draw(some_of.lists(some_of.sampled_from(["$lt", "$lte", "$gt", "$gte"]), min_size=1, unique=True))
            return {path: {name: draw(limits) for name in names}}
        case 3:
            return {path: {draw(some_of.sampled_from(["$eq", "$ne"])): draw(values)}}
        case 4:
            name = draw(some_of.sampled_from(["$in", "$nin", "$all", "$containedBy"]))
            return {path: {name: draw(some_of.lists(values, max_size=4))}}
        case 5:
            return {path: {"$exists": draw(some_of.booleans())}}
        case 6:
            return {draw(some_of.sampled_from(["s", "a", "o.x"])): {
                "$regex": draw(some_of.sampled_from(PATTERNS)),
                "$options": draw(some_of.sampled_from(["", "i", "s", "m", "is"]))}}
        case 7:
            unit, most = draw(some_of.sampled_from(
                [("$maxDistanceInKilometers", 20_000.5), ("$maxDistanceInMiles", 12_000.5), ("$maxDistance", 3.1)]))
            return {"g": {"$nearSphere": draw(places), unit: draw(some_of.floats(0.001, most))}}
        case _:
            return {"g": {"$within": {"$box": [draw(places), draw(places)]}}}


def wheres(made):
    return some_of.recursive(
        constraints(made),
        lambda parts: some_of.one_of(
            some_of.tuples(some_of.sampled_from(["$or", "$and", "$nor"]),
                           some_of.lists(parts, min_size=1, max_size=3)).map(lambda pair: {pair[0]: pair[1]}),
            some_of.tuples(parts, parts).map(lambda pair: pair[0] | pair[1])),
        max_leaves=4)


names = some_of.tuples(some_of.sampled_from(["", "-"]), some_of.sampled_from(["n", "s", "b", "d", "a", "o.x", "p"]))
orders = some_of.lists(names.map("".join), min_size=1, max_size=3).map(",".join)


@some_of.composite
def trials(draw):
    """Objects, and queries for them."""
    made = draw(some_of.lists(objects, min_size=3, max_size=8))
    queries = some_of.tuples(wheres(made), orders, some_of.integers(0, 2), some_of.integers(1, 8))
    return made, draw(some_of.lists(queries, min_size=3, max_size=6))


@pytest.mark.timeout(600)
def test_the_hub_finds_what_the_model_finds(hub):
    # An app has no more than 500 classes.
    rounds, apps = itertools.count(), {}

    @hypothesis.settings(max_examples=ROUNDS, deadline=None, database=None, derandomize=True,
                         suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(trials())
    def holds(trial):
        made, several = trial
        number = next(rounds)
        app = apps.get(number // 400) or apps.setdefault(number // 400, ParseApp(hub, f"App {number}"))
        name = f"Class{number}"
        requests = [{"method": "POST", "path": f"/parse/classes/{name}", "body": one} for one in made]
        status, answer = app.ask("POST", "batch", {"requests": requests})
        assert status == 200 and all("success" in one for one in answer), answer
        known = [one | {"objectId": told["success"]["objectId"]} for one, told in zip(made, answer)]
        for where, order, skip, limit in several:
            parameters = {"where": json.dumps(where), "order": order, "skip": skip, "limit": limit, "count": 1}
            status, answer = app.ask("GET", f"classes/{name}?{urllib.parse.urlencode(parameters)}")
            assert status == 200, (where, answer)
            found, count = asked(known, where, order, skip, limit)
            assert answer["count"] == count, where
            assert [one["objectId"] for one in answer["results"]] == [one["objectId"] for one in found], where

    holds()


def test_sums_are_for_the_master_key_and_go_through_all_objects(app):
    for name, score in [("foo", 10), ("foo", 10), ("bar", 10), ("dpl", 20)]:
        assert app.ask("POST", "classes/Score", {"name": name, "score": score})[0] == 201

    def sums(master=True, **parameters):
        texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in parameters.items()}
        return app.ask("GET", f"aggregate/Score?{urllib.parse.urlencode(texts)}", master=master)

    assert sums(distinct="score") == (200, {"results": [10, 20]})
    assert sums(distinct="score", where={"name": "foo"}) == (200, {"results": [10]})
    group = {"$group": {"_id": "$name", "n": {"$sum": "$score"}}, "$sort": {"n": -1, "objectId": 1}}
    told = [{"objectId": "dpl", "n": 20}, {"objectId": "foo", "n": 20}, {"objectId": "bar", "n": 10}]
    assert sums(**group) == (200, {"results": told})
    assert sums(pipeline=[{stage: content} for stage, content in group.items()])[1]["results"] == told
    status, found = sums(**{"$match": {"score": {"$gt": 15}}})
    assert status == 200 and [one["name"] for one in found["results"]] == ["dpl"]
    assert sums(**{"$lookup": {}})[1]["code"] == 102
    assert app.ask("GET", "aggregate/Nothing?distinct=score", master=True) == (200, {"results": []})
    assert sums(master=False, distinct="score")[0] == 403


def test_a_pattern_that_never_ends_is_an_error_and_the_hub_goes_on(app):
    app.ask("POST", "classes/Word", {"text": "a" * 60 + "!"})

    def find(where):
        return app.ask("GET", f"classes/Word?{urllib.parse.urlencode({'where': json.dumps(where)})}")

    status, answer = find({"text": {"$regex": "^(a+)+$"}})
    assert (status, answer["code"]) == (400, 124), answer
    assert len(find({"text": {"$regex": "^a+!$"}})[1]["results"]) == 1
    for where, code in [({"$where": "1"}, 105), ({"__proto__": 1}, 105), ({"text": {"$text": {}}}, 102)]:
        assert find(where)[1]["code"] == code
    deep = '{"$or":[' * 1_000 + "{}" + "]}" * 1_000
    answer = app.ask("GET", f"classes/Word?where={urllib.parse.quote(deep)}")
    assert answer[0] in (400, 414), answer


def test_a_query_for_none_finds_none(app):
    made = app.ask("POST", "classes/Book", {"title": "Notes"})[1]["objectId"]
    book = {"__type": "Pointer", "className": "Book", "objectId": made}
    for where in ({"objectId": {"$in": []}}, {"$relatedTo": {"object": book, "key": "readers"}}):
        answer = app.ask("GET", f"classes/Book?{urllib.parse.urlencode({'where': json.dumps(where), 'count': 1})}")
        assert answer == (200, {"results": [], "count": 0}), where


def test_no_number_of_objects_to_skip_ends_the_hub(app):
    ids = [app.ask("POST", "classes/Word", {"name": name})[1]["objectId"] for name in "ab"]
    most = 2 ** 63 - 1

    def find(where=None, **more):
        asked = {"where": json.dumps(where or {}), "skip": most} | more
        return app.ask("GET", f"classes/Word?{urllib.parse.urlencode(asked)}")

    assert find() == (200, {"results": []})
    assert find({"name": "c"}, order="name") == (200, {"results": []})
    either = {"objectId": {"$in": ids}}
    for answer in (find(order="name"), find(either), find(order="name", limit=10_000, count=1)):
        assert (answer[0], answer[1]["code"]) == (400, 102)
    inner = {"name": {"$select": {"query": {"className": "Word", "order": "name", "skip": str(most)}, "key": "name"}}}
    assert find(inner, skip=0)[1]["code"] == 102
    assert app.ask("GET", f"aggregate/Word?$skip={most}&$limit={most}", master=True)[0] == 400
