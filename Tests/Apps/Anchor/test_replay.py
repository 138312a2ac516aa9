"""`eightbells anchor replay`: one night in five formats, against arithmetic of the test's own."""

import datetime
import json
import math
import random
import subprocess

import pytest
from hub import BINARY
from receivers import angle, sentence

ANCHOR = (54.1, 10.2)
RADIUS, WARNING = 40.0, 30.0
START = 1_795_348_800
KINDS = {"warning", "alarm", "clear", "position lost", "position back"}


def night(seed=17):
    """A boat that swings, drags once, comes back, and is silent for five minutes: time, latitude, longitude."""
    chance = random.Random(seed)
    fixes = []
    for second in range(0, 7_200, 4):
        if 3_000 <= second < 3_300:
            continue
        distance = 22 + 6 * math.sin(second / 400) + chance.gauss(0, 1.5)
        if 5_000 <= second < 5_600:
            distance += 25
        bearing = math.sin(second / 900)
        north, east = distance * math.cos(bearing), distance * math.sin(bearing)
        # As exact as a receiver writes it: five decimals of a minute.
        latitude = round((ANCHOR[0] + north / 111_195) * 6e6) / 6e6
        longitude = round((ANCHOR[1] + east / 111_195 / math.cos(math.radians(ANCHOR[0]))) * 6e6) / 6e6
        metres = haversine(ANCHOR, (latitude, longitude))
        # Arithmetic may differ by less than a centimetre; no fix is so near to an edge.
        if min(abs(metres - RADIUS), abs(metres - WARNING)) > 0.01:
            fixes.append((START + second, latitude, longitude))
    return fixes


def haversine(one, other):
    (a, b), (c, d) = [tuple(map(math.radians, place)) for place in (one, other)]
    half = math.sin((c - a) / 2) ** 2 + math.cos(a) * math.cos(c) * math.sin((d - b) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(half))


def judged(fixes):
    """What has to come out, each fix judged alone: 60 s of silence are a gap, after 120 s the position is lost."""
    events, level, last = [], 0, None
    metres = [haversine(ANCHOR, fix[1:]) for fix in fixes]
    gaps = 0
    for (time, *_), distance in zip(fixes, metres):
        if last is not None:
            gaps += time - last >= 60
            if time - last > 120:
                events += [(last + 120, "position lost"), (time, "position back")]
        now = 2 if distance > RADIUS else 1 if distance > WARNING else 0
        if now < level:
            events.append((time, "clear"))
        if now != level and now:
            events.append((time, ["", "warning", "alarm"][now]))
        level, last = now, time
    return {
        "fixes": len(fixes), "gaps": gaps, "max_m": max(metres), "outside": sum(one > RADIUS for one in metres),
        "events": events,
    }


def stamp(time):
    return datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def nmea(fixes, talker="GP"):
    lines = []
    for time, latitude, longitude in fixes:
        at = datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
        lines.append(sentence(
            f"{talker}RMC,{at:%H%M%S},A,{angle(latitude, 2)},{'NS'[latitude < 0]},"
            f"{angle(longitude, 3)},{'EW'[longitude < 0]},0.1,90.0,{at:%d%m%y},,,A"))
        lines.append("$GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1*39\r\n")
    return "".join(lines)


def gpx(fixes):
    points = "".join(
        f'<trkpt lat="{latitude:.9f}" lon="{longitude:.9f}"><time>{stamp(time)}</time></trkpt>\n'
        for time, latitude, longitude in fixes
    )
    return f'<?xml version="1.0"?>\n<gpx version="1.1"><trk><trkseg>\n{points}</trkseg></trk></gpx>\n'


def gpsd(fixes):
    reports = [
        json.dumps({"class": "TPV", "device": "/dev/ttyUSB0", "mode": 3, "time": stamp(time), "lat": latitude,
                    "lon": longitude, "eph": 4.5})
        for time, latitude, longitude in fixes
    ]
    return '{"class":"VERSION","release":"3.22","proto_major":3,"proto_minor":14}\n' + "\n".join(reports) + "\n"


def signal_k(fixes):
    return "".join(
        json.dumps({"context": "vessels.self", "updates": [{"timestamp": stamp(time), "values": [
            {"path": "navigation.position", "value": {"latitude": latitude, "longitude": longitude}}]}]}) + "\n"
        for time, latitude, longitude in fixes
    )


def table(fixes):
    return "time,lat,lon\n" + "".join(f"{time},{latitude!r},{longitude!r}\n" for time, latitude, longitude in fixes)


FORMATS = {"NMEA 0183": nmea, "GPX": gpx, "gpsd": gpsd, "Signal K": signal_k, "a table": table}


def replay(path, *options, stdin=None):
    return subprocess.run(
        [BINARY, "anchor", "replay", path, *options], capture_output=True, text=True, input=stdin, timeout=60)


def answer(path, *options):
    run = replay(path, "--radius", f"{RADIUS}", "--json", *options)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_two_receivers_in_one_track_are_judged_by_one_and_the_other_is_told(tmp_path):
    track = tmp_path / "two.nmea"
    both = [nmea([fix]) + nmea([(fix[0], *ANCHOR)], "AI") for fix in night()]
    track.write_text("".join(both), newline="")
    said = replay(track, "--radius", f"{RADIUS}", "--anchor", f"{ANCHOR[0]},{ANCHOR[1]}").stdout
    assert "; 0 refused" in said and "It would have rung" in said and f"{len(night())} positions of other rec" in said
    found = answer(track, "--anchor", f"{ANCHOR[0]},{ANCHOR[1]}")
    assert found["witnesses"] == len(night()) and f"at most {round(found['apart_m'], 1)} m elsewhere" in said
    assert (found["format"], found["from"], found["more"]) == ("NMEA 0183", stamp(night()[0][0]), 0)


def test_a_receiver_that_comes_after_a_passage_is_not_said_to_be_elsewhere(tmp_path):
    track = tmp_path / "passage.nmea"
    there = nmea([(START + 3_600 + second, ANCHOR[0] + 0.2, ANCHOR[1]) for second in range(20)], "AI")
    track.write_text(nmea([(START + second, *ANCHOR) for second in range(20)]) + there, newline="")
    said = replay(track, "--radius", f"{RADIUS}", "--anchor", f"{ANCHOR[0]},{ANCHOR[1]}").stdout
    assert "15 positions of other receivers" in said and "at most 0.0 m elsewhere" in said


@pytest.mark.parametrize("name", FORMATS)
def test_each_position_alone_is_judged_as_arithmetic_says(tmp_path, name):
    fixes = night()
    # Not named after its format: the content tells.
    track = tmp_path / "track.bin"
    track.write_bytes(FORMATS[name](fixes).encode())
    found = answer(track, "--raw", "--anchor", f"{ANCHOR[0]},{ANCHOR[1]}", "--warning", f"{WARNING}")
    right = judged(fixes)
    assert found["refused"] == 0
    assert {key: found[key] for key in ("fixes", "gaps", "outside")} == {
        key: right[key] for key in ("fixes", "gaps", "outside")}
    assert found["max_m"] == pytest.approx(right["max_m"], abs=0.01)
    assert [(event["at"], event["kind"]) for event in found["events"]] == [
        (stamp(at), kind) for at, kind in right["events"]]
    assert list(found)[:7] == ["fixes", "refused", "gaps", "max_m", "outside", "events", "more"]
    assert {event["kind"] for event in found["events"]} == KINDS


def test_as_a_watch_it_rings_once_for_the_drag_and_once_for_the_silence(tmp_path):
    track = tmp_path / "night.csv"
    track.write_text(table(night()))
    found = answer(track, "--anchor", f"{ANCHOR[0]},{ANCHOR[1]}")
    rung = [event for event in found["events"] if event["kind"] in ("alarm", "position lost")]
    assert [event["kind"] for event in rung] == ["position lost", "alarm"]
    # Within a fix of the drag and the confirmation.
    assert stamp(START + 5_000) <= rung[1]["at"] <= stamp(START + 5_000 + 36)
    said = replay(track, "--radius", "40", "--anchor", "54.1,10.2").stdout
    assert "It would have rung 2 times." in said
    assert said.startswith("CSV: 17")


def test_the_anchor_is_the_first_position_or_a_median(tmp_path):
    track = tmp_path / "track.csv"
    places = [(1, 10, 179.9999), (2, 10, -179.9999), (3, 10.0002, 180), (4, 10, 180), (5, 11, 180)]
    track.write_text(table(places))

    def farthest(anchor):
        return answer(track, "--raw", "--anchor", anchor)["max_m"]

    for anchor, place in (("first", (10, 179.9999)), ("median:3", (10, 180)), ("median:5", (10, 180)),
                          ("10,180", (10, 180)), ("median:4", (10, 180))):
        assert farthest(anchor) == pytest.approx(haversine(place, (11, 180)), rel=1e-6), anchor


def test_backward_and_equal_times_are_refused_by_a_watch(tmp_path):
    track = tmp_path / "track.csv"
    track.write_text(table([(START + at, 54.1, 10.2) for at in (0, 1, 2, 2, 1, 3, 4)]))
    found = answer(track, "--anchor", "first")
    assert (found["fixes"], found["refused"]) == (5, 2)


@pytest.mark.parametrize(
    "options, words",
    [
        ([], "--radius M is missing"), (["--radius", "0"], "--radius 0: metres from 0.1"),
        (["--radius", "nan"], "metres from"), (["--radius", "40", "--warning", "41"], "--warning 41: metres from"),
        (["--radius", "40", "--anchor", "0,0"], "--anchor 0,0: degrees such as 54.1,10.2"),
        (["--radius", "40", "--anchor", "median:0"], "median:N"), (["--radius", "40", "--x"], "--x"),
    ],
)
def test_a_wrong_command_line_says_what_is_accepted(tmp_path, options, words):
    track = tmp_path / "track.csv"
    track.write_text("1,54,10\n")
    run = replay(track, *options)
    assert run.returncode == 2
    assert words in run.stderr


def test_a_file_that_is_no_track_says_what_it_looks_like(tmp_path):
    other = tmp_path / "other"
    for content, words in (("", "it is empty"), ("hello\nyou", 'it begins with "hello"')):
        other.write_text(content)
        run = replay(other, "--radius", "40")
        assert run.returncode == 1
        assert f"{words}; accepted are NMEA 0183, GPX, gpsd JSON, Signal K, CSV." in run.stderr
    assert "cannot be read: No such file" in replay(tmp_path / "none", "--radius", "40").stderr
    assert json.loads(replay("-", "--radius", "40", "--json", stdin="1,54,10\n2,54,10\n").stdout)["fixes"] == 2
