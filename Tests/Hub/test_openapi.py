"""The API against its own description: schemathesis sends valid and invalid requests by Docs/openapi.yaml to a real
hub, and no answer may be a server error or outside of the description."""

import os
import subprocess
import sys

import pytest

from api import LEFT_OUT
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
