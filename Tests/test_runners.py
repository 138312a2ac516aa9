"""Tests/runners.sh: every test of Python's is run, whatever its mark. What fails is run once more, but not with
--strict, nor when so much fails that it is no accident."""

import os
import pathlib
import shutil
import subprocess

import pytest

RUNNERS = pathlib.Path(__file__).with_name("runners.sh")
MARKED = """
source "$1"
reports=$2 notes=$2/notes
step() { :; }
count() { :; }
run_pytest() { echo "$1 ${*:3}" >> "$reports/ran"; }
cd "$2"
python_tests true
python_alone true
"""
# Runners that fail, and say what they were to run.
SCRIPT = r"""
source "$1"
options ${@:4}
reports=$2 notes=$2/notes
step() { :; }
count() { :; }
run_swift() {
  echo "$*" >> "$reports/ran"
  echo '<testcase classname="WireTests.JSONTests" name="`a. b`()"><failure message="wrong"/></testcase>' > \
    "$reports/$1.xml"
  return 1
}
run_pytest() { echo "$1" >> "$reports/ran"; }
mkdir -p "$reports/again"
swift_tests core
mkdir -p "$reports/python.cache/v/cache"
seq --format "test_%g: true" "$3" > "$reports/python.cache/v/cache/lastfailed"
counted_pytest python python3 1
"""

# Of Swift's tests the suites in which one has failed.
AGAIN = "again/core --filter ^WireTests[./]JSONTests[./]"


def runs(folder, *options, failures=1):
    done = subprocess.run(
        ["bash", "-uc", SCRIPT, "bash", RUNNERS, folder, str(failures), *options], capture_output=True, text=True,
        timeout=30, check=False)
    ran = folder / "ran"
    return done.returncode, ran.read_text().splitlines() if ran.exists() else []


def test_what_failed_is_run_once_more(tmp_path):
    assert runs(tmp_path) == (0, ["core", AGAIN, "again/python"])


def test_so_many_failures_are_no_accident(tmp_path):
    assert runs(tmp_path, failures=13) == (0, ["core", AGAIN])


def test_strictly_nothing_is_run_again(tmp_path):
    assert runs(tmp_path, "--strict") == (0, ["core"])


@pytest.mark.parametrize("option", ["--strictly", "strict"])
def test_what_is_no_option_is_refused(tmp_path, option):
    assert runs(tmp_path, option) == (2, [])


def test_what_has_a_mark_is_run_as_well(tmp_path):
    marks = ["waits", "punctual", "serial"]
    (tmp_path / "Tests").mkdir()
    (tmp_path / "Tests/test_all.py").write_text("".join(f"@pytest.mark.{mark}\ndef test(): pass\n" for mark in marks))
    subprocess.run(["bash", "-uc", MARKED, "bash", RUNNERS, tmp_path], check=True, timeout=30)
    ran = dict(line.split(" ", 1) for line in (tmp_path / "ran").read_text().splitlines())
    unmarked = " and ".join(f"not {mark}" for mark in ["serial", "waits", "punctual"])
    assert ran.pop("python").endswith(f"-m {unmarked}")
    for mark in marks:
        words = ran.pop(mark)
        assert words.startswith("Tests/test_all.py ") and words.endswith(f"-m {mark}")
    assert not ran


@pytest.mark.parametrize("name, script, place", [
    ("bin/test", 'source <(sed -n "/^sanitized_files()/,/^}/p" bin/test); sanitized_files', "Tests/Core"),
    ("Packages/MemoryGraph/bin/digest", "Packages/MemoryGraph/bin/digest", "Packages/MemoryGraph/Tests"),
])
def test_a_test_that_git_does_not_know_yet_is_not_left_out(tmp_path, name, script, place):
    def run(*words):
        return subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True, timeout=30).stdout

    (tmp_path / name).parent.mkdir(parents=True)
    shutil.copy(RUNNERS.parents[1] / name, tmp_path / name)
    run("git", "init", "-q")
    run("git", "add", ".")
    before = run("bash", "-uc", script)
    (tmp_path / place).mkdir(parents=True)
    (tmp_path / place / "NewTests.swift").write_text("import Testing\n")
    new = run("bash", "-uc", script)
    run("git", "add", ".")
    # And what it has passed with is what goes with the change.
    assert before != new == run("bash", "-uc", script)


def test_a_series_of_runs_goes_on_after_one_that_has_noted_nothing(tmp_path):
    (tmp_path / "bin").mkdir()
    shutil.copy(RUNNERS.parents[1] / "bin/trial", tmp_path / "bin/trial")
    (tmp_path / "bin/test").write_text("#!/bin/sh\necho 0 passed, 1 failed, 0 skipped\nexit 1\n")
    (tmp_path / "bin/test").chmod(0o755)
    told = subprocess.run(
        [tmp_path / "bin/trial", "flaky", "2"], capture_output=True, text=True, check=False, timeout=30)
    assert told.returncode == 1
    assert told.stdout.splitlines()[:2] == [f"run {run}: 0 passed, 1 failed, 0 skipped" for run in (1, 2)]
    assert told.stdout.splitlines()[2].split(maxsplit=2)[:2] == ["2", "FAILED"]


def test_an_image_that_podman_does_not_load_leaves_no_folder_of_roots(tmp_path):
    # bin/package is not root, and could not remove it when it runs again.
    out, programs, ran = tmp_path / "package", tmp_path / "bin", tmp_path / "ran"
    out.mkdir()
    (out / "eightbells-1.0.0-amd64.oci.tar").write_bytes(b"no image")
    programs.mkdir()
    (programs / "podman").write_text(f"""#!/bin/sh
echo "$*" >> {ran}
mkdir -p "$2/vfs" "$4"
case "$*" in *" load "*) exit 125 ;; esac
""")
    (programs / "podman").chmod(0o755)
    # All of the script but its last lines, which call its parts one after the other.
    told = subprocess.run(
        ["bash", "-uc", r'source <(sed "/^exposure$/,\$d" "$0") "$1"; image',
         RUNNERS.parents[1] / "bin/packaging/check", out],
        capture_output=True, text=True, check=False, timeout=30,
        env=os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"})
    assert told.returncode == 125, told.stderr
    assert [" load " in line for line in ran.read_text().splitlines()] == [True, False]
    assert [path.name for path in out.iterdir()] == ["eightbells-1.0.0-amd64.oci.tar"]
