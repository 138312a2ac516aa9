"""bin/bench finds all its benchmarks: their modules lie in several folders, and no name may stand in two of them. The
picture of its figures tells which have missed their bars."""

import pathlib
import subprocess
import sys
import time
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[1]
BENCH = ROOT / "Benchmarks/bench.py"
sys.path.append(str(BENCH.parent))

import figures_plot
from figure import Figure
from measure import children, helpers_cpu_seconds, own_cpu_seconds

BUSY = "import time\nwhile time.process_time() < {}: pass\n"


def test_an_unknown_benchmark_is_answered_with_those_there_are():
    run = subprocess.run([sys.executable, BENCH, "nothing"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("Unknown benchmark nothing; http, ")
    assert "objects, live" in run.stderr
    # And each has a row where it is told what is measured.
    names = run.stderr.split("; ", 1)[1].split(" are accepted")[0].split(", ")
    told = (ROOT / "Docs/benchmarks.md").read_text().split("## What is measured")[1].split("\n## ")[0]
    assert [name for name in names if f"\n| `{name}` |" not in told] == []


def test_a_wish_is_told_and_fails_no_run():
    for value, unit, told in ((21, "ms", "missed"), (20, "ms", "met"), (9, "/s", "missed"), (20, "/s", "met")):
        figure = Figure("x", value, unit, wished=20)
        assert str(figure).endswith(f"reported; wished 20: {told}") and not figure.is_missed
    assert str(Figure("x", 3, "s", 2, wished=5)).endswith("bar 2: MISSED; wished 5: met")


def test_the_picture_tells_which_figures_have_missed_their_bars():
    figures = [Figure("half", 1, "s", 2), Figure("twice & more", 50, "s", 2), Figure("only reported", 3),
               Figure("none", 0, "", 0)]
    drawn = tree.fromstring(figures_plot.svg("Figures", "less is better", figures))
    bars = [(bar.get("class"), float(bar.get("width"))) for bar in drawn.iter() if bar.tag.endswith("rect")]
    assert [kind for kind, _ in bars] == ["met", "missed"]
    assert bars[1][1] == 3 * bars[0][1], "what is far beyond is cut"
    words = [text.text for text in drawn.iter() if text.tag.endswith("text")]
    assert {"half", "50 %", "twice & more", "2,500 %"} <= set(words)


def test_a_helper_that_ends_takes_no_time_from_its_program_and_its_own_is_kept():
    helper = BUSY.format(0.3) + "input()"
    program = f"""
import subprocess, sys
print(flush=True)
helper = subprocess.Popen([sys.executable, "-c", {helper!r}], stdin=subprocess.PIPE)
input()
helper.communicate(b"\\n")
print(flush=True)
input()
"""
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as run:
        run.stdout.readline()
        limit = time.monotonic() + 30
        while helpers_cpu_seconds(run.pid) < 0.3 and time.monotonic() < limit:
            time.sleep(0.01)
        before = own_cpu_seconds(run.pid), helpers_cpu_seconds(run.pid)
        assert before[1] >= 0.3 > before[0] > 0
        run.stdin.write("\n")
        run.stdin.flush()
        run.stdout.readline()
        assert not children(run.pid)
        assert own_cpu_seconds(run.pid) >= before[0]
        # Two times that are rounded to the kernel's tick, one for each way of running.
        assert helpers_cpu_seconds(run.pid) >= before[1] - 0.03
        run.communicate("\n")
