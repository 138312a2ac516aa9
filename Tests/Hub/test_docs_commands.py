"""Every command that a document shows, in a block or in a sentence: the program has it, with each option that stands
there. Also those that are not run (test_docs_blocks.py) have to be there."""

import functools
import os
import pathlib
import re
import shlex
import subprocess

from documents import blocks, documents, spans
from hub import BINARY, ROOT

PROGRAMS = {
    "eightbells": BINARY, "eightbells-agent": BINARY.with_name("eightbells-agent"),
    "memorygraph": pathlib.Path(os.environ.get("EIGHTBELLS_MEMORYGRAPH") or ROOT / ".build/release/memorygraph")}
# A program where a command begins: at the start of a line, behind sudo, $( or |.
CALL = re.compile(
    rf"(?:^|[|(&;]|sudo (?:-u \S+ )?|\w+=\S* )\s*(?:\S*/)?({'|'.join(PROGRAMS)}) ([^|>#;&\n]*)", re.M)
# Options that stand alone in a sentence and are another program's, or a room's that is not installed.
OTHERS = {
    "--autoplay-policy": "Chromium", "--cap-add": "docker", "--delete": "rsync", "--init": "docker",
    "--network": "podman", "--style": "lldb", "--userns": "podman", "--kettle-minutes": "Tests/Fixtures/ToyRoom"}
OPTION = re.compile(r"--[a-z][a-z-]+")
# What stands in the hashes of private messages, and is no command.
LABEL = re.compile(r"eightbells [a-z]+ [a-z]+ 1")
# What a script of ours hands its arguments to.
BEHIND = {"bin/test": ["Tests/runners.sh"], "bin/bench": ["Benchmarks/*.py"]}


def shown():
    """(document, program, words) of each command."""
    for name, path in documents().items():
        for block in blocks(path):
            for program, rest in CALL.findall(block.replace("\\\n", " ")):
                # The words of another command, and what stands for something else: $(…), DIR, … is no option.
                rest = re.sub(r"--exec '.*", "--exec", rest)
                yield name, program, tuple(re.sub(r"[$`'\"()…{}]", " ", rest).split())


@functools.cache
def help_of(program, verb):
    run = subprocess.run([PROGRAMS[program], *verb, "--help"], capture_output=True, text=True, timeout=20, check=False)
    return run.stdout if run.returncode == 0 else None


def said():
    """(document, span) of each piece of code in a sentence that begins as a command of ours, or as an option."""
    begins = re.compile(rf"(?:(?:{'|'.join(PROGRAMS)}|bin/[\w-]+)(?: |$)|--[a-z])")
    return [(name, span) for name, path in documents().items() for span in spans(path)
            if begins.match(span) and not LABEL.fullmatch(span)]


@functools.cache
def commands(program):
    """{a command's words, or their beginning: what the program says of it}."""
    usage = re.compile(rf"^(?:Usage:|  +) *(?:{program}|(?=[a-z]+ (?:PID|--)))((?: ?[a-z][a-z-]*)*)", re.M)
    # The hub's program has the memory graph's verbs where that stands beside it.
    found, new = {("memory",): ""} if program == "eightbells" else {}, {()}
    while new:
        found |= {words: help_of(program, words) for words in new if help_of(program, words) is not None}
        for begin, text in list(found.items()):
            new |= {tuple(words.split()[:count]) for words in usage.findall(text) for count in (1, 2, 3)}
            new |= {(*begin, group) for group in re.findall("`([a-z]+) --help`", text)}
        new = {words for words in new - set(found) if help_of(program, words) is not None}
    return found


@functools.cache
def all_options(program):
    """The options of all commands of a program."""
    return set(OPTION.findall(" ".join(commands(program).values())))


def options_of(program, words):
    """The options of a command, given with what it is done to; None if there is no such command."""
    for count in (3, 2, 1, 0):
        text = commands(program).get(tuple(words[:count]))
        if text is not None and (count or not re.match("[a-z]", " ".join(words))):
            verbs = [verb for verb in commands(program) if count and verb[:count] == tuple(words[:count])]
            is_unknown = len(verbs) > 1 and re.match("[a-z]", " ".join(words[count:]))
            return None if is_unknown else {"--help", *OPTION.findall(text)}
    return None


def options_of_script(document, name):
    """The options of a script of ours; None if there is no such script."""
    for folder in (ROOT, (ROOT / document).parent):
        if (folder / name).is_file():
            files = [folder / name, *(file for more in BEHIND.get(name, []) for file in ROOT.glob(more))]
            options = OPTION.findall(" ".join(file.read_text() for file in files))
            return {*options, *(all_options("eightbells") if name == "bin/serve" else [])}
    return None


def faults(told, words, known):
    if known is None:
        return [f"{told}: no such command"]
    return [f"{told}: no option {word}" for word in words if OPTION.fullmatch(word) and word not in known]


def test_every_command_in_a_block_is_one():
    wrong, found = [], set(shown())
    for document, program, words in found:
        wrong += faults(f"{document}: {program} {shlex.join(words)}", words, options_of(program, words))
    assert len(found) > 100, "the documents show more than that"
    assert wrong == [], "\n".join(wrong)


def test_every_command_in_a_sentence_is_one():
    everybodys = set(OTHERS).union(options_of_script("", "bin/bench"), *map(all_options, PROGRAMS))
    wrong, found = [], said()
    for document, span in found:
        # What follows is another command's, or stands for something else.
        words = re.sub(r" -- .*|--exec '.*|[=\[\]'\"()…{}]", " ", span).split()
        program = words[0]
        if program.startswith("--"):
            known = everybodys
        elif program not in PROGRAMS:
            known = options_of_script(document, program)
        else:
            known = options_of(program, words[1:])
            known = all_options(program) if known and "…" in span else known
        wrong += faults(f"{document}: {span}", words, known)
    assert len(found) > 300, "the documents have more than that"
    assert wrong == [], "\n".join(wrong)
