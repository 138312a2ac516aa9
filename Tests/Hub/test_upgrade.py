"""Data folders of all earlier versions, migrated: nothing they contained is lost. bin/test migrates all of them."""

import pytest

from hub import command
from upgrade import FOLDERS, told, unpack

VERSIONS = sorted(path.name for path in FOLDERS.iterdir())


def missing(before, now, path=""):
    """The paths at which an earlier answer is missing or different. New members may have been added."""
    if isinstance(before, dict) and isinstance(now, dict):
        return [gap for name in before for gap in missing(before[name], now.get(name), f"{path}.{name}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [gap for number, one in enumerate(before) for gap in missing(one, now[number], f"{path}[{number}]")]
    return [] if before == now else [f"{path}: {before!r} became {now!r}"]


@pytest.mark.parametrize("version", VERSIONS)
def test_everything_is_there_that_an_earlier_version_kept(make_hub, version):
    hub = make_hub(start=False)
    before = unpack(version, hub.data)
    hub.start()
    assert missing(before["told"], told(hub, before["who"])) == []
    assert hub.stop() == 0
    verified = command("store", "verify", "--data", hub.data)
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_what_is_gone_or_different_is_found():
    assert missing({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2, "new": 3}], "new": 4}) == []
    assert missing({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}) == [".a[1].b: 2 became 3"]
    assert missing({"a": [1]}, {"a": [1, 2]}) == [".a: [1] became [1, 2]"]
    assert missing({"a": 1}, {}) == [".a: 1 became None"]
