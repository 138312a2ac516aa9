"""What only one object of a class may have, with the real program."""

import json
import threading

import pytest

from parse_app import ParseApp
from parse_client import Refused, pointer


def words(master, unique=(("word", "round"),)):
    fields = {"word": {"type": "String"}, "round": {"type": "Pointer", "targetClass": "Round"},
              "number": {"type": "Number"}, "tags": {"type": "Array"}}
    return master.ask("POST", "schemas/Word", {"fields": fields, "unique": unique})


def test_a_word_is_there_once_in_a_round_and_free_again_when_it_goes(client, master):
    assert words(master)["unique"] == [["word", "round"]]
    one, two = (pointer("Round", master.create("Round")) for _ in range(2))
    first = client.create("Word", word="anchor", round=one)
    assert client.code("POST", "classes/Word", {"word": "anchor", "round": one}) == 137
    client.create("Word", word="anchor", round=two)
    client.create("Word", word="Anchor", round=one)
    other = client.create("Word", word="sail", round=one)
    assert client.code("PUT", f"classes/Word/{other}", {"word": "anchor"}) == 137
    client.update("Word", other, number=1)
    for _ in range(2):
        client.create("Word", word="anchor")
    client.delete("Word", first)
    client.update("Word", other, word="anchor")
    assert client.code("POST", "classes/Word", {"word": "anchor", "round": one}) == 137
    # An index for a rule is none for queries, and is not shown.
    assert master.ask("GET", "schemas/Word")["indexes"] == {"_id_": {"_id": 1}}


def test_of_those_who_take_a_word_at_the_same_moment_one_has_it(app, master):
    words(master)
    played = pointer("Round", master.create("Round"))
    codes, lock, start = [], threading.Lock(), threading.Barrier(8)

    def take():
        client = app.client()
        start.wait()
        try:
            client.create("Word", word="x" * 400, round=played)
            code = None
        except Refused as refusal:
            code = refusal.code
        with lock:
            codes.append(code)

    threads = [threading.Thread(target=take) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert codes.count(None) == 1 and codes.count(137) == 7


def test_a_rule_counts_for_what_is_there_and_ends_when_it_is_taken_away(master):
    words(master, unique=[])
    for number in (1, 2, 2):
        master.create("Word", number=number)
    assert master.code("PUT", "schemas/Word", {"unique": [["number"]]}) == 137
    master.create("Word", number=2.0)
    twice = master.find("Word", where={"number": 2}, order="createdAt")
    for one in twice[1:]:
        master.delete("Word", one["objectId"])
    assert master.ask("PUT", "schemas/Word", {"unique": [["number"]]})["unique"] == [["number"]]
    assert master.code("POST", "classes/Word", {"number": 2.0}) == 137
    assert "unique" in master.ask("PUT", "schemas/Word", {"fields": {"more": {"type": "String"}}})
    assert "unique" not in master.ask("PUT", "schemas/Word", {"unique": []})
    master.create("Word", number=2)
    assert master.code("PUT", "schemas/Word", {"unique": [["number"]]}) == 137


def test_letters_count_as_they_are_written_also_where_they_look_the_same(master):
    words(master, unique=[["word"]])
    whole, parts = "caf\u00e9", "cafe\u0301"
    first = master.create("Word", word=whole)
    second = master.create("Word", word=parts)
    master.delete("Word", second)
    master.update("Word", first, word=parts)
    assert master.code("POST", "classes/Word", {"word": parts}) == 137
    other = master.create("Word", word=whole)
    assert master.code("PUT", f"classes/Word/{other}", {"word": parts}) == 137
    for word, id in ((whole, other), (parts, first)):
        assert [one["objectId"] for one in master.find("Word", where={"word": word})] == [id]
    master.update("Word", first, word="tea")
    master.update("Word", other, word="cup")
    for word in (whole, parts):
        master.create("Word", word=word)


def test_a_rule_goes_with_its_field_and_comes_with_its_class_to_another_hub(hub, app, master, tmp_path):
    words(master, unique=[["word", "round"], ["number"]])
    left = master.ask("PUT", "schemas/Word", {"fields": {"round": {"__op": "Delete"}}})
    assert left["unique"] == [["number"]]
    master.create("Word", number=1)
    assert hub.command("app", "export", app.told["app_id"], "--to", str(tmp_path / "out")).returncode == 0
    again = ParseApp(hub, told=json.loads(hub.command("app", "import", str(tmp_path / "out")).stdout))
    assert again.client().code("POST", "classes/Word", {"number": 1}) == 137


@pytest.mark.parametrize("unique", [
    "word", [["word", "round", "number"]], [[]], [["tags"]], [["missing"]], [["word", "word"]], [["word"], ["word"]],
    ["word"], [["objectId"]], [["number"]] * 6], ids=str)
def test_a_rule_that_cannot_be_is_refused(master, unique):
    words(master, unique=[])
    assert master.code("PUT", "schemas/Word", {"unique": unique}) == 255
