"""Reads the settings of a systemd unit, and traces of strace."""

import re
import subprocess


def setting(unit, name):
    """All values of a setting of a unit's file."""
    return re.findall(rf"^{name}=(.*)$", unit.read_text(), re.MULTILINE)


def exposure(unit):
    """The score of systemd-analyze, from 0 (closed) to 10, and its words."""
    told = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", str(unit)], capture_output=True, text=True, timeout=30,
        check=True).stdout
    return float(re.search(r"Overall exposure level for \S+: ([\d.]+)", told)[1]), told


def calls(group):
    """The system calls of one of systemd's groups."""
    told = subprocess.run(
        ["systemd-analyze", "syscall-filter", group], capture_output=True, text=True, timeout=30, check=True).stdout
    found = set()
    for word in told.split("\n")[1:]:
        word = word.strip()
        if word.startswith("@"):
            found |= calls(word)
        elif word and not word.startswith("#"):
            found.add(word)
    return found


def allowed(unit):
    """The system calls that a unit allows."""
    found = set()
    for line in setting(unit, "SystemCallFilter"):
        for word in line.lstrip("~").split():
            named = calls(word) if word.startswith("@") else {word}
            found = found - named if line.startswith("~") else found | named
    return found


def made(trace):
    """The system calls in the text of strace."""
    return set(re.findall(r"^\d+ +(?:<\.\.\. )?(\w+)[( ]", trace, re.MULTILINE)) - {"exited", "killed"}
