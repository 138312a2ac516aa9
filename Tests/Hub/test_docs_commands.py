"""Every command that a document shows: the program has it, with each option that stands there. Also those that are not
run (test_docs_blocks.py) have to be there."""

import functools
import os
import pathlib
import re
import shlex
import subprocess

from documents import blocks, documents
from hub import BINARY, ROOT

PROGRAMS = {
    "eightbells": BINARY, "eightbells-agent": BINARY.with_name("eightbells-agent"),
    "memorygraph": pathlib.Path(os.environ.get("EIGHTBELLS_MEMORYGRAPH") or ROOT / ".build/release/memorygraph")}
# A program where a command begins: at the start of a line, behind sudo, $( or |.
CALL = re.compile(
    rf"(?:^|[|(&;]|sudo (?:-u \S+ )?|\w+=\S* )\s*(?:\S*/)?({'|'.join(PROGRAMS)}) ([^|>#;&\n]*)", re.M)


def shown():
    """(document, program, words) of each command."""
    for name, path in documents().items():
        for block in blocks(path):
            for program, rest in CALL.findall(block.replace("\\\n", " ")):
                # The words of another command, and what stands for something else: $(…), DIR, … is no option.
                rest = re.sub(r"--exec '.*", "--exec", rest)
                yield name, program, re.sub(r"[$`'\"()…{}]", " ", rest).split()


@functools.cache
def help_of(program, verb):
    run = subprocess.run([PROGRAMS[program], *verb, "--help"], capture_output=True, text=True, timeout=20, check=False)
    return run.stdout if run.returncode == 0 else None


def verb_of(program, words):
    """The words of the command, and what it says of itself; None if there is no such command."""
    for count in (3, 2, 1, 0):
        verb = tuple(words[:count])
        if len(verb) == count and all(re.fullmatch(r"[a-z][a-z-]*", word) for word in verb):
            text = help_of(program, verb)
            # Of a verb that a command does not have, the command itself says what it has.
            usages = re.findall(rf"^(?:Usage:|  +) *{program}((?: [a-z][a-z-]*)*)", text or "", re.M)
            if any(tuple(usage.split()) == verb for usage in usages):
                return verb, text
    return None, ""


def test_every_command_in_the_documents_is_one():
    wrong, seen = [], set()
    for document, program, words in shown():
        verb, text = verb_of(program, words)
        told = f"{document}: {program} {shlex.join(words)}"
        seen.add((program, verb))
        if verb is None:
            wrong.append(f"{told}: no such command")
        options = re.findall(r"--[a-z][a-z-]+", text)
        wrong += [f"{told}: no option {word}" for word in words
                  if re.fullmatch(r"--[a-z][a-z-]+", word) and word not in (*options, "--help")]
    assert len(seen) > 30, "the documents show more than that"
    assert wrong == [], "\n".join(wrong)
