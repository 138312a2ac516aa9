"""The API as Docs/openapi.yaml describes it."""

import re

from hub import ROOT

# WebSockets, endless streams, uploads in tus, sounds, and what asks a server elsewhere: these have tests of their own.
LEFT_OUT = [
    "/parse", "/parse/", "/app/{key}", "/events/{channel}", "/gateway",
    "/api/v1/anchor/tiles/{layer}/{zoom}/{column}/{row}",
    "/api/v1/albums/{id}/uploads", "/api/v1/albums/{id}/uploads/{upload}",
    "/api/v1/portfolios/{id}/uploads", "/api/v1/portfolios/{id}/uploads/{upload}",
    "/api/v1/clock/voices/{id}/parts/{part}"] + [
    f"{topic}/{form}" for topic in ("/{topic}", "/t/{topic}") for form in ("json", "sse", "raw", "ws")]


def documented():
    """Every (method, path) of the description."""
    found, path = set(), None
    for line in (ROOT / "Docs/openapi.yaml").read_text().partition("\npaths:\n")[2].splitlines():
        if line and not line.startswith(" "):
            break
        if match := re.fullmatch(r"  (/\S*):", line):
            path = match[1]
        elif match := re.fullmatch(r"    (get|put|post|patch|delete):", line):
            found.add((match[1], path))
    return found


# Parse's routes need an app's keys: Tests/Apps/Backend asks them.
LEFT_OUT += sorted({path for _, path in documented() if path.startswith("/parse/")})
