"""The API against its own description: schemathesis sends valid and invalid requests by Docs/openapi.yaml to a real
hub, and no answer may be a server error or outside of the description."""

import os
import subprocess
import sys

import pytest

from api import LEFT_OUT
from asker import Bodies
from hub import ROOT

EXAMPLES = int(os.environ.get("EIGHTBELLS_API_EXAMPLES", "12"))  # for each operation and phase
ROLE_SECONDS = int(os.environ.get("EIGHTBELLS_API_SECONDS", "8"))  # for each role; fuzzing ends with it
SECONDS = 300


def schemathesis(hub, fields, *options):
    """Runs it against the hub; returns its report."""
    words = [sys.executable, "-m", "schemathesis.cli", "run", str(ROOT / "Docs/openapi.yaml"), "--url", hub.url,
             "--max-examples", str(EXAMPLES), "--phases", "examples,coverage,fuzzing", "--request-timeout", "20",
             "--max-time", str(ROLE_SECONDS), "--generation-deterministic", "--no-color",
             "--continue-on-failure",
             "--checks", "not_a_server_error,status_code_conformance,content_type_conformance,"
             "response_schema_conformance,response_headers_conformance", *options]
    for path in LEFT_OUT:
        words += ["--exclude-path", path]
    for name, value in fields.items():
        words += ["--header", f"{name}: {value}"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=hub.data)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.timeout(SECONDS + 60)
@pytest.mark.parametrize("role", ["owner", "member", "stranger"])
def test_the_hub_answers_as_its_description_says(demo_hub, role):
    token = {"owner": demo_hub.owner_token, "member": demo_hub.token("member"), "stranger": None}[role]
    fields = {"Authorization": f"Bearer {token}"} if token else {}
    code, report = schemathesis(demo_hub, fields)
    assert demo_hub.process.poll() is None, "the hub has ended"
    assert code == 0, report[-12_000:]


def test_no_name_is_a_truth_to_readers_of_yaml_1_1():
    """There `on` without quotes is true, and generators of clients give up."""
    def names(part):
        for name, value in part.items() if isinstance(part, dict) else enumerate(part):
            yield from [name] if isinstance(part, dict) else []
            yield from value if name in ("required", "enum") and isinstance(value, list) else []
            yield from names(value) if isinstance(value, (dict, list)) else []
    assert [name for name in names(Bodies().api) if isinstance(name, bool)] == []


def test_the_anchor_watch_takes_what_the_description_accepts_and_nothing_beyond(hub):
    """The limits of requests, which schemathesis does not look at: some hang together, as a gap and a lost position."""
    api, watch = Bodies().api, "/api/v1/anchor"
    ada = hub.sign_in("member", "Ada")
    assert hub.post(f"{watch}/drop", ada, {"lat": 54.1, "lon": 10.2})[0] == 200
    settings = api["components"]["schemas"]["AnchorSettings"]["properties"]
    objects = {"boat": {}, "rode": {"length_m": 30, "depth_m": 5}, "depth_m": {"min": None, "max": None},
               "still_watching": {}}
    sectors = settings["excluded"]["items"]["properties"]
    sector = {"from_deg": 10, "to_deg": 20, "inner_m": 1, "outer_m": 5000}
    asked = [({"gap_s": 5, "lost_s": 7200, name: value}, *what) for name, schema in settings.items()
             for value, *what in edges(schema)]
    asked += [({name: usual | {inner: value}}, *what) for name, usual in objects.items()
              for inner, schema in settings[name]["properties"].items() for value, *what in edges(schema)]
    asked += [({"excluded": [sector | ({"inner_m": 0} if name == "outer_m" else {}) | {name: value}]}, *what)
              for name, schema in sectors.items() if name != "inner_m" for value, *what in edges(schema)]
    assert len(asked) > 50
    wrong = [change for change, status in asked if hub.patch(watch, ada, change)[0] != status]
    assert not wrong

    report = api["paths"][f"{watch}/positions"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    kinds = report["properties"]["events"]["items"]["properties"]["kind"]["enum"]
    told = {kind: hub.post(f"{watch}/positions", ada, {
        "kind": "page", "events": [{"at": 1795200000, "kind": kind, "distance_m": 1}],
    })[0] for kind in [*kinds, "other"]}
    assert told == dict.fromkeys(kinds, 200) | {"other": 400}


def edges(schema):
    """The numbers at a schema's limits and just beyond, with the statuses of their answers."""
    for limit, beyond in (("minimum", -0.1), ("maximum", 0.1)):
        if limit in schema:
            yield schema[limit], 200
            yield schema[limit] + beyond, 400
