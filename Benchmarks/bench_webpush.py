"""Encrypting messages for Web Push (RFC 8291) beside OpenSSL's key agreement, which each message needs, with a new key
on top."""

import pathlib
import re
import statistics
import subprocess

from figure import Figure
from measure import ON_SERVER_CORE, in_turns, median_ratio, needed, spread

OURS = pathlib.Path(__file__).resolve().parent.parent / ".build/release/webpushtrial"
ROUNDS, SECONDS = 5, 1
# At least 0.45 messages for each key agreement.
BAR = 1 / 0.45


def told(*words):
    return subprocess.run(
        [*ON_SERVER_CORE, *map(str, words)], capture_output=True, text=True, timeout=60, check=True).stdout


def ours():
    return float(told(OURS, "speed", SECONDS).split()[1])


def openssl():
    table = told("openssl", "speed", "-seconds", SECONDS, "ecdhp256")
    return float(re.search(r"nistp256\)\s+\S+\s+([\d.]+)", table)[1])


def figures():
    needed("openssl")
    runs = in_turns({"ours": ours, "openssl": openssl}, lambda run: run(), ROUNDS)
    rates = {name: statistics.median(found) for name, found in runs.items()}
    yield Figure("Web Push, messages encrypted", rates["ours"], "/s", notes=spread(runs["ours"], "{:,.0f}"))
    yield Figure("OpenSSL, key agreements on P-256", rates["openssl"], "/s")
    yield Figure("OpenSSL : Web Push", median_ratio(runs["openssl"], runs["ours"]), "×", BAR)
