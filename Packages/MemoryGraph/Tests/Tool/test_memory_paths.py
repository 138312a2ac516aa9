"""Paths to objects: names of roots, steps, and which references keep their target alive."""

import contextlib
import json
import re
import subprocess

import pytest

from victims import LIMIT, PACKAGE, Victim, run

# The module's name is a word of its variables' names, which Swift abbreviates in their symbols.
SOURCE = """
import Foundation
final class Chat { var peers: [Chat] = [] }
final class Holder<T> { var v: T; init(_ v: T) { self.v = v } }
struct Config { var n = 1; var h = Holder("s"); var a = [Holder(2.5)] }
nonisolated(unsafe) var chat = Chat()
nonisolated(unsafe) var config = Config()
nonisolated(unsafe) var maybe: Config? = nil
nonisolated(unsafe) private var hidden: Holder<UInt8>? = Holder(3)
func f() { struct S { nonisolated(unsafe) static var inner = Holder<Int8>(4) }; _ = S.inner }
final class Hub {
  nonisolated(unsafe) static let shared = Hub()
  var subs: [ObjectIdentifier: () -> Void] = [:]
  weak var last: Screen?
  unowned(unsafe) var raw: Screen?
}
final class Screen {
  let title: String
  init(_ number: Int) {
    title = "screen number \\(number)"
    Hub.shared.subs[ObjectIdentifier(self)] = { print(self.title) }
    (Hub.shared.last, Hub.shared.raw) = (self, self)
  }
}
f()
for number in 0..<50 { _ = Screen(number) }
print("ready")
fflush(nil)
_ = readLine()
_ = hidden
"""

# The spare room of a generic type's table has words of blocks that were freed before.
STALE = """
import Glibc
final class Lost { var number = 1 }
final class A<T> { var room: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, T)? }
final class B<T> { var room: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, T)? }
final class C<T> { var room: (Int, Int, Int, Int, Int, Int, Int, Int, Int, Int, T)? }
@inline(never) func litter() {
  let word = UInt(bitPattern: Unmanaged.passRetained(Lost()).toOpaque())
  let blocks = (0..<7).map { _ in malloc(24)!.bindMemory(to: UInt.self, capacity: 3) }
  for block in blocks { for place in 0..<3 { block[place] = word } }
  for block in blocks { free(block) }
}
var kept: [AnyObject] = []
kept.reserveCapacity(16)
litter()
kept.append(A<Int8>())
litter()
kept.append(B<Int8>())
litter()
kept.append(C<Int8>())
print("ready")
fflush(nil)
_ = readLine()
_ = kept
"""

FORMATTER = """
import Foundation
let format = DateFormatter()
_ = format.string(from: Date())
print("ready")
fflush(nil)
_ = readLine()
_ = format
"""

TEXT = """
func wait() async { await Task.yield() }
await wait()
print("a text that is long enough for a block \\(CommandLine.argc)")
await wait()
print("another text that is long enough for a block \\(CommandLine.argc)")
await wait()
"""

FOUNDATION_RING = """
import Foundation
func make() {
  let (table, list) = (NSMutableDictionary(), NSMutableArray())
  list.add(table)
  table["list"] = list
}
make()
"""


def build(folder, source, *options, module="chat_server"):
    (folder / "main.swift").write_text(source)
    program = folder / module
    subprocess.run(
        ["swiftc", "-module-name", module, *options, "-o", program, folder / "main.swift"], check=True,
        timeout=4 * LIMIT)
    return program


@contextlib.contextmanager
def started(program):
    """A program that waits for its input to end; yields its number."""
    with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"ready\n"
            yield process.pid
        finally:
            process.kill()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with started(build(tmp_path_factory.mktemp("server"), SOURCE)) as process:
        yield process


@pytest.mark.parametrize("type, root", [
    ("Chat", "chat_server.chat"), ("Holder<UInt8>", "chat_server.hidden"), ("Holder<Int8>", "chat_server.f.S.inner"),
    ("Holder<String>", "chat_server.config.h"), ("Holder<Double>", "chat_server.config.a"),
])
def test_a_variable_is_told_as_it_is_written(server, type, root):
    assert run("path", server, type).stdout.startswith(f"{root}, global variable of chat_server\n")


def test_the_way_to_an_object_follows_what_keeps_it(server):
    told = run("path", server, "Screen").stdout.splitlines()
    assert told[0] == "chat_server.Hub.shared, global variable of chat_server", told
    assert re.search(r"Hub\.subs →$", told[1]) and re.search(r"\[bucket \d+\]\.value →$", told[2]), told
    assert "(" not in told[3] and "conservative" not in "".join(told), told


def test_what_does_not_keep_an_object_says_so(server):
    told = run("object", server, "Hub").stdout
    assert "last (weak) →" in told and "raw (unmanaged) →" in told and "subs →" in told, told
    told = run("object", server, run("path", server, "Screen").stdout.split()[-2]).stdout
    assert re.search(r"\.key \(unowned\)$", told, re.M) and re.search(r"\.value$", told, re.M), told


def test_a_type_is_found_without_its_generic_arguments_where_that_is_clear(server):
    told = run("path", server, "Holder")
    assert told.returncode == 2 and told.stderr.count("\n") == 1, told
    assert "chat_server.Holder<UInt8> (1)" in told.stderr and "is accepted" in told.stderr, told
    assert "Hub.subs" in run("path", server, "Dictionary").stdout


def test_types_of_cpp_are_told_as_they_are_written(tmp_path):
    with started(build(tmp_path, FORMATTER)) as process:
        told = run("types", process).stdout
    assert re.search(r" icu_\d+::\w+", told) and "_ZTV" not in told, told


def test_what_is_stale_in_a_table_of_generic_types_keeps_nothing(tmp_path):
    with started(build(tmp_path, STALE)) as process:
        told = run("leaks", process).stdout
    assert "chat_server.Lost that nothing refers to" in told, told


@pytest.mark.parametrize("options", [["-g"], ["-O"]])
def test_a_text_that_swift_itself_does_not_free_is_known(tmp_path, options):
    told = run("check", "--", build(tmp_path, TEXT, *options))
    assert told.returncode == 0 and "✓ no leaks" in told.stderr, told


def test_a_ring_of_collections_is_named_after_a_class(tmp_path):
    told = run("check", "--", build(tmp_path, FOUNDATION_RING, "-g"))
    assert told.returncode == 1 and "warning: Foundation.NSMutableArray leaks" in told.stdout + told.stderr, told


def test_an_object_tells_where_its_class_is_defined(tmp_path):
    source = PACKAGE / "Tests/Victim/Trials.swift"
    place = source.read_text().splitlines().index("final class Worker {") + 1
    file = tmp_path / "kept"
    with Victim("delegate", 1) as victim:
        told = run("object", victim.pid, "Worker").stdout
        run("graph", victim.pid, "--snapshot", file)
        run("object", victim.pid, "Worker", "--json", tmp_path / "worker.json")
    line = re.search(r"^  defined at  (/.*/Tests/Victim/Trials\.swift):(\d+)$", told, re.M)
    assert line and int(line[2]) == place, told
    assert line[0] in run("object", file, "Worker").stdout
    known = json.loads((tmp_path / "worker.json").read_text())["object"]["defined"]
    assert known == {"file": line[1], "line": place}
