"""A room that a program gets by one line in its list, and its pages by their folder: Tests/Fixtures/ToyRoom. The
program ToyHub is eightbells with that room; `bin/build ToyHub` builds it."""

import gzip
import json
import re
import shutil
import subprocess

import pytest

import hub as world
from hub import ROOT, command

TOY = world.BINARY.with_name("ToyHub")
ROOM = ROOT / "Tests/Fixtures/ToyRoom/Kettle"
KETTLE = "/api/v1/kettle"


@pytest.fixture(autouse=True)
def toy(monkeypatch):
    """These tests use the program with the toy room."""
    assert TOY.exists(), f"{TOY} is not there: bin/build ToyHub makes it"
    monkeypatch.setattr(world, "BINARY", TOY)


def test_the_help_has_a_group_for_it_behind_the_hubs_own_commands():
    told = command("--help").stdout
    assert re.search(r"\n\nKettle: Whether there is hot water\.\n"
                     r"  eightbells kettle status +Says whether there is hot water\.\n"
                     r"  eightbells kettle put-on +Puts the kettle on\.\n\nFor developers", told), told
    assert told.index("eightbells backup") < told.index("eightbells space open") < told.index("eightbells kettle")
    assert "Usage: eightbells kettle put-on --data DIR\n" in command("kettle", "put-on", "--help").stdout
    assert "Did you mean kettle?" in command("ketle").stderr
    for words, said in (("token", "puts the kettle on"), ("backup", "The water of the kettle is not in it.")):
        assert said in " ".join(command(words, "--help").stdout.split())
    for name in ("serve", "doctor"):
        assert "--kettle-minutes N" in command(name, "--help").stdout


def test_its_command_works_beside_a_running_hub_and_counts_there_at_once(make_hub):
    hub = make_hub()
    assert hub.get(KETTLE)[1] == {"hot": False, "since": None}
    told = command("kettle", "put-on", "--data", hub.data)
    assert told.returncode == 0 and told.stdout.startswith("hot since "), told.stderr
    status, answer = hub.get(KETTLE, token=hub.owner_token)
    assert status == 200 and answer["hot"] and answer["by"] == "command line"
    assert hub.get("/api/v1/audit", token=hub.owner_token)[1]["entries"][0]["what"] in ("kettle.put-on", "token.made")
    again = command("kettle", "put-on", "--data", hub.data)
    assert (again.returncode, again.stderr) == (1, "eightbells: There is hot water already.\n")
    assert command("kettle", "status", "--data", hub.data).stdout == told.stdout
    hub.stop()
    assert command("kettle", "status", "--data", hub.data).stdout == told.stdout, "and without a running hub"


def test_its_numbers_its_check_and_its_settings_are_there(make_hub, tmp_path):
    hub = make_hub()
    assert hub.post(KETTLE, hub.owner_token, {})[0] == 201
    assert "\neightbells_kettle_hot 1\n" in hub.get("/metrics", token=hub.owner_token)[1]
    told = command("doctor", "--data", hub.data, "--listen", f"127.0.0.1:{hub.port}").stdout
    assert re.search(r"ok +kettle +hot since ", told), told
    wrong = command("serve", "--data", tmp_path / "other", "--kettle-minutes", "999")
    assert wrong.returncode == 2 and "kettle_minutes: \"999\"; 1 to 240 are accepted." in wrong.stderr
    assert not (tmp_path / "other").exists()


def test_its_demo_says_what_one_may_do(make_hub):
    hub = make_hub(demo=True)
    assert f"There is hot water: {hub.url}/kettle" in hub.greeting
    assert hub.get(KETTLE)[1]["hot"] is True


def test_a_room_that_is_off_is_not_there(make_hub, tmp_path):
    hub = make_hub(options=["--rooms", "space"])
    assert hub.get(KETTLE)[0] == 404 and hub.get(world.STATE)[0] == 200
    assert "eightbells_kettle" not in hub.get("/metrics", token=hub.owner_token)[1]
    hub.stop()
    (hub.data / "eightbells.conf").write_text("rooms = programme, kettle\n")
    hub = make_hub()
    assert hub.get(KETTLE)[0] == 200 and hub.get(world.STATE)[0] == 404
    assert hub.get("/api/v1/rooms")[1]["rooms"] == ["programme"], "of a room that is off no page is offered"
    assert hub.request("GET", "/space").status == hub.request("GET", "/space/settings").status == 404
    front = hub.request("GET", "/").body.decode()
    assert '<html data-off="space bells clock anchor albums portfolio apps" lang="en" data-room="programme">' in front
    assert "<space-programme>" in front
    assert "space-sign" not in front and "/api/v1/space/state" not in front
    assert '<html data-off="space bells clock anchor albums portfolio apps"' in hub.request("GET", "/me").body.decode()
    worker = hub.request("GET", "/sw.js").body.decode()
    assert 'const OFF = ["space","bells","clock","anchor","albums","portfolio","apps"];' in worker
    (hub.data / "eightbells.conf").write_text("rooms = space\n")
    told = command("kettle", "put-on", "--data", hub.data)
    assert told.returncode == 1 and told.stderr.startswith("eightbells: Kettle is switched off")
    told = command("serve", "--data", tmp_path / "other", "--rooms", "kettel")
    assert told.returncode == 2 and not (tmp_path / "other").exists()
    known = "space, programme, bells, clock, anchor, albums, portfolio, apps, kettle"
    assert f"rooms: \"kettel\" is no room; one or more of {known} are accepted." in told.stderr
    assert "Did you mean kettle?" in told.stderr


def packed(root):
    """The files made by bin/pack-web, as text by address."""
    web = root / ".build/web"
    rows = re.findall(r'^  \{"([^"]+)", "\w+", packed_(\d+),', (web / "webfiles-packed.h").read_text(), re.M)
    assert len(rows) > 20
    return {name: gzip.decompress((web / f"{number}.gz").read_bytes()).decode(errors="replace")
            for name, number in rows}


def test_its_pages_words_and_description_are_packed_by_its_folder_alone(tmp_path):
    for part in ("bin", "Sources/Hub/Web", "Sources/Apps", "Sources/System/CPackedWebFiles"):
        shutil.copytree(ROOT / part, tmp_path / part)
    # The manual's documents name files of the whole tree.
    for folder in (".", "Sources", "Sources/Hub", "Sources/System"):
        for path in (ROOT / folder).iterdir():
            copy = tmp_path / folder / path.name
            if not copy.exists() and not path.name.startswith("."):
                copy.symlink_to(path)
    shutil.copytree(ROOM, tmp_path / "Sources/Apps/Kettle")
    shutil.copytree(ROOT / ".build/libraries", tmp_path / ".build/libraries")  # else they are downloaded
    rules = tmp_path / ".build/wasm/release"
    rules.mkdir(parents=True)
    for name in ("rules.wasm", "notifications.wasm", "speakingclock.wasm", "anchorwatch.wasm"):
        (rules / name).write_bytes(b"\0asm")
    done = subprocess.run([tmp_path / "bin/pack-web"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    files = packed(tmp_path)
    assert "kettle-state" in files["/kettle"] and "Is there hot water?" in files["/kettle"]
    assert "There is hot water" in files["/kettle/kettle.js"]
    shell = "".join(text for name, text in files.items() if name.endswith(".js"))
    for words in ("'Wasserkocher'", "put the kettle on", "Es gibt schon heißes Wasser.", "setzt Wasser auf"):
        assert words in shell, words
    rooms = json.loads(re.search(r"^const ROOMS = (.*);$", files["/sw.js"], re.M)[1])
    assert rooms["kettle"]["page"] == "/kettle" and "/kettle/kettle.js" in rooms["kettle"]["files"]
    assert "  /api/v1/kettle:\n" in files["/api/openapi.yaml"]
