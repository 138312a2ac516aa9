"""Manual pages from what a program says with --help, so that they never say anything else."""

import re
import subprocess


def page(program, name, version, date):
    """The manual page of a program, with those of its commands as sections. `date` is a day, such as 2026-11-22."""
    whole = said(program)
    summary = whole.split("\n\n")[0].replace("\n", " ").rstrip(".")
    parts = [f'.TH {name.upper()} 1 {date} "Eightbells {version}" "User Commands"',
             ".SH NAME", f"{name} \\- {escaped(summary[0].lower() + summary[1:])}", ".SH DESCRIPTION", literal(whole)]
    for command in commands(whole, name):
        parts += [f".SH {command.upper()}", literal(said(program, *command.split()))]
    return "\n".join(parts) + "\n"


def commands(text, name):
    """The first words of all commands in the help of a program, in order: "serve", "push send"."""
    found = []
    for words in re.findall(rf"^ +{re.escape(name)} ((?:[a-z]+ ?)+)", text, re.MULTILINE):
        command = words.strip()
        if command not in found:
            found.append(command)
    return found


def said(program, *words):
    return subprocess.run(
        [program, *words, "--help"], capture_output=True, text=True, timeout=60, check=True, env={}).stdout.strip()


def literal(text):
    """Text as it stands, without filling of lines. A line's first dot or quote would be a request of roff."""
    lines = [re.sub(r"^(?=[.'])", r"\\&", escaped(line)) for line in text.splitlines()]
    return "\n".join([".nf", *lines, ".fi"])


def escaped(text):
    return text.replace("\\", "\\e").replace("-", "\\-")
