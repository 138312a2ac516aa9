"""Docs/configuration.md against the program: it lists every setting as the program's help does."""

import json
import os
import re

import pytest

from hub import ROOT, command, eventually

DOCUMENT = (ROOT / "Docs/configuration.md").read_text()
TABLE = [
    [cell.strip().replace("`", "") for cell in line.strip("|").split("|")]
    for line in DOCUMENT.splitlines() if line.startswith("| `--")]


def settings(name):
    """The options in a command's help: (name, placeholder, meaning, default)."""
    lines = command(name, "--help").stdout.split("\n\n")[2]
    found = []
    # A text too long for a line continues below itself.
    for line in re.sub(r"\n {10,}", " ", lines).splitlines():
        usage, meaning = re.split(r" {2,}", line.strip(), maxsplit=1)
        option, _, placeholder = usage.removeprefix("--").partition(" ")
        if placeholder:
            default = re.search(r" \(([^()]*)\)$", meaning)
            found.append((option, placeholder, meaning[:default.start()] if default else meaning,
                          default[1] if default else ""))
    return found


def test_the_table_is_what_the_program_says():
    told = settings("serve")
    assert len(told) > 5
    assert TABLE == [
        [f"--{name} {placeholder}", f"{meaning} ({default})" if default else meaning]
        for name, placeholder, meaning, default in told]


def test_the_doctor_takes_the_same():
    assert settings("doctor") == settings("serve")


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_the_file_takes_what_the_table_says(tmp_path, row):
    name = row[0].split()[0].removeprefix("--").replace("-", "_")
    default = re.search(r" \(([^()]*)\)$", row[1])
    value = default[1] if default else ""
    # A second line that is certainly wrong: an error about it means that the first was accepted.
    (tmp_path / "eightbells.conf").write_text(f"{name} = {value}\nno such name\n")
    told = command("serve", "--data", tmp_path)
    assert told.returncode == 2
    assert ("line 1: unknown name" in told.stderr) == (name == "data")
    assert ("line 2" in told.stderr) == (name != "data")


def test_the_example_of_the_file_is_understood(tmp_path):
    example = re.search(r"```\n(# Where.*?)```", DOCUMENT, re.DOTALL)[1]
    (tmp_path / "eightbells.conf").write_bytes(b"\xef\xbb\xbf" + example.replace("\n", "\r\n").encode())
    told = command("doctor", "--data", tmp_path, "--listen", "127.0.0.1:0")
    assert re.search(r"ok +settings +understood", told.stdout), told.stdout


@pytest.mark.parametrize("words, said", [
    (["--log-level", "loud"], ["log_level", "loud", "debug, info, warning, error"]),
    (["--log-format", "xml"], ["log_format", "xml", "text, json"]),
    *[([f"--{name.replace('_', '-')}", value], [name, value, "commas"]) for name, value in (
        ("rooms", "space programme bells"), ("trusted_proxies", "127.0.0.0/8 ::1/128"),
        ("reachable_networks", "192.168.10.0/24 fd00::/8"), ("attachment_hosts", "a.example b.example"),
        ("push_networks", "192.168.10.0/24 fd00::/8"), ("apns_names", "a.example b.example"))],
])
def test_a_wrong_value_ends_with_2(tmp_path, words, said):
    told = command("serve", "--data", tmp_path / "data", *words)
    assert told.returncode == 2 and [part for part in said if part not in told.stderr] == []


@pytest.mark.parametrize("make", [
    lambda path: path.mkdir(), lambda path: path.write_bytes("listen = 127.0.0.1:0".encode("utf-16"))],
    ids=["a folder", "UTF-16"])
def test_a_file_that_cannot_be_read_ends_with_2_and_the_doctor_says_what_it_has_to_be(tmp_path, make):
    make(tmp_path / "eightbells.conf")
    told = command("serve", "--data", tmp_path)
    assert told.returncode == 2 and str(tmp_path / "eightbells.conf") in told.stderr
    told = command("doctor", "--data", tmp_path)
    assert told.returncode == 1 and f"ls -ld {tmp_path}/eightbells.conf" in told.stdout


@pytest.mark.parametrize("option, address", [("smtp", "smtp://bells:geheim@a"), ("anchor-mqtt", "mqtt://me:geheim@a")])
def test_a_password_in_an_address_is_not_repeated(tmp_path, option, address):
    told = command("serve", "--data", tmp_path / "data", f"--{option}", address)
    assert told.returncode == 2 and "geheim" not in told.stderr
    assert f"{option.replace('-', '_')}_password_file" in told.stderr


def test_the_log_is_json_for_those_who_ask(make_hub):
    hub = make_hub(env={"EIGHTBELLS_LOG_FORMAT": "json"})
    hub.turn(True)
    hub.stop()
    lines = [json.loads(line) for line in hub.log.splitlines()]
    turned, = [line for line in lines if line["message"] == "the sign was turned"]
    assert turned["level"] == "info" and turned["open"] == "true"
    started, = [line for line in lines if line["message"] == "the hub listens"]
    assert started["url"].endswith(f":{hub.port}") and started["version"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", turned["time"])


def test_the_journal_gets_the_level_as_a_priority(make_hub):
    hub = make_hub()
    hub.turn(True)
    assert "\n<6>" not in hub.log and not hub.log.startswith("<")
    hub.stop()
    log = os.stat(hub.data.parent / f"{hub.data.name}.log")
    hub.env["JOURNAL_STREAM"] = f"{log.st_dev}:{log.st_ino}"
    before = len(hub.log)
    hub.start()
    hub.turn(False)
    assert re.search(r"^<6>\S+Z info the sign was turned ", hub.log[before:], re.MULTILINE), hub.log


def test_the_log_tells_only_what_was_asked_for(make_hub):
    hub = make_hub(env={"EIGHTBELLS_LOG_LEVEL": "warning"})
    hub.turn(True)
    hub.stop()
    eventually(lambda: hub.process is None)
    assert hub.log == ""
