"""Validates /spaceapi.json with the official schemas."""

import json

import jsonschema

from hub import ROOT

PATH = "/spaceapi.json"


def schema(version):
    return json.loads((ROOT / f"Tests/Fixtures/spaceapi/{version}.json").read_text())


def check(document):
    """Fails unless the document is valid for both versions at once."""
    assert document["api_compatibility"] in (["14", "15"], ["15"])
    for version in map(int, document["api_compatibility"]):
        jsonschema.Draft7Validator(schema(version), format_checker=jsonschema.FormatChecker()).validate(document)
    # Version 15 asks for both or none by dependentRequired, which validators of its draft ignore.
    location = document.get("location", {})
    assert ("lat" in location) == ("lon" in location)


def document(hub):
    status, found = hub.get(PATH)
    assert status == 200
    return found
