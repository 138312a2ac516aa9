"""Runs the scripts of Docs/door-contact.md against a real hub."""

import re
import subprocess
import types
import urllib.request

import pytest

from hub import ROOT, clean_environment, eventually

PAGE = (ROOT / "Docs/door-contact.md").read_text()


def block(language, beginning):
    found, = [text for text in re.findall(rf"```{language}\n(.*?)```", PAGE, re.S) if beginning in text]
    return found


@pytest.fixture
def token(hub_with_space):
    return hub_with_space.token("sensor", "front door")


def test_the_shell_script_reports_the_door_until_it_dies(hub_with_space, token, tmp_path):
    hub = hub_with_space
    script = block("sh", "is_open()").replace("heartbeat=30", "heartbeat=2")
    (tmp_path / "door-contact.sh").write_text(script)
    # Stands for the Raspberry Pi's pinctrl, which this machine lacks.
    pin, tool = tmp_path / "pin", tmp_path / "pinctrl"
    pin.write_text("1")
    tool.write_text(f'#!/bin/sh\n[ "$*" = "lev 17" ] && cat {pin}\n')
    tool.chmod(0o755)
    environment = clean_environment(EIGHTBELLS_TOKEN=token)
    environment["PATH"] = f"{tmp_path}:{environment['PATH']}"
    process = subprocess.Popen(["sh", tmp_path / "door-contact.sh", hub.url], env=environment)
    try:
        eventually(lambda: hub.state()["state"] == "open")
        pin.write_text("0")
        eventually(lambda: hub.state()["state"] == "closed")
        heard = hub.get("/api/v1/space/switch", token=token)[1]["heard_at"]
        eventually(lambda: hub.get("/api/v1/space/switch", token=token)[1]["heard_at"] > heard)
        hub.stop()
        hub.start()
        pin.write_text("1")
        eventually(lambda: hub.state()["state"] == "open", seconds=20)
    finally:
        process.kill()
        process.wait()
    eventually(lambda: hub.state()["state"] == "unknown", seconds=15)


def test_the_boards_program_reports_and_bears_a_hub_that_is_gone(hub_with_space, token):
    hub = hub_with_space
    program = {}
    exec(block("python", "def report"), program)  # noqa: S102: it is our own page

    def put(url, data, headers):
        request = urllib.request.Request(url, data.encode(), headers, method="PUT")
        with urllib.request.urlopen(request, timeout=10) as answer:
            return types.SimpleNamespace(status_code=answer.status, close=lambda: None)

    door = iter([True, True, False, False, True])
    states = []

    def pause(_):
        states.append(hub.state()["state"] if hub.process else None)
        if len(states) == 3:
            hub.stop()
        if len(states) == 4:
            hub.start()

    program["report"](put, lambda: next(door), hub.url, token, rounds=5, pause=pause)
    assert states[:3] == ["open", "open", "closed"] and states[4] == "open"


def test_the_example_of_a_sensor_is_taken(hub_with_space, token):
    example = re.sub(r"\$\(awk .*?\)", "21.5", block("sh", "sensors/temperature"))
    run = subprocess.run(["sh", "-c", example], env=clean_environment(EIGHTBELLS_TOKEN=token, hub=hub_with_space.url),
                         capture_output=True, text=True, timeout=20, check=False)
    sensor, = hub_with_space.get("/api/v1/space/sensors")[1]["sensors"]
    assert sensor["value"] == 21.5, run
