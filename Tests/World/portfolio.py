"""Pictures in folders, and the command: the most usual steps of tests of portfolios."""

import json
import random
import subprocess

from PIL import Image

from hub import command

PORTFOLIOS = "/api/v1/portfolios"
# Servers of tests are on this machine.
REACHABLE = {"EIGHTBELLS_REACHABLE_NETWORKS": "127.0.0.0/8"}


def photo(path, seed=0, size=(900, 600)):
    """Writes a JPEG with a gradient and noise; another seed, another picture."""
    path.parent.mkdir(parents=True, exist_ok=True)
    colors = random.Random(seed)
    left, right = (Image.new("RGB", size, tuple(colors.randrange(256) for _ in range(3))) for _ in range(2))
    Image.composite(left, right, Image.linear_gradient("L").resize(size)).save(path)
    return path


def described(path, *words):
    """Writes words into a picture as programs for photographers do, such as "XMP-dc:Title=Fog"."""
    options = ["-q", "-m", "-overwrite_original", "-charset", "iptc=Latin1"]
    subprocess.run(["exiftool", *options, *(f"-{word}" for word in words), str(path)], check=True)
    return path


def run(data, *words, env=REACHABLE, seconds=120):
    """Runs `eightbells portfolio …` on a hub's data."""
    return command("portfolio", *words, "--data", data, env=env, seconds=seconds)


def add(data, source, *words):
    """The id of a new portfolio."""
    made = run(data, "add", "--source", source, *words)
    assert made.returncode == 0, made.stderr
    return json.loads(made.stdout)["id"]


def sync(data, portfolio, *words):
    """The report of a sync that went well, and of the next one if something was missing."""
    done = run(data, "sync", portfolio, "--json", *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    if report["missing"]:
        second = sync(data, portfolio)
        report |= {name: second[name] for name in ("photos", "gone", "missing")}
    return report


def numbers(report):
    return {name: report[name] for name in ("photos", "new", "changed", "gone")}


def galleries(hub, portfolio, who):
    """The galleries' titles, and the titles of their pictures."""
    status, answer = hub.get(f"{PORTFOLIOS}/{portfolio}", token=who)
    assert status == 200, answer
    return {one["title"]: pictures(hub, portfolio, one["id"], who) for one in answer["galleries"]}


def pictures(hub, portfolio, gallery, who):
    status, answer = hub.get(f"{PORTFOLIOS}/{portfolio}/galleries/{gallery}", token=who)
    assert status == 200, answer
    return answer["pictures"]
