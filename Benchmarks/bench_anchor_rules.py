"""The rules of the anchor watch over a million fixes: native, in WebAssembly, and the same rule in JavaScript."""

import json
import pathlib
import subprocess

from figure import Figure

ROOT = pathlib.Path(__file__).resolve().parent.parent
NATIVE = ROOT / ".build/release/anchorbench"
WASM = ROOT / ".build/wasm/release/anchorwatch.wasm"
FIXES = 1_000_000
ROUNDS = 5
TURNS = 3
BAR = 10_000_000  # fixes a second
WASM_BAR = 0.4  # of the native speed
JAVASCRIPT_BAR = 0.9  # of the speed of the same rule in plain JavaScript


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=300, check=True)
    return done.stdout


def figures():
    watch, raw, wasm, script = 0, 0, 0, 0
    # By turns, so that a busy machine slows each; the best counts.
    for _ in range(TURNS):
        told = run(NATIVE, FIXES, ROUNDS)
        native = {name: float(value) for name, value in (line.split() for line in told.splitlines())}
        page = json.loads(run("node", ROOT / "Benchmarks/anchor-rules.mjs", WASM, FIXES, ROUNDS))
        # All three judged the same.
        for other in (page["wasm"], page["js"]):
            same = other["told"] == native["events"] and abs(other["distance"] - native["distance"]) < 1e-6
            assert same, (native, page)
        watch, raw = max(watch, native["watch"]), max(raw, native["raw"])
        wasm, script = max(wasm, page["wasm_per_second"]), max(script, page["js_per_second"])
    yield Figure(
        "anchor rules, time of a fix against 10 million a second", BAR / watch, "×", 1,
        f"{watch:,.0f} fixes a second native, {raw:,.0f} raw; the best of {TURNS * ROUNDS} runs")
    yield Figure(
        "anchor rules, time in WebAssembly against native", watch / wasm, "×", 1 / WASM_BAR,
        f"{wasm:,.0f} fixes a second")
    yield Figure(
        "anchor rules, time in WebAssembly against JavaScript", script / wasm, "×", 1 / JAVASCRIPT_BAR,
        f"{script:,.0f} fixes a second in JavaScript")
