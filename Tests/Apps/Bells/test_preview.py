"""How a notification will look before it is sent: on each kind of device, and how large it is."""

import json

from hub import command

PREVIEW = "/api/v1/notifications/preview"
ACTIONS = [{"id": "a", "title": "One"}, {"id": "b", "title": "Two", "options": ["authentication_required"]},
           {"id": "c", "title": "Three", "text_input": {}}, {"id": "d", "title": "Four"}]


def preview(hub, content, token=None, **more):
    status, answer = hub.post(PREVIEW, token or hub.owner_token, {"content": content} | more)
    assert status == 200, answer
    return {one["platform"]: one for one in answer["platforms"]} | {"all": answer}


def test_each_kind_of_device_has_room_for_its_buttons(hub):
    looks = preview(hub, {"title": "Door", "subtitle": "Front", "body": "Who opens?", "actions": ACTIONS,
                          "interruption_level": "critical"})
    titles = ["One", "Two", "Three", "Four"]
    for platform, room in (("list", 4), ("agent", 4), ("desktop", 2), ("android", 2), ("apple", 0), ("app", 0),
                           ("ntfy", 0)):
        look = looks[platform]
        assert (look["buttons"], look["others"]) == (titles[:room], titles[room:]), platform
        assert look["notes"] == []
    assert (looks["mail"]["buttons"], looks["mail"]["others"]) == (["One", "Four"], ["Two", "Three"])
    assert looks["mail"]["title"] == "Door" and "Who opens?" in looks["mail"]["body"]
    assert (looks["ntfy"]["title"], looks["ntfy"]["body"]) == ("Door", "Front\nWho opens?")
    assert [looks["desktop"][name] for name in ("title", "subtitle", "body")] == ["Door", "Front", "Who opens?"]
    assert looks["all"]["rings"] and looks["all"]["stays"]
    assert not preview(hub, {"title": "x", "interruption_level": "passive"})["all"]["rings"]
    assert hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"] == [], "nothing was sent"


def test_the_sizes_are_those_of_the_messages_that_are_sent(hub):
    for bytes_, is_cut in ((3_000, False), (8_000, True)):
        content = {"title": "Door", "body": "x" * bytes_}
        look = preview(hub, content)["desktop"]
        assert look["limit"] == 3_993 and (look["notes"] == ["cut"]) == is_cut
        assert look["bytes"] <= 3_993 and (look["bytes"] == 3_993) == is_cut
        assert look["body"].endswith("…") == is_cut
        app = preview(hub, content)["app"]
        assert app["limit"] == 4_096 and app["bytes"] <= 4_096 and (app["notes"] == ["cut"]) == is_cut
    looks = preview(hub, {"title": "Door", "user_info": {"x": "y" * 5_000}})
    assert looks["app"]["notes"] == ["too_large"]
    assert looks["desktop"]["notes"] == ["too_large"] and looks["desktop"]["title"] is None
    assert looks["desktop"]["bytes"] > 5_000
    assert looks["list"]["title"] == looks["agent"]["title"] == "Door"
    assert looks["all"]["bytes"] == len('{"title":"Door","user_info":{"x":""}}') + 5_000


def test_a_silent_one_shows_nothing(hub):
    looks = preview(hub, {"silent": True, "user_info": {"x": 1}})
    for platform, look in looks.items():
        if platform not in ("all", "webhook"):
            assert look["notes"] == ["shows_nothing"], platform


def test_a_subtitle_or_a_picture_alone_is_something_to_show_and_a_sound_is_not_for_browsers_and_in_mails(hub):
    for content in {"subtitle": "Front"}, {"attachments": [{"id": "a", "url": "https://pictures.example/a.png"}]}:
        looks = preview(hub, content)
        assert [one for one in ("list", "agent", "desktop", "apple", "mail") if looks[one]["notes"]] == []
    looks = preview(hub, {"sound": "default"})
    told = {one: looks[one]["notes"] == ["shows_nothing"] for one in ("list", "agent", "desktop", "android", "mail")}
    assert told == {"list": False, "agent": False, "desktop": True, "android": True, "mail": True}


def test_it_is_shown_in_the_readers_language(hub):
    content = {"title": "Open", "actions": [{"id": "a", "title": "Come"}], "localized": {
        "de": {"title": "Offen", "actions": [{"id": "a", "title": "Komm"}]}}}
    for language, title, button in (("de", "Offen", "Komm"), ("en", "Open", "Come")):
        looks = preview(hub, content, language=language)
        assert (looks["desktop"]["title"], looks["desktop"]["buttons"]) == (title, [button])
        assert looks["mail"]["title"] == title


def test_what_is_wrong_is_told_as_when_it_is_sent(hub):
    for body, words in (
            ({}, "content: missing"), ({"content": {"titel": 1, "badge": -1}}, "content.badge"),
            ({"content": {"title": "x"}, "language": "fr"}, "one of en, de"),
            ({"content": {"title": "x"}, "more": 1}, "more"),
            ({"content": {"title": "x"}, "priority": "urgent"}, "high, normal")):
        status, answer = hub.post(PREVIEW, hub.owner_token, body)
        assert status == 400 and words in answer["error"], answer


def test_whoever_may_not_come_in_may_not_try(hub):
    assert hub.post(PREVIEW, None, {"content": {"title": "x"}})[0] == 401
    assert hub.post(PREVIEW, hub.token("reader"), {"content": {"title": "x"}})[0] == 200


def test_the_command_prints_it_on_the_data_and_over_the_network(hub, tmp_path):
    file = tmp_path / "door.json"
    file.write_text(json.dumps({"content": {"title": "Door", "body": "Who opens?", "actions": ACTIONS},
                                "collapse_id": "door"}))
    ways = [["--data", hub.data], ["--hub", hub.url, "--token", hub.owner_token]]
    told, whole = [], []
    for way in ways:
        made = command("push", "send", "--file", file, "--title", "Gate", "--preview", *way)
        assert made.returncode == 0, made.stderr
        told.append([line for line in made.stdout.splitlines() if "bytes" not in line])
        made = command("push", "send", "--file", file, "--title", "Gate", "--preview", "--json", *way)
        whole.append([one["platform"] for one in json.loads(made.stdout)["platforms"]])
    assert told[0] == told[1] and whole[0] == whole[1]
    text = "\n".join(told[0])
    assert "  Gate\n  Who opens?\n  [One] [Two]\n  On the page alone: Three, Four" in text
    assert hub.get("/api/v1/notifications", token=hub.owner_token)[1]["items"] == []
    wrong = command("push", "send", "--title", "", "--preview", "--data", hub.data)
    assert wrong.returncode == 2 and "content" in wrong.stderr
