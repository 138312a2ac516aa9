"""bin/bench finds all its benchmarks: their modules lie in several folders, and no name may stand in two of them. The
picture of its figures tells which have missed their bars."""

import pathlib
import subprocess
import sys
import xml.etree.ElementTree as tree

BENCH = pathlib.Path(__file__).resolve().parents[1] / "Benchmarks/bench.py"
sys.path.append(str(BENCH.parent))

import figures_plot
from figure import Figure


def test_an_unknown_benchmark_is_answered_with_those_there_are():
    run = subprocess.run([sys.executable, BENCH, "nothing"], capture_output=True, text=True, timeout=60)
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("Unknown benchmark nothing; http, ")
    assert "objects, live" in run.stderr


def test_the_picture_tells_which_figures_have_missed_their_bars():
    figures = [Figure("half", 1, "s", 2), Figure("twice & more", 50, "s", 2), Figure("only reported", 3),
               Figure("none", 0, "", 0)]
    drawn = tree.fromstring(figures_plot.svg("Figures", "less is better", figures))
    bars = [(bar.get("class"), float(bar.get("width"))) for bar in drawn.iter() if bar.tag.endswith("rect")]
    assert [kind for kind, _ in bars] == ["met", "missed"]
    assert bars[1][1] == 3 * bars[0][1], "what is far beyond is cut"
    words = [text.text for text in drawn.iter() if text.tag.endswith("text")]
    assert {"half", "50 %", "twice & more", "2,500 %"} <= set(words)
