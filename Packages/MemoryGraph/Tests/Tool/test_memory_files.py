"""Output files are written completely or not at all, and at the given path."""

import json
import os
import stat
import subprocess

import pytest

from victims import LIMIT, TOOL, Victim, run

OUTPUTS = ["json", "html", "dot", "snapshot"]


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A snapshot, from which everything can be written."""
    file = tmp_path_factory.mktemp("kept") / "kept"
    with Victim("everything", 100) as victim:
        assert run("graph", victim.pid, "--snapshot", file).returncode == 1
    return file


def in_a_small_disk(folder, script, *words, size="64k"):
    """Runs a shell script in `folder` on a small disk of its own; `$1` and so on are the words."""
    told = subprocess.run(
        ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
         f'mount -t tmpfs -o size={size} none "$0" || exit 99; {script}', folder, *map(str, words)],
        capture_output=True, text=True, timeout=LIMIT)
    if told.returncode == 99 or "unshare:" in told.stderr:
        pytest.skip(f"no disk can be mounted here: {told.stderr.strip()}")
    return told


@pytest.mark.parametrize("option", OUTPUTS)
@pytest.mark.parametrize("before", [None, "what stood there"])
def test_a_full_disk_leaves_what_stood_there(kept, tmp_path, option, before):
    script = 'cd "$0"; '
    if before:
        script += f'printf "{before}" > file; '
    # Of a disk that is full to its last page nothing can be written at all; of another, a part.
    script += ('dd if=/dev/zero of=fill bs=4096 count="$3" 2> /dev/null; '
               '"$1" graph "$2" --$4 file > /dev/null; echo "ended with $?"; ls -A; cat file')
    for pages in {"json": (10, 16), "html": (10, 16)}.get(option, (15, 16)):
        told = in_a_small_disk(tmp_path, script, TOOL, kept, pages, option)
        assert "ended with 2\n" in told.stdout, told
        assert "Cannot write file: No space left on device." in told.stderr, told
        assert told.stdout.split("ended with 2\n")[1] == ("file\nfill\n" + before if before else "fill\n"), told


def test_a_difference_is_written_whole_as_well(kept, tmp_path):
    script = ('cd "$0"; echo old > file; dd if=/dev/zero of=fill bs=4096 2> /dev/null; '
              '"$1" diff "$2" "$2" --json file > /dev/null; echo "ended with $?"; ls -A; cat file')
    told = in_a_small_disk(tmp_path, script, TOOL, kept)
    assert told.stdout == "ended with 2\nfile\nfill\nold\n" and "No space left" in told.stderr, told


@pytest.mark.parametrize("option", OUTPUTS)
def test_a_file_keeps_its_permissions_and_nothing_is_left_beside_it(kept, tmp_path, option):
    file = tmp_path / "file"
    assert run("graph", kept, f"--{option}", file).returncode == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    whole = file.read_bytes()
    file.write_text("x" * 10_000_000)
    file.chmod(0o640)
    assert run("graph", kept, f"--{option}", file).returncode == 1
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert len(file.read_bytes()) == len(whole) and os.listdir(tmp_path) == ["file"]


def test_a_file_is_replaced_in_one_piece(kept, tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    with open(file) as reader:
        assert run("graph", kept, "--json", file).returncode == 1
        assert reader.read() == "old"
    assert json.loads(file.read_text())["findings"]


def test_a_link_is_written_through(kept, tmp_path):
    folder = tmp_path / "there"
    folder.mkdir()
    for name, target in (("there/far", "file"), ("near", "there/far"), ("whole", tmp_path / "near")):
        (tmp_path / name).symlink_to(target)
    for before in (None, "old"):
        if before:
            (folder / "file").write_text(before)
        assert run("graph", kept, "--json", tmp_path / "whole").returncode == 1
        assert json.loads((folder / "file").read_text())["findings"]
        assert sorted(os.listdir(tmp_path)) == ["near", "there", "whole"] and (tmp_path / "whole").is_symlink()
        assert sorted(os.listdir(folder)) == ["far", "file"] and (folder / "far").is_symlink()
    (tmp_path / "round").symlink_to("round")
    told = run("graph", kept, "--json", tmp_path / "round")
    assert told.returncode == 2 and "Too many levels of symbolic links" in told.stderr, told


def test_a_file_of_several_names_keeps_them(kept, tmp_path):
    file = tmp_path / "file"
    file.write_text("old")
    os.link(file, tmp_path / "other")
    assert run("graph", kept, "--json", file).returncode == 1
    assert json.loads((tmp_path / "other").read_text())["findings"]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_what_a_descriptor_names_is_written_itself(kept, tmp_path, name):
    """Pipes, and a file that another process has open, which has to stay the same file."""
    told = run("graph", kept, "--dot", name)
    assert told.returncode == 1 and told.stdout.startswith("digraph"), told
    file = tmp_path / "file"
    with open(file, "a+") as opened:
        subprocess.run([TOOL, "graph", kept, "--dot", name], stdout=opened, timeout=LIMIT)
        opened.seek(0)
        assert opened.read().startswith("digraph") and os.fstat(opened.fileno()).st_ino == file.stat().st_ino
    assert file.read_text().rstrip().endswith("draws") or "More: " in file.read_text()


def test_what_was_found_is_told_also_when_a_file_cannot_be_written(kept, tmp_path):
    told = run("leaks", kept, "--json", tmp_path / "none" / "file")
    assert told.returncode == 2 and "Cannot write" in told.stderr and "\n✗ leak-1 " in told.stdout, told


def test_errors_and_pipes_with_a_name_are_written(kept, tmp_path):
    told = run("graph", kept, "--dot", "/dev/stderr")
    assert told.returncode == 1 and told.stderr.startswith("digraph"), told
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE, text=True) as reader:
        assert run("graph", kept, "--json", pipe).returncode == 1
        assert json.loads(reader.communicate(timeout=LIMIT)[0])["findings"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    told = run("graph", kept, "--json", "/dev/full")
    assert told.returncode == 2 and "Cannot write /dev/full: No space left on device." in told.stderr
    assert run("graph", kept, "--json", "/dev/null").returncode == 1 and stat.S_ISCHR(os.stat("/dev/null").st_mode)


@pytest.mark.parametrize("name, why", [
    ("", "No such file or directory"), (".", "Is a directory"), ("none/file", "No such file or directory"),
    ("file/file", "Not a directory"), ("none/", "No such file or directory"), ("x" * 256, "File name too long")])
def test_what_cannot_be_written_is_said(kept, tmp_path, name, why):
    (tmp_path / "file").write_text("old")
    told = run("graph", kept, "--json", name, cwd=tmp_path)
    assert told.returncode == 2 and f"Cannot write {name}: {why}." in told.stderr, told
    assert os.listdir(tmp_path) == ["file"] and (tmp_path / "file").read_text() == "old"
    assert run("graph", kept, "--json", "x" * 255, cwd=tmp_path).returncode == 1


def test_a_file_that_may_not_be_written_is_not_replaced(kept, tmp_path):
    """And one in a folder that takes no new ones, or that is mounted, is written all the same."""
    script = """cd "$0"; mkdir folder; echo old > folder/file; echo old > locked; echo old > mounted; echo old > source
      mount --bind source mounted
      chmod 555 folder; chmod 444 locked; chmod 666 folder/file
      setpriv --inh-caps=-all --bounding-set=-all "$1" graph "$2" --json folder/file > /dev/null; echo $?
      setpriv --inh-caps=-all --bounding-set=-all "$1" graph "$2" --json locked > /dev/null; echo $?
      "$1" graph "$2" --json mounted > /dev/null; echo $?
      head -c 2 folder/file; head -c 3 locked; head -c 2 source; ls -A folder ."""
    told = in_a_small_disk(tmp_path, script, TOOL, kept, size="4m")
    assert told.stdout.startswith('1\n2\n1\n{"old{"'), told
    assert "Cannot write locked: Permission denied." in told.stderr and "memorygraph-" not in told.stdout, told


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("kind", ["link", "file"])
def test_what_another_user_has_laid_into_a_folder_of_all_is_not_written(kept, tmp_path, kind):
    folder, target = tmp_path / "all", tmp_path / "target"
    folder.mkdir()
    folder.chmod(0o1777)
    file = folder / "file"
    if kind == "link":
        file.symlink_to(target)
    written = target if kind == "link" else file
    written.write_text("old")
    os.lchown(file, 65534, 65534)
    told = run("graph", kept, "--json", file)
    assert told.returncode == 2 and f"Cannot write {file}: Permission denied." in told.stderr, told
    assert written.read_text() == "old" and os.listdir(folder) == ["file"]
    os.lchown(file, 0, 0)
    assert run("graph", kept, "--json", file).returncode == 1
    assert json.loads(written.read_text())["findings"]


def test_a_file_system_without_files_that_have_no_name_will_do(kept, tmp_path):
    """Without /proc such a file cannot get one."""
    script = """cd "$0"; mount -t tmpfs none /proc; echo old > file; chmod 640 file
      "$1" graph "$2" --json file > /dev/null; echo $?; "$1" graph "$2" --dot new > /dev/null; echo $?
      dd if=/dev/zero of=fill bs=4096 2> /dev/null
      "$1" graph "$2" --json file > /dev/null; echo $?; ls -A; stat -c %a file; head -c 2 file; tail -c 2 file"""
    told = in_a_small_disk(tmp_path, script, TOOL, kept, size="1m")
    assert told.stdout == '1\n1\n2\nfile\nfill\nnew\n640\n{"}\n', told
