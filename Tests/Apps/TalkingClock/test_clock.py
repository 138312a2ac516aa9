"""The talking clock of a real hub: its settings, its devices, its voices; and the days of the year against Python's own
zones."""

import datetime
import hashlib
import json
import struct
import time
import zoneinfo

import pytest

from bell_device import device_at, make_device
from faults import preloaded
from hub import command, eventually

CLOCK = "/api/v1/clock"
VOICES = f"{CLOCK}/voices"
PARTS = [*map(str, range(1, 13)), "15", "30", "45", "AM", "PM"]

# The days on which clocks change: zone, day, the quarters of an hour, and the minutes that the clock shows.
DAYS = [
    ("Europe/Berlin", "2026-03-29", 92, 1380), ("Europe/Berlin", "2026-10-25", 100, 1500),
    ("Australia/Lord_Howe", "2026-04-05", 98, 1470), ("Australia/Lord_Howe", "2026-10-04", 94, 1410),
]


def spoken(local):
    """The parts of a time in English, twelve hours, with one stroke at the full hour."""
    hour = [str(local.hour % 12 or 12)]
    half = ["AM" if local.hour < 12 else "PM"]
    if local.minute == 0:
        return ["bigben", *hour, *half]
    return hour + [str(local.minute) if local.minute > 9 else f"0{local.minute}"] + half


def expected(zone, day, every):
    """The announcements of a day: whenever the clock on the wall shows a multiple of the interval."""
    zone = zoneinfo.ZoneInfo(zone)
    first = datetime.datetime.combine(day, datetime.time(), zone).timestamp()
    last = datetime.datetime.combine(day + datetime.timedelta(1), datetime.time(), zone).timestamp()
    for second in range(int(first), int(last), 60):
        local = datetime.datetime.fromtimestamp(second, zone)
        if local.minute % every == 0 and local.second == 0:
            yield {"at": local.isoformat(), "parts": spoken(local)}


@pytest.mark.parametrize("zone, day, quarters, minutes", DAYS)
def test_each_announcement_of_a_day_on_which_clocks_change(zone, day, quarters, minutes):
    first = datetime.date.fromisoformat(day)
    words = ["clock", "schedule", "--from", day, "--to", first + datetime.timedelta(1), "--zone", zone, "--json"]
    for options, every, count in (((), 15, quarters), (("--every", "1"), 1, minutes)):
        done = command(*words, *options)
        assert done.returncode == 0, done.stderr
        said = [json.loads(line) for line in done.stdout.splitlines()]
        assert said == list(expected(zone, first, every))
        assert len(said) == count


# Settings and devices


def wave(samples=441, rate=44100, channels=1, value=1000):
    sound = struct.pack("<h", value) * samples * channels
    form = struct.pack("<HHIIHH", 1, channels, rate, rate * channels * 2, channels * 2, 16)
    chunks = b"WAVEfmt " + struct.pack("<I", len(form)) + form + b"data" + struct.pack("<I", len(sound)) + sound
    return b"RIFF" + struct.pack("<I", len(chunks)) + chunks


@pytest.fixture
def ada(hub):
    """The header fields of an owner's device."""
    return hub.sign_in("owner", "Ada")


def clock_of(message):
    """The member of a silent push for the clock of an agent."""
    assert message["content"]["silent"] is True
    return message["content"]["user_info"]["clock"]


def told_of(device):
    """The next message for its clock that is not about an announcement: a quarter of an hour may come at any time."""
    while "at" in (told := clock_of(device.show())):
        pass
    return told


def test_a_clock_is_there_before_anything_was_changed(hub, ada):
    status, clock = hub.get(CLOCK, token=ada)
    assert status == 200
    assert clock["settings"] == {
        "every": 15, "hours": 12, "language": "en", "quarters": "past", "strokes": "one", "oclock": False,
        "style": "speech", "quiet": None, "voice": "english", "zone": "device"}
    assert (clock["muted_until"], clock["devices"]) == (None, [])
    assert [(each["id"], each["kind"], each["language"]) for each in clock["voices"]] == [
        ("english", "built-in", "en"), ("german", "built-in", "de"), ("bells", "built-in", None)]
    at = datetime.datetime.fromisoformat(clock["next"]["at"])
    assert at.minute % 15 == 0 and 0 < at.timestamp() - time.time() <= 900
    assert clock["next"]["parts"] == spoken(at)
    assert hub.get(CLOCK)[0] == 401 and hub.get(CLOCK, token=hub.owner_token)[0] == 403


def test_a_clock_speaks_the_language_of_its_reader_until_it_is_set(hub, ada):
    german = {"Accept-Language": "de-DE,de;q=0.9,en;q=0.8"}

    def language(headers=None):
        settings = hub.get(CLOCK, headers, token=ada)[1]["settings"]
        return settings["language"], settings["voice"], settings["hours"]

    assert language(german) == ("de", "german", 24) and language() == ("en", "english", 12)
    path = f"{CLOCK}/devices/{make_device(hub, 'kitchen', person='Ada')['id']}"
    assert hub.put(path, ada, {"on": True})[0] == 200
    assert language(german) == ("en", "english", 12), "in which the agent has begun to speak"


def test_an_agent_is_told_what_is_changed_and_reports_what_it_said(hub, ada):
    made = make_device(hub, "kitchen", person="Ada")
    path = f"{CLOCK}/devices/{made['id']}"
    with device_at(hub, made["secret"]) as device:
        # It keeps still until somebody switches it on.
        assert [each["on"] for each in hub.get(CLOCK, token=ada)[1]["devices"]] == [False]
        assert hub.put(path, ada, {"on": True, "volume": 60})[0] == 200
        told = told_of(device)
        assert (told["on"], told["volume"], told["voice"]["id"], told["version"]) == (True, 60, "english", 1)
        assert "now" not in told

        until = (datetime.datetime.now(datetime.UTC) + datetime.timedelta(hours=1)).replace(microsecond=0)
        change = {"settings": {"language": "de", "hours": 24}, "muted_until": until.isoformat()}
        status, clock = hub.patch(CLOCK, ada, change)
        assert status == 200 and clock["settings"]["voice"] == "german"
        assert datetime.datetime.fromisoformat(clock["next"]["at"]) >= until
        told = told_of(device)
        assert told["settings"] == clock["settings"] and told["muted_until"] == int(until.timestamp())
        assert hub.patch(CLOCK, ada, {"muted_until": None})[1]["muted_until"] is None
        assert told_of(device)["muted_until"] == 0

        assert hub.post(f"{CLOCK}/speak", ada, {"device": made["id"]}) == (202, {"devices": 1})
        assert told_of(device)["now"] is True

        now = int(time.time())
        report = {"announcements": [
            {"at": now - 900, "what": "spoke", "late_ms": 4.4, "by": "own"},
            {"at": now, "what": "alarm", "by": "push"}]}
        assert hub.post(f"{CLOCK}/reports", made["secret"], report) == (200, {"taken": 2})
        assert hub.post(f"{CLOCK}/reports", made["secret"], report) == (200, {"taken": 0})
    last = hub.get(CLOCK, token=ada)[1]["devices"][0]["last"]
    assert (last["what"], last["late_ms"]) == ("alarm", None)
    day = datetime.datetime.fromtimestamp(now - 900, datetime.UTC).date()
    history = hub.get(f"{CLOCK}/history?device={made['id']}&day={day}", token=ada)[1]["announcements"]
    assert history[0] | {"at": 0} == {
        "at": 0, "device": made["id"], "what": "spoke", "late_ms": 4, "by": "own", "lead_s": None}
    said = hub.command("clock", "devices")
    assert said.returncode == 0 and "kitchen: on, volume 60" in said.stdout
    assert json.loads(hub.command("clock", "devices", "--json").stdout)[0]["last"]["what"] == "alarm"
    assert "1 agent speaks" in hub.command("doctor").stdout


@pytest.mark.waits
def test_the_hub_wakes_an_agent_ahead_of_the_next_minute(hub, ada):
    made = make_device(hub, "kitchen", person="Ada")
    with device_at(hub, made["secret"]) as device:
        hub.patch(CLOCK, ada, {"settings": {"every": 1}})
        hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True})
        clock_of(device.show())
        message = device.show(seconds=50)
        came = time.time()
        told = clock_of(message)
        assert told["at"] % 60 == 0 and told["parts"]
        assert 0 < told["at"] - came <= 15.2
        assert datetime.datetime.fromisoformat(message["expires_at"]).timestamp() <= told["at"]
    lead = eventually(lambda: hub.get(CLOCK, token=ada)[1]["devices"][0]["lead_s"])
    assert -0.5 <= lead - (told["at"] - came) < 5, "it takes a moment to come, and the lead is in whole seconds"


@pytest.mark.waits
@pytest.mark.timeout(240)
def test_a_full_disk_while_an_agent_should_be_woken_costs_no_later_wake(make_hub, tmp_path):
    full = tmp_path / "full"
    (tmp_path / "data").mkdir()
    hub = make_hub(env=preloaded(tmp_path / "data", **{"while": full}))
    hub.configure()
    ada = hub.sign_in("member", "Ada")
    made = make_device(hub, "kitchen", person="Ada")
    with device_at(hub, made["secret"]) as device:
        # The first wake goes 15 s ahead of a full minute.
        eventually(lambda: time.time() % 60 < 35, 30)
        hub.patch(CLOCK, ada, {"settings": {"every": 1}})
        hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True})
        clock_of(device.show())
        time.sleep(1)  # until the receipt is written
    missed = int(time.time()) // 60 * 60 + 60
    full.touch()
    time.sleep(missed - time.time() + 1)
    full.unlink()
    with device_at(hub, made["secret"]) as device:
        assert clock_of(device.show(seconds=75))["at"] == missed + 60


def test_a_device_is_switched_by_its_person_and_that_of_nobody_by_owners(hub, ada):
    bea = hub.sign_in("member", "Bea")
    adas, houses = make_device(hub, "kitchen", person="Ada"), make_device(hub, "hall")
    assert [each["name"] for each in hub.get(CLOCK, token=ada)[1]["devices"]] == ["kitchen", "hall"]
    assert hub.get(CLOCK, token=bea)[1]["devices"] == []
    for made in (adas, houses):
        path = f"{CLOCK}/devices/{made['id']}"
        status, answer = hub.put(path, bea, {"on": True})
        assert (status, answer["code"]) == (404, 40470)
        assert hub.put(path, ada, {"on": True})[0] == 200
    # The house's follow the clock of the owner who came first.
    assert hub.post(f"{CLOCK}/speak", ada, {}) == (202, {"devices": 2})
    assert hub.post(f"{CLOCK}/speak", bea, {}) == (202, {"devices": 0})


def test_two_agents_of_one_name_are_two(hub, ada):
    first, second = make_device(hub, "kitchen", person="Ada"), make_device(hub, "kitchen", person="Ada")
    assert hub.put(f"{CLOCK}/devices/{second['id']}", ada, {"on": True, "volume": 30})[0] == 200
    now = int(time.time())
    for made, what in ((first, "no_audio"), (second, "spoke")):
        report = {"announcements": [{"at": now, "what": what, "by": "own"}]}
        assert hub.post(f"{CLOCK}/reports", made["secret"], report) == (200, {"taken": 1})
    assert [(each["id"], each["name"], each["on"], each["last"]["what"])
            for each in hub.get(CLOCK, token=ada)[1]["devices"]] == [
        (first["id"], "kitchen", False, "no_audio"), (second["id"], "kitchen", True, "spoke")]
    with device_at(hub, second["secret"]) as device:
        assert told_of(device)["volume"] == 30
        assert hub.post(f"{CLOCK}/speak", ada, {"device": second["id"]}) == (202, {"devices": 1})
        assert told_of(device)["now"] is True


# Voices


def record(hub, fields, voice, part, sound):
    return hub.request("PUT", f"{VOICES}/{voice}/parts/{part}", fields | {"Content-Type": "audio/wav"}, sound)


def test_a_voice_is_recorded_part_by_part_and_fetched_by_agents(hub, ada):
    made = make_device(hub, "kitchen", person="Ada")
    strange = make_device(hub, "other")
    bea = hub.sign_in("member", "Bea")
    theirs = make_device(hub, "attic", person="Bea")
    status, voice = hub.post(VOICES, ada, {"name": "Ada", "language": "en"})
    assert status == 201 and voice["parts"] == []
    path = f"{VOICES}/{voice['id']}"

    # Not before it can say what is due.
    status, answer = hub.patch(CLOCK, ada, {"settings": {"voice": voice["id"]}})
    assert (status, answer["code"]) == (409, 40971)
    versions = set()
    for number, part in enumerate(PARTS):
        answer = record(hub, ada, voice["id"], part, wave(441 + number))
        assert answer.status == 200, answer.body
        versions.add(answer.json["version"])
    assert len(versions) == len(PARTS)
    # Open pages see by it that a word was recorded anew.
    [told] = [one for one in hub.get(CLOCK, token=ada)[1]["voices"] if one["id"] == voice["id"]]
    assert told["version"] == answer.json["version"]
    assert hub.patch(CLOCK, ada, {"settings": {"voice": voice["id"]}})[0] == 200
    # These parts are not enough for every minute.
    assert hub.patch(CLOCK, ada, {"settings": {"every": 5}})[1]["code"] == 40971
    assert hub.patch(CLOCK, ada, {"settings": {"oclock": True}})[1]["error"].endswith("lacks 1 part: oclock.")
    # A word that was removed is no reason to refuse what has nothing to do with it.
    assert hub.delete(f"{path}/parts/AM", ada)[0] == 204
    assert hub.patch(CLOCK, ada, {"settings": {"quiet": {"from": "22:00", "to": "07:00"}}})[0] == 200
    assert hub.patch(CLOCK, ada, {"settings": {"every": 20}})[1]["error"].endswith("lacks 2 parts: 20, 40.")
    assert hub.patch(CLOCK, ada, {"settings": {"quiet": None}})[0] == 200
    assert record(hub, ada, voice["id"], "AM", wave(441 + PARTS.index("AM"))).status == 200

    sound = wave(452)
    listed = hub.get(path, token=made["secret"])[1]
    assert listed["gap"] == 0 and listed["parts"]["12"] == {
        "frames": 452, "rate": 44100, "sha256": hashlib.sha256(sound).hexdigest(), "url": f"{path}/parts/12"}
    answer = hub.request("GET", f"{path}/parts/12", {"Authorization": f"Bearer {made['secret']}"})
    assert (answer.status, answer.body, answer.headers["Content-Type"]) == (200, sound, "audio/wav")
    again = {"Authorization": f"Bearer {made['secret']}", "If-None-Match": answer.headers["ETag"]}
    assert hub.request("GET", f"{path}/parts/12", again).status == 304
    # The house's devices follow Ada's clock; Bea and her devices do not.
    assert hub.get(path, token=strange["secret"])[0] == 200
    assert [hub.get(path, token=who)[0] for who in (bea, theirs["secret"], "ebd_nobody", None)] == [404, 404, 401, 401]
    assert record(hub, bea, voice["id"], "12", wave()).status == 404

    # Agents that speak with it are told of a new version.
    hub.put(f"{CLOCK}/devices/{made['id']}", ada, {"on": True})
    with device_at(hub, made["secret"]) as device:
        before = told_of(device)["voice"]
        assert before == {"id": voice["id"], "version": listed["version"]}
        changed = record(hub, ada, voice["id"], "12", wave(500)).json["version"]
        assert told_of(device)["voice"] == {"id": voice["id"], "version": changed}
        assert hub.delete(path, ada)[0] == 204
        assert told_of(device)["voice"]["id"] == "english"
    assert hub.get(path, token=ada)[0] == 404


@pytest.mark.parametrize("sound, words", [
    (b"", "no WAV"), (wave(rate=96000, channels=2), "2 channels"), (wave(rate=8000), "8000 Hz"),
    (wave()[:-10], "whole file"), (wave(441001), "at most 10"), (b"RIFF\x00\x00\x00\x00WAVE", "without sound"),
])
def test_what_is_no_recording_is_refused_and_the_one_before_stays(hub, ada, sound, words):
    voice = hub.post(VOICES, ada, {"name": "Ada", "language": "en"})[1]["id"]
    assert record(hub, ada, voice, "12", wave()).status == 200
    answer = record(hub, ada, voice, "12", sound)
    assert (answer.status, answer.json["code"]) == (415, 41570) and words in answer.json["error"]
    assert record(hub, ada, voice, "sixty", wave()).status == 404
    assert hub.get(f"{VOICES}/{voice}", token=ada)[1]["parts"]["12"]["frames"] == 441


def test_built_in_voices_are_there_for_all_who_are_signed_in(hub, ada):
    made = make_device(hub, "kitchen")
    for voice, parts in (("english", PARTS), ("german", ["12", "uhr", "viertel"]), ("bells", ["bell", "bells"])):
        listed = hub.get(f"{VOICES}/{voice}", token=made["secret"])[1]
        assert set(parts) <= set(listed["parts"])
        assert listed["gap"] == (0 if voice == "bells" else 0.06), "a page joins the parts as an agent does"
        one = listed["parts"][parts[0]]
        answer = hub.request("GET", one["url"], ada)
        assert hashlib.sha256(answer.body).hexdigest() == one["sha256"] and answer.body[:4] == b"RIFF"
    assert hub.get(f"{VOICES}/english")[0] == 401


def test_nobody_keeps_voices_without_end_nor_those_of_somebody_who_is_gone(hub, ada):
    fields = hub.sign_in("member", "Bea")
    made = [hub.post(VOICES, fields, {"name": f"{number}", "language": "de"}) for number in range(11)]
    assert [status for status, _ in made] == [201] * 10 + [409]
    people = hub.get("/api/v1/people", token=ada)[1]
    bea = next(each["id"] for each in people if each["name"] == "Bea")
    assert hub.delete(f"/api/v1/people/{bea}", ada)[0] == 204
    assert hub.command("store", "verify").returncode == 0


def test_the_demonstration_has_a_day_of_a_kitchen(make_hub):
    hub = make_hub(demo=True)
    ada = hub.sign_in("owner", "Ada")
    devices = hub.get(CLOCK, token=ada)[1]["devices"]
    (kitchen,) = [one for one in devices if one["name"] == "Kitchen"]
    assert (kitchen["on"], kitchen["silent"]) == (True, False)
    assert not any(one["on"] for one in devices if one is not kitchen)
    days = [datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(back) for back in (-1, 0, 1)]
    said = [each for day in days for each in hub.get(f"{CLOCK}/history?day={day}", token=ada)[1]["announcements"]]
    assert 90 <= len(said) <= 100 and {each["by"] for each in said} == {"own", "push"}
