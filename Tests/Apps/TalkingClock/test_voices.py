"""Recorded voices: eightbells voice check, convert and preview, with parts made by sox and with digits of a telephone
system that somebody recorded."""

import json
import pathlib
import struct
import subprocess
import wave
import zipfile

import pytest

from hub import command

HOURS = [str(hour) for hour in range(1, 13)]
RECORDED = [*HOURS, "15", "30", "45", "AM", "PM"]
# Debian's asterisk-core-sounds-en-wav: 8 kHz, 16 bits.
DIGITS = pathlib.Path("/usr/share/asterisk/sounds/en_US_f_Allison/digits")


def sox(file, *effects, rate=44100, bits=16, channels=1):
    subprocess.run(["sox", "-r", str(rate), "-n", "-b", str(bits), "-c", str(channels), file, *effects], check=True)


def tone(file, seconds=0.4, loudness=-14, **kind):
    """A tone with silence around it."""
    sox(file, "synth", str(seconds), "sine", "440", "gain", str(loudness), "pad", "0.2", "0.3", **kind)


def manifest(folder, parts, **more):
    told = {"name": "Anna", "language": "en", "parts": parts} | more
    (folder / "voice.json").write_text(json.dumps(told))
    return folder


@pytest.fixture
def pack(tmp_path):
    """The 17 parts that one records."""
    folder = tmp_path / "anna"
    folder.mkdir()
    tone(folder / "1.wav")
    for name in RECORDED[1:]:
        (folder / f"{name}.wav").write_bytes((folder / "1.wav").read_bytes())
    return manifest(folder, {name: f"{name}.wav" for name in RECORDED})


def checked(pack, status=0):
    told = command("voice", "check", pack, "--json")
    assert told.returncode == status, told.stderr + told.stdout
    answer = json.loads(told.stdout)
    assert answer["good"] == (status == 0)
    return answer | {"parts": {row["part"]: row for row in answer["parts"]}}


def frames(file):
    with wave.open(str(file)) as opened:
        assert (opened.getnchannels(), opened.getsampwidth(), opened.getframerate()) == (1, 2, 44100)
        return opened.getnframes()


def test_a_recorded_voice_is_good_and_says_how_often_it_can_speak(pack):
    answer = checked(pack)
    assert len(answer["parts"]) == 17 and {row["error"] for row in answer["parts"].values()} == {None}
    twelve, _, whole = answer["ways"]
    assert twelve["hours"] == 12 and twelve["intervals"] == [15, 30, 60]
    assert twelve["missing"] == {"every": 20, "parts": ["20", "40"]}
    assert whole["hours"] == 24 and whole["intervals"] == []
    told = command("voice", "check", pack).stdout
    assert "Anna: English, 17 parts" in told and "every 15, 30, 60 minutes" in told
    assert "for every 20 minutes it lacks: 20, 40" in told


def test_every_bad_part_is_named_and_what_can_be_converted_is_taken(pack):
    tone(pack / "1.wav", rate=96000, bits=24, channels=2)
    tone(pack / "2.wav", rate=8000)
    subprocess.run(["sox", pack / "3.wav", "-t", "flac", pack / "flac"], check=True)
    (pack / "flac").rename(pack / "3.wav")  # named wrongly, but a sound
    subprocess.run(["sox", pack / "4.wav", "-t", "ul", "-r", "8000", pack / "4.au"], check=True)
    (pack / "5.wav").write_bytes(b"")
    (pack / "6.wav").write_bytes((pack / "6.wav").read_bytes()[:-20000])
    (pack / "7.wav").unlink()
    (pack / "8.wav").write_bytes(b"<!DOCTYPE html><title>Not found</title>")
    sox(pack / "9.wav", "trim", "0", "1")
    tone(pack / "10.wav", loudness=-55)
    sox(pack / "11.wav", "synth", "0.4", "square", "440", "gain", "0")
    (pack / "12.wav").unlink()
    (pack / "12.wav").mkdir()
    files = {name: f"{name}.wav" for name in RECORDED} | {"4": "4.au"}
    parts = checked(manifest(pack, files), status=1)["parts"]
    assert {name: row["error"] and row["error"]["code"] for name, row in parts.items()} == {
        name: None for name in RECORDED} | {
        "5": "empty", "6": "truncated", "7": "unreadable", "8": "not-sound", "9": "silent", "12": "unreadable"}
    assert {name: row["remarks"] for name, row in parts.items() if row["remarks"]} == {
        "4": ["headerless"], "10": ["too-quiet"], "11": ["clipped"]}
    for name in ("1", "2", "3", "4"):
        assert 0.88 < parts[name]["seconds"] < 0.92
    for name, said in (("5", "it is empty"), ("6", "it ends too early"), ("7", "there is no such file"),
                       ("8", "it is no sound file (it begins with \"<!DOCTYPE"), ("9", "nothing is heard"),
                       ("12", "it is no file")):
        assert parts[name]["error"]["message"].startswith(f"Part {name}, {name}.wav: {said}")


def test_a_clock_speaks_with_a_broken_voice_and_says_which_part_is_not_its_own(pack, tmp_path):
    (pack / "30.wav").write_bytes(b"")
    told = command("voice", "preview", pack, "--out", tmp_path / "heard.wav")
    assert told.returncode == 0 and "Part 30, 30.wav: it is empty" in told.stderr
    assert told.stdout.splitlines()[0] == "bigben 12 AM" and "12 30 PM" in told.stdout.splitlines()
    assert frames(tmp_path / "heard.wav") > 5 * 44100


@pytest.mark.parametrize("voice, words, first", [
    ("english", [], "bigben 12 AM"), ("german", [], "bigben 12 uhr"), ("german", ["--hours", "24"], "bigben 0 uhr"),
    ("bells", [], "bells bells bells bells")])
def test_the_programs_own_voices_are_heard(voice, words, first, tmp_path):
    told = command("voice", "preview", voice, *words, "--out", tmp_path / "heard.wav")
    assert (told.returncode, told.stderr) == (0, "") and told.stdout.splitlines()[0] == first
    stat = subprocess.run(["sox", tmp_path / "heard.wav", "-n", "stat"], capture_output=True, text=True, check=True)
    heard = {line.split(":")[0]: float(line.split(":")[1]) for line in stat.stderr.splitlines() if ":" in line}
    assert 0.2 < heard["Maximum amplitude"] <= 0.96 and 0.01 < heard["RMS     amplitude"] < 0.2
    assert heard["Length (seconds)"] > 8


def test_a_voice_goes_to_caf_and_back_without_a_changed_bit(pack, tmp_path):
    files = {name: f"{name}.wav" for name in RECORDED} | {"45": ["45.wav", "15.wav"]}
    manifest(pack, files, gap=0.05)
    told = command("voice", "convert", pack, "--to", "caf", "--out", tmp_path / "caf")
    assert (told.returncode, told.stderr) == (0, "") and told.stdout.startswith("17 parts written to")
    caf = (tmp_path / "caf/12.caf").read_bytes()
    # File header, then the description: rate, "lpcm", little-endian integers, 2 bytes a packet of 1 frame.
    assert caf[:8] == b"caff\0\1\0\0" and caf[8:12] == b"desc"
    assert struct.unpack(">d4sIIIII", caf[20:52]) == (44100.0, b"lpcm", 2, 2, 1, 1, 16)
    told = command("voice", "convert", tmp_path / "caf", "--to", "wav", "--out", tmp_path / "wav")
    assert told.returncode == 0
    with wave.open(str(pack / "12.wav")) as before, wave.open(str(tmp_path / "wav/12.wav")) as after:
        assert before.readframes(10 ** 6) == after.readframes(10 ** 6)
    assert 0.8 < frames(tmp_path / "wav/45.wav") / 44100 < 0.95, "two tones, without the silence around them"
    written = json.loads((tmp_path / "wav/voice.json").read_text())
    assert written == {"name": "Anna", "language": "en", "gap": 0.05,
                       "parts": {name: f"{name}.wav" for name in RECORDED}}
    told = command("voice", "convert", pack, "--to", "wav", "--out", tmp_path / "wav")
    assert told.returncode == 1 and "A new folder is needed" in told.stderr


def test_a_part_that_cannot_be_converted_is_left_out_and_named(pack, tmp_path):
    (pack / "45.wav").unlink()
    told = command("voice", "convert", pack, "--to", "wav", "--out", tmp_path / "wav")
    assert told.returncode == 1
    assert "Part 45, 45.wav: there is no such file." in told.stderr and "1 of its parts" in told.stderr
    assert "45" not in json.loads((tmp_path / "wav/voice.json").read_text())["parts"]


# MARK: Zip files


def packed(file, entries):
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return file


def test_a_zip_file_is_a_voice_with_or_without_a_folder_around_it(pack, tmp_path):
    entries = [(path.name, path.read_bytes()) for path in pack.iterdir()]
    within = [(f"Anna/{name}", content) for name, content in entries]
    assert checked(packed(tmp_path / "flat.zip", entries))["parts"].keys() == set(RECORDED)
    mac = [("__MACOSX/Anna/._1.wav", b"x"), ("Anna/.DS_Store", b"x")]
    assert checked(packed(tmp_path / "folder.zip", [*mac, *within]))["parts"].keys() == set(RECORDED)


def link(name):
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, 0o120777 << 16
    return entry


@pytest.mark.parametrize("entries, said", [
    ([("bomb.wav", bytes(60 << 20))], "bomb.wav: unpacked, it is too large; at most 48 MB in a file"),
    ([(f"{number}.wav", bytes(30 << 20)) for number in range(5)], "and 128 MB in all, are accepted"),
    ([("../../evil.wav", b"x")], "../../evil.wav: its name leads out of the pack"),
    ([("/etc/evil.wav", b"x")], "leads out of the pack"),
    ([("a\\..\\b.wav", b"x")], "leads out of the pack"),
    ([(link("12.wav"), "/etc/passwd")], "12.wav: it is a link"),
    ([(f"{number}", b"") for number in range(401)], "There are too many files in it; at most 400 are accepted"),
    ([("readme.txt", b"hello")], "voice.json: there is no such file"),
], ids=["one bomb", "many", "climbing", "absolute", "backslash", "link", "files", "no manifest"])
def test_a_zip_file_that_means_harm_is_refused(entries, said, tmp_path):
    file = packed(tmp_path / "voice.zip", entries)
    before = sorted(tmp_path.rglob("*"))
    told = command("voice", "check", file)
    assert told.returncode == 1 and said in told.stderr and told.stdout == ""
    assert sorted(tmp_path.rglob("*")) == before and not (tmp_path.parent / "evil.wav").exists()


@pytest.mark.parametrize("content, said", [
    (b"no zip at all", "It cannot be unpacked"), (b"", "It cannot be unpacked"), (None, "No such file")])
def test_what_is_no_zip_file_is_refused(content, said, tmp_path):
    if content is not None:
        (tmp_path / "voice.zip").write_bytes(content)
    told = command("voice", "check", tmp_path / "voice.zip")
    assert told.returncode == 1 and said in told.stderr


@pytest.mark.parametrize("words, said", [
    (["check"], "PACK is missing"),
    (["convert", "x", "--to", "mp3", "--out", "y"], "--to mp3: caf and wav are accepted"),
    (["convert", "x", "--to", "wav"], "--out DIR is missing"), (["preview", "english"], "--out FILE is missing"),
    (["preview", "english", "--out", "x.wav", "--hours", "7"], "--hours 7")])
def test_a_wrong_call_ends_with_2(words, said, tmp_path):
    told = command("voice", *words, cwd=tmp_path)
    assert told.returncode == 2 and said in told.stderr and list(tmp_path.iterdir()) == []


# MARK: A telephone's digits


def test_real_recorded_digits_are_a_voice(tmp_path):
    names = {str(number): f"digits/{number}.wav" for number in [*range(1, 21), 30, 40, 50]}
    tens = {str(ten + one): [f"digits/{ten}.wav", f"digits/{one}.wav"]
            for ten in (20, 30, 40, 50) for one in range(1, 10)}
    ohs = {f"0{one}": ["digits/oh.wav", f"digits/{one}.wav"] for one in range(1, 10)}
    words = {"AM": "digits/a-m.wav", "PM": "digits/p-m.wav", "oclock": "digits/oclock.wav"}
    folder = tmp_path / "allison"
    folder.mkdir()
    (folder / "digits").symlink_to(DIGITS)
    manifest(folder, names | tens | ohs | words, gap=0.03)
    answer = checked(folder)
    for way in answer["ways"][:2]:
        assert way["intervals"] == [1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30, 60]
    assert {row["seconds"] < 2 for row in answer["parts"].values()} == {True}
    told = command("voice", "preview", folder, "--oclock", "--out", tmp_path / "heard.wav")
    assert (told.returncode, told.stderr) == (0, "") and "9 oclock PM" in told.stdout
    assert frames(tmp_path / "heard.wav") > 10 * 44100
