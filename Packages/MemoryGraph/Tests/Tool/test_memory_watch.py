"""`--every`: a watch over a process, its reports and their times."""

import ctypes
import json
import os
import resource
import signal
import subprocess
import time

from hub import eventually
from victims import LIMIT, TOOL, Victim, on_terminal, run


class Watch:
    """A running `--every`, and its history."""

    def __init__(self, victim, tmp_path, *words, **options):
        self.history = tmp_path / "history.json"
        self.process = subprocess.Popen(
            [TOOL, "leaks", str(victim.pid), "--every", "100ms", "--json", self.history, *words],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)

    @property
    def looks(self):
        return json.loads(self.history.read_text())["looks"]

    def look(self, count=2):
        """Waits for so many further looks."""
        looks = self.looks
        return self.until(lambda history: history["looks"] > looks + count)

    def until(self, holds):
        until = time.monotonic() + LIMIT
        while not (self.history.exists() and holds(json.loads(self.history.read_text()))):
            assert time.monotonic() < until and self.process.poll() is None, self.process.communicate()
            time.sleep(0.02)
        return json.loads(self.history.read_text())

    def end(self, number):
        self.process.send_signal(number)
        return self.process.communicate(timeout=LIMIT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate(timeout=LIMIT)


def test_a_watch_tells_a_leak_once_and_which_reference_let_go(tmp_path):
    told = tmp_path / "told"
    with Victim("ring", 10) as victim, Watch(victim, tmp_path, "--exec", f"cat >> {told}") as watch:
        assert watch.until(lambda history: history["looks"] >= 2)["findings"] == []
        victim.drop()
        history = watch.until(lambda history: history["findings"])
        [arisen] = history["findings"]
        assert arisen["arose"]["reference"] == "ViewController.listOfObjects"
        assert "Victim.controller" in arisen["arose"]["root"]
        assert arisen["finding"]["title"].startswith("DummyObject.next (10 times)")
        # Between a look without leaks and the next one, which found the ring.
        times = {one["at"]: one["leaked"] for one in history["scans"]}
        assert times[arisen["arose"]["after"]] == 0 and times[arisen["arose"]["before"]] == 10
        looks = history["looks"]
        assert len(watch.until(lambda history: history["looks"] > looks + 3)["findings"]) == 1
        victim.process.kill()
        victim.process.wait(LIMIT)
        output, problems = watch.process.communicate(timeout=LIMIT)
        assert (watch.process.returncode, problems) == (1, ""), problems
        assert output.count("arose between") == 1 and "The process has ended" in output
    [line] = told.read_text().splitlines()
    assert json.loads(line)["arose"] == arisen["arose"]


def test_a_watch_says_where_a_leak_arose_below_the_whole_title(tmp_path):
    with Victim("timer", 1) as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history["findings"])
        output, _ = watch.end(signal.SIGINT)
    above, below = output.split("  arose before the first look")
    title = above[above.index("✗ leak-1"):]
    assert "\n" in title.strip() and title.endswith("back to the first\n")
    assert below.splitlines()[1].startswith("  retain cycle: ")


def test_a_command_that_does_not_end_holds_nothing_up(tmp_path):
    with Victim("delegate", 3) as victim, Watch(victim, tmp_path, "--exec", "exec sleep 1000") as watch:
        looks = watch.until(lambda history: history["findings"])["looks"]
        watch.until(lambda history: history["looks"] > looks + 3)
        [child] = open(f"/proc/{watch.process.pid}/task/{watch.process.pid}/children").read().split()
        # One signal ends the watch, the next one its commands; two at the same moment count as one.
        eventually(lambda: watch.process.send_signal(signal.SIGINT) or watch.process.poll() is not None, what="its end")
        assert watch.process.returncode == 1 and not os.path.exists(f"/proc/{child}")


def test_a_watch_that_finds_nothing_ends_with_0(tmp_path):
    with Victim("controls") as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history["looks"] >= 3)
        watch.end(signal.SIGTERM)
        assert watch.process.returncode == 0


SEIZE = 0x4206  # PTRACE_SEIZE


def test_a_watch_that_could_not_look_any_more_ends_with_2(tmp_path):
    with Victim("controls") as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history["looks"] >= 1)
        # Only one can trace a process. Between two looks nobody does.
        trace = ctypes.CDLL(None).ptrace
        trace.argtypes, trace.restype = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p], ctypes.c_long
        eventually(lambda: trace(SEIZE, victim.pid, None, None) == 0, what="it is traced by this test")
        assert b"is tracing it already" in (said := watch.process.stderr.buffer.readline()), said
        _, problems = watch.end(signal.SIGINT)
        assert (watch.process.returncode, problems) == (2, ""), problems


def tell(victim, *words):
    victim.tell(" ".join(map(str, words)))
    assert victim.line() == "done " + " ".join(map(str, words))


def test_a_leak_that_grows_is_told_again_whenever_it_has_doubled(compiled, tmp_path):
    file = tmp_path / "told"
    program = compiled("growing")
    with Victim("", "", program=program) as victim, Watch(victim, tmp_path, "--exec", f"cat >> {file}") as watch:
        watch.until(lambda history: history["looks"] >= 2)
        tell(victim, "lose", 4)
        [arisen] = watch.until(lambda history: history["findings"])["findings"]
        assert (arisen["event"], arisen["id"], arisen["finding"]["objects"]) == ("arose", "leak-1", 8)
        for _ in range(3):
            tell(victim, "lose", 1)
            assert watch.look()["growth"] == []
        tell(victim, "lose", 1)
        [grown] = watch.until(lambda history: history["growth"])["growth"]
        assert (grown["id"], grown["from"], grown["to"]) == ("leak-1", 8, 16)
        assert grown["since"] < grown["at"]
        # Growth by several times is reported once. A look may come in the middle of it.
        tell(victim, "lose", 100)
        later = watch.until(lambda history: len(history["growth"]) == 2)["growth"][1]
        assert (later["from"], later["since"]) == (16, grown["at"]) and 32 <= later["to"] <= 216
        history = watch.look()
        assert (history["told"], len(history["findings"]), len(history["growth"])) == (1, 1, 2)
        output, problems = watch.end(signal.SIGINT)
        assert (watch.process.returncode, problems) == (1, ""), problems
    lines = [line for line in output.splitlines() if "grows" in line]
    assert output.count("arose between") == 1 and len(lines) == 2, output
    assert lines[0].startswith("↑ leak-1 grows: 8 → 16 blocks, since ") and len(lines[0]) < 80, lines
    assert lines[1].startswith(f"↑ leak-1 grows: 16 → {later['to']} blocks, since "), lines
    events = [json.loads(line) for line in file.read_text().splitlines()]
    assert [event["event"] for event in events] == ["arose", "grew", "grew"]
    assert {event["id"] for event in events} == {event["finding"]["id"] for event in events} == {"leak-1"}
    assert all(event["arose"] == arisen["arose"] for event in events)
    assert events[1]["grew"] == {key: grown[key] for key in ("from", "to", "since")} and "grew" not in events[0]


def test_what_was_lost_before_the_first_look_is_told_with_its_place_when_more_of_it_arises(compiled, tmp_path):
    with Victim("", "", program=compiled("growing")) as victim:
        tell(victim, "lose", 4)
        with Watch(victim, tmp_path) as watch:
            watch.until(lambda history: history["findings"])
            tell(victim, "lose", 1)
            first, later = watch.until(lambda history: history["told"] == 2)["findings"]
            assert "after" not in first["arose"] and "after" in later["arose"]
            assert (first["id"], later["id"]) == ("leak-1", "leak-1")
            tell(victim, "lose", 1)
            assert watch.look()["told"] == 2


def test_the_stack_of_another_thread_is_no_other_place(compiled, tmp_path):
    with Victim("", "", program=compiled("growing")) as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history["looks"] >= 2)
        for _ in range(5):
            tell(victim, "hold", 3)
            watch.look()
            tell(victim, "drop")
            history = watch.look(3)
        [arisen] = history["findings"]
        assert arisen["arose"]["reference"].startswith("stack of thread "), arisen["arose"]
        assert [(grown["from"], grown["to"]) for grown in history["growth"]] == [(6, 12), (12, 24)]


def test_a_history_is_written_through_a_link_and_keeps_its_permissions(tmp_path):
    (tmp_path / "there").mkdir()
    file = tmp_path / "there/file"
    file.write_text("{}")
    file.chmod(0o644)
    (tmp_path / "history.json").symlink_to("there/file")
    with Victim("ring", 3) as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history.get("looks", 0) >= 3)
        watch.end(signal.SIGINT)
    assert watch.history.is_symlink() and json.loads(file.read_text())["looks"] >= 3
    assert file.stat().st_mode & 0o777 == 0o644
    assert sorted(os.listdir(tmp_path)) == ["history.json", "there"] and os.listdir(tmp_path / "there") == ["file"]


def test_a_history_that_finds_no_room_leaves_the_one_before(tmp_path):
    # A limit on the watch's own files stands for the full disk, since it can be lifted. The signal that comes with it
    # is ignored.
    with Victim("ring", 3) as victim, Watch(victim, tmp_path, restore_signals=False) as watch:
        watch.until(lambda history: history["looks"] >= 2)
        unlimited = resource.prlimit(watch.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(watch.process.pid, resource.RLIMIT_FSIZE, (64, unlimited[1]))
        assert b"Cannot write" in (said := watch.process.stderr.buffer.readline()) and b"File too large" in said, said
        before = watch.looks
        [read] = os.listdir(tmp_path)
        # Nothing more is reported until it can write again, after more looks.
        victim.drop()
        assert "✗ leak-1" in next(line for line in watch.process.stdout if line.startswith("✗"))
        assert (watch.looks, os.listdir(tmp_path)) == (before, [read])
        resource.prlimit(watch.process.pid, resource.RLIMIT_FSIZE, unlimited)
        assert watch.until(lambda history: history["looks"] > before)["looks"] > before + 1
        _, problems = watch.end(signal.SIGINT)
        assert problems == "", problems


def test_a_pipe_that_nobody_reads_does_not_hold_a_watch(tmp_path):
    pipe = tmp_path / "history.json"
    os.mkfifo(pipe)
    with Victim("ring", 3) as victim:
        told = run("leaks", victim.pid, "--every", "100ms", "--json", pipe)
        assert told.returncode == 2 and f"Cannot write {pipe}: No such device or address." in told.stderr, told
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        with Watch(victim, tmp_path) as watch:
            history = eventually(lambda: readable(reader, b"}\n"), what="a history")
            assert json.loads(history)["looks"] == 1
            _, problems = watch.end(signal.SIGINT)
            assert (watch.process.returncode, problems) == (0, "")
        os.close(reader)
    assert os.listdir(tmp_path) == ["history.json"] and pipe.is_fifo()


def readable(file, end):
    """The text available by now, up to an end; empty if nobody writes."""
    try:
        text, found, _ = os.read(file, 1 << 20).partition(end)
    except BlockingIOError:
        return None
    return text + found


def test_where_a_leak_arose_is_wrapped(tmp_path):
    with Victim("ring", 10) as victim, Watch(victim, tmp_path) as watch:
        watch.until(lambda history: history["looks"] >= 2)
        victim.drop()
        watch.until(lambda history: history["findings"])
        output, _ = watch.end(signal.SIGINT)
    lines = output.splitlines()
    assert max(map(len, lines)) <= 80, lines
    first = next(place for place, line in enumerate(lines) if line.startswith("  arose between "))
    told = " ".join(line.strip() for line in lines[first:first + 3])
    assert "ViewController.listOfObjects of 0x" in told and "global variable of victim, let it go" in told, lines


def test_a_watch_fits_a_narrow_terminal(compiled):
    with Victim("", "", program=compiled("growing")) as victim:
        tell(victim, "lose", 4)
        # First the existing leak is reported, then its new origin, then its growth.
        more = iter([10, 100])

        def lose(line):
            if line.startswith("✗ leak-1"):
                tell(victim, "lose", next(more))
            if line.startswith("↑"):
                victim.process.kill()

        lines = on_terminal(40, "leaks", victim.pid, "--every", "100ms", heard=lose)
    assert max(map(len, lines)) <= 40, lines
    [place] = [place for place, line in enumerate(lines) if line.startswith("↑ leak-1 grows: ")]
    assert lines[place + 1].startswith("  "), lines


def test_a_watch_that_nobody_hears_any_more_ends():
    with Victim("ring", 3) as victim:
        with subprocess.Popen(
                [TOOL, "leaks", str(victim.pid), "--every", "100ms"], stdout=subprocess.PIPE, text=True) as watch:
            try:
                assert "looking every" in watch.stdout.readline()
                watch.stdout.close()
                assert watch.wait(LIMIT) == 0
            finally:
                watch.kill()
