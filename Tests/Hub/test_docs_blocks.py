"""Every block of commands that a document shows is run: here, by a test that is named, or not, for a reason that is
told. A new block that is neither fails."""

import json
import re
import subprocess
import threading
import time

import pytest

from documents import HERE, blocks, documents, run
from gpsd import Gpsd
from hub import ROOT, SETTINGS
from png import png

ROOT_ONLY = "needs root and systemd; bin/package --check installs the packages, starts them and takes them away"
AS_WRITTEN = "needs root and systemd; bin/package --check runs it as it is written"
BUILDS = "builds the whole, which these very tests come out of"
# Where blocks are run that are not run here, or why not: by the document, and by what a block begins with.
ELSEWHERE = {
    "albums.md": {"sudo install": "needs root and systemd"},
    "notifications.md": {"": "Tests/Apps/Bells/test_documentation.py"},
    "notifications-api.md": {"": "Tests/Apps/Bells/test_documentation.py"},
    "notification-views.md": {"": "Tests/Apps/Bells/test_documentation.py"},
    "private-messages.md": {
        "eightbells agent key open": "Tests/Push/test_private_messages.py",
        "": "Tests/Apps/Bells/test_documentation.py"},
    "apns.md": {"": "Tests/Apps/Bells/test_documentation.py"},
    "webhooks.md": {"": "Tests/Apps/Bells/test_webhooks.py"},
    "evening-family.md": {"": "Tests/Browser/test_evening_family.py"},
    "evening-hackerspace.md": {"": "Tests/Browser/test_evening_hackerspace.py"},
    "evening-photographer.md": {"": "Tests/Browser/test_evening_photographer.py"},
    "evening-skipper.md": {"": "Tests/Browser/test_evening_skipper.py"},
    "memory-graph.md": {
        "memorygraph leaks 4711 --every 5m": "Tests/Hub/test_memory_rings.py",
        "": "Packages/MemoryGraph/Tests/Tool/test_documentation.py"},
    "examples/words/README.md": {"DATA=": "Tests/Browser/test_words_game.py"},
    "adding-a-room.md": {"bin/build": "Tests/Hub/test_toy_room.py"},
    "door-contact.md": {"#!/bin/sh\n# door-contact.sh": "Tests/Apps/Space/test_door_contact.py"},
    "apps.md": {
        "eightbells serve": "Tests/Apps/Backend/test_apps.py", "cat > index.html": "Tests/Apps/Backend/test_apps.py",
        "BODY=": "Tests/Apps/Backend/test_apps.py"},
    "agent.md": {
        "#!/bin/sh\n# /usr/local/bin/attach": "Tests/Push/test_agent_extension.py",
        "eightbells-agent … --audio": "Tests/Apps/TalkingClock/test_clock_chain.py",
        "cd /var/lib/eightbells-agent\ngpspipe": "needs a GPS receiver at gpsd, and jq",
        "sudo apt install": ROOT_ONLY},
    "talking-clock.md": {"eightbells clock run": "Tests/Apps/TalkingClock/test_clock_sound.py"},
    "portfolio.md": {"eightbells portfolio add --data DIR --source webdav": "Tests/Apps/Portfolio/test_webdav.py"},
    "flickr.md": {"eightbells portfolio add": "Tests/Flickr/test_flickr_portfolio.py"},
    "README.md": {
        "sudo apt install": ROOT_ONLY, "bin/serve": BUILDS, "bin/package": BUILDS,
        "python3 -m venv": "Tests/Realtime/test_pysher.py"},
    "CONTRIBUTING.md": {
        "bin/build": BUILDS, "node --test": "is a part of bin/test", "swift format": "is a part of bin/test"},
    "Packages/MemoryGraph/README.md": {"bin/build": BUILDS},
    "benchmarks.md": {"bin/bench": "takes nearly an hour"},
    "configuration.md": {
        "createdb": "Tests/Hub/test_server_store.py", "nats-server": "Tests/Hub/test_two_hubs.py",
        "cat > keys": "Tests/Hub/test_bucket.py", "sudo install": "needs root"},
    "https.md": {"sudo install": "needs root, systemd and certbot"},
    "several-hubs.md": {"": "needs several machines, root and systemd"},
    "install.md": {
        "bin/package": BUILDS, "sudo apt install": ROOT_ONLY, "echo 'listen": ROOT_ONLY, "systemctl stop": AS_WRITTEN,
        "docker load": "needs Docker; Tests/Hub/test_packages.py looks at what it reads of the image",
        "podman load": "needs podman; bin/package --check loads and runs the image",
        "scp": "needs a machine at a provider", "cat > /var/lib": ROOT_ONLY, "sudo -u": ROOT_ONLY,
        "cat > /etc/cron.d": AS_WRITTEN, "install .build": ROOT_ONLY, "sudo systemctl start": ROOT_ONLY,
        "sudo systemctl disable": "Tests/Hub/test_docs_blocks.py",
        "sudo systemctl stop": "needs root and systemd; Tests/Hub/test_upgrade.py has its commands"},
}
READINGS = {}
SHOWN = '{"what":"shown","id":"12"}'  # what an agent's command is told
FIELD = "sed -E 's/.*\"{0}\":\"([^\"]*)\".*/\\1/'"  # of JSON on one line
APP = f"""eightbells app create --data data --name Game > app.json
APP_ID=$({FIELD.format("app_id")} app.json)
APP=$({FIELD.format("application_id")} app.json)
MASTER=$({FIELD.format("master_key")} app.json)
"""


def is_run_elsewhere(name, block):
    return any(block.startswith(beginning) for beginning in ELSEWHERE.get(name, {}))


def rest(name, path):
    """The blocks of a document that are run here."""
    return [block for block in blocks(path) if not is_run_elsewhere(name, block)]


def test_each_block_of_each_document_is_run_or_says_why_not():
    everything = documents()
    assert set(READINGS) == {name for name, path in everything.items() if rest(name, path)}, "these have to be run"
    for name, reasons in ELSEWHERE.items():
        shown = blocks(everything[name])
        for beginning, why in reasons.items():
            assert any(block.startswith(beginning) for block in shown), f"{name} has no block {beginning!r}"
            if why.startswith(("Tests/", "Packages/")):
                assert (ROOT / why).exists(), why


def test_the_nightly_backup_is_heard_of_only_when_it_fails(hub, tmp_path):
    line, = re.findall(r"^ *30 3 \* \* \* eightbells (.*)$", documents()["install.md"].read_text(), re.MULTILINE)
    line = line.replace("/var/lib/eightbells", str(hub.data))
    assert run(tmp_path, line, {}) == "" and (hub.data / "night.tar").exists()
    (hub.data / "night.tar").unlink()
    (hub.data / "night.tar").mkdir()
    # A folder of its own, since each run has its programs there.
    (tmp_path / "again").mkdir()
    assert "night.tar" in run(tmp_path / "again", line, {})


# What the commands of a machine with systemd do here.
STAND_INS = """USER=ada
sudo() { "$@"; }
apt() { :; }
chown() { :; }
scp() { :; }
systemctl() { :; }
install() { mkdir -m 700 "${@: -1}"; }
"""


@pytest.mark.file
def test_a_hub_moves_to_another_machine_as_it_is_written(hub_with_space, make_hub, tmp_path):
    hub, other = hub_with_space, make_hub("other")
    words = documents()["install.md"].read_text().partition("### To another machine\n")[2]
    away, here = re.findall(r"^```sh\n(.*?)^```$", words, re.M | re.S)[:2]
    expected = hub.get(SETTINGS, token=hub.owner_token)
    hub.stop()
    other.stop()
    run(tmp_path, STAND_INS + away.replace("/var/lib/eightbells", str(hub.data))
        + here.replace("/var/lib/eightbells", str(other.data)), {})
    other.start()
    assert expected[0] == 200 and other.get(SETTINGS, token=hub.owner_token) == expected
    assert (other.data.parent / "other-begun/eightbells.sqlite").exists()


def reading(name):
    """What a reader of a document has and does: a function from the hub and a folder to {what stands in the document:
    what the reader types instead}, {the beginning of a block: what is done before it}, and variables."""
    def keep(prepare):
        READINGS[name] = prepare
        return prepare
    return keep


@pytest.mark.parametrize("name", sorted(name for name, path in documents().items() if rest(name, path)))
def test_the_commands_of_a_document_work_as_they_stand(name, hub_with_space, tmp_path):
    hub, folder = hub_with_space, tmp_path / "reader"
    folder.mkdir()
    (folder / "data").symlink_to(hub.data)
    instead, before, env = READINGS[name](hub, folder)
    script = ""
    for block in rest(name, documents()[name]):
        first = [done for beginning, done in before.items() if block.startswith(beginning)]
        if block.startswith("#!"):  # a file of its own
            block = f"cat > file <<'FILE'\n{block}FILE\nsh file <<< '{SHOWN}'\n"
        script += "\n".join([*first, block])
    for told, typed in instead.items():
        assert told in script, f"{name} has no {told!r}"
        script = script.replace(told, typed)
    run(folder, script.replace(HERE, hub.url), {"HUB": hub.url, "EIGHTBELLS_HUB": hub.url} | env)


@reading("README.md")
def _(hub, folder):
    (folder / "logo.png").write_bytes(png(40, 30))
    return {}, {}, {}


@reading("agent.md")
def _(hub, folder):
    (folder / "programs").mkdir()
    pin = folder / "programs/pinctrl"  # a Raspberry Pi's, whose button is pressed
    pin.write_text("#!/bin/sh\n[ $1 != lev ] || echo 0\n")
    pin.chmod(0o755)
    return {
        "--topic space": "--topic space > device.json",
        "export EIGHTBELLS_TOKEN=…": f"export EIGHTBELLS_TOKEN=$({FIELD.format('secret')} device.json)",
        "https://hub.example --exec 'aplay /usr/share/sounds/alsa/Front_Center.wav'":
            "$HUB --exec true --state state --json > told &\nuntil_told grep connected told",
        "sudo -u eightbells-agent ": "", "/var/lib/eightbells-agent": "state",
        '"seconds": 240': '"seconds": 1',
    }, {"sudo -u eightbells-agent eightbells-agent --last-words": "until_told grep 'Tea is ready' told\n"}, {}


@reading("albums.md")
def _(hub, folder):
    return {}, {}, {}


@reading("anchor-watch.md")
def _(hub, folder):
    (folder / "night.log").write_text("time,lat,lon\n" + "".join(
        f"{1795200000 + 10 * second},54.1,{10.2 + second % 3 * 1e-5:.5f}\n" for second in range(100)))
    gpsd = Gpsd()
    threading.Thread(target=tell_for_long, args=[gpsd], daemon=True).start()
    here = {"type": "location", "_type": "location", "lat": 54.32, "lon": 10.14, "acc": 5, "tst": int(time.time())}
    phone = hub.post("/api/v1/anchor/phones", hub.sign_in("owner", "Ada"), {"name": "Ada", "app": "owntracks"})[1]
    return {
        "1795200000": str(int(time.time())),
        '      # {"id", "secret", "link", "qr", "config"}':
            f" > phone.json\nSECRET=$({FIELD.format('secret')} phone.json)",
        "-b jar": '-b "$COOKIE"',
        "eightbells-agent --gpsd localhost --state ~/boat      # or: eightbells agent …":
            "unset EIGHTBELLS_HUB EIGHTBELLS_TOKEN\n"
            f"eightbells-agent --gpsd {gpsd.address} --state boat &\n"
            "until_told eval 'eightbells-agent anchor status --state boat | grep best'",
        "~/boat": "boat", "sudo -u eightbells-agent ": "", "/var/lib/eightbells-agent": "boat",
    }, {"eightbells anchor drop": f"curl -u phone:{phone['secret']} $HUB/api/v1/anchor/owntracks "
                                  f"-H 'Content-Type: application/json' -d '{json.dumps(here)}'\n"}, {
        "COOKIE": hub.sign_in("owner", "Ada")["Cookie"], "EIGHTBELLS_TOKEN": hub.owner_token}


def tell_for_long(gpsd):
    """A fix each half second, while there is a listener to it, for as long as a test may take."""
    for _ in range(100):
        gpsd.tell()
        time.sleep(0.5)


@reading("app-triggers.md")
def _(hub, folder):
    return {}, {"curl -X POST": APP}, {}


@reading("apps.md")
def _(hub, folder):
    text = documents()["apps.md"].read_text()
    page = next(one for one in text.split("```html\n")[1:] if "APPLICATION_ID" in one).partition("```")[0]
    (folder / "list.html").write_text(page)
    return {"python3 -m http.server 8000": "! grep -E 'APPLICATION_ID|REST_KEY' list.html", "1234567": "$APP_ID"}, {
        "eightbells app export": APP}, {}


@reading("calendars.md")
def _(hub, folder):
    (folder / "camp.ics").write_text(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Test//EN\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTAMP:20260101T000000Z\r\n"
        "DTSTART:20260701T180000Z\r\nSUMMARY:Camp\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n")
    return {}, {}, {"EIGHTBELLS_TOKEN": hub.owner_token}


@reading("door-contact.md")
def _(hub, folder):
    (folder / "temp").write_text("41234\n")
    return {"eightbells token": "export EIGHTBELLS_TOKEN=$(eightbells token", "--role sensor": "--role sensor)",
            "/sys/class/thermal/thermal_zone0/temp": "temp"}, {
        "curl --header": "curl -X PUT $hub/api/v1/space/switch -H \"Authorization: Bearer $EIGHTBELLS_TOKEN\" "
                         "-d '{\"open\": true, \"heartbeat_s\": 30}'\n"}, {"hub": hub.url}


@reading("ntfy.md")
def _(hub, folder):
    (folder / "door.jpg").write_bytes(png(20, 20))
    return {"eightbells token": "TOKEN=$(eightbells token", "--data DIR    #": "--data data)  #", "DIR": "data",
            "eb_…": "$TOKEN", "https://hub.example": "$HUB", "/coffee/json": "/coffee/json?poll=1"}, {}, {}


@reading("people.md")
def _(hub, folder):
    return {"K7PX-3MRT": hub.link("owner", "Ada")[1]}, {}, {}


@reading("portfolio.md")
def _(hub, folder):
    hub.sign_in("owner", "Ada")
    (folder / "photos/Coast").mkdir(parents=True)
    (folder / "photos/Coast/pot.png").write_bytes(png(400, 300))
    return {"/srv/photos --name Work --for Ada": f"$PWD/photos --name Work --for Ada > work.json\n"
                                                 f"WORK=$({FIELD.format('id')} work.json)",
            "QiCCyJMRWuUx44G3": "$WORK", "DIR": "data"}, {}, {}


@reading("talking-clock.md")
def _(hub, folder):
    hub.sign_in("owner", "Ada")
    return {"DIR": "data"}, {}, {}


@reading("voices.md")
def _(hub, folder):
    (folder / "anna").mkdir()
    names = [*map(str, range(1, 13)), "15", "30", "45", "AM", "PM"]
    for name in names:
        subprocess.run(["sox", "-n", "-r", "44100", "-b", "16", "-c", "1", folder / f"anna/{name}.wav", "synth", "0.4",
                        "sine", "440", "gain", "-14"], check=True, timeout=20)
    (folder / "anna/voice.json").write_text(json.dumps(
        {"name": "Anna", "language": "en", "parts": {name: f"{name}.wav" for name in names}}))
    return {}, {}, {}
