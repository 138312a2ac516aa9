"""Values of fields, formatted by type: Foundation's types, enumerations, optionals, tuples."""

import subprocess

import pytest

from victims import LIMIT, run

SOURCE = """
import Foundation

struct Inner { var speed = 1.5; var name = "in"; var course: Int? = nil }
struct Outer { var depth = 0.25; var inner = Inner(); var other: Inner? = nil; var word: String? = nil }
struct Switches { var depth = 1.5; var isOn = true; var colour = Colour.blue }
struct Holder { var owner: AnyObject? = nil; var count = 3 }
enum Colour { case red, green, blue }
enum Word: String { case on, off, middle }

final class Foundations {
  var date = Date(timeIntervalSince1970: 1_700_000_000)
  var later: Date? = Date(timeIntervalSince1970: 0.25)
  var never: Date? = nil
  var id = UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF")!
  var data = Data([1, 2, 255])
  var long = Data(repeating: 7, count: 1000)
  var empty = Data()
  var noData: Data? = nil
  var url = URL(string: "https://example.org/a?b=c")!
  var noURL: URL? = nil
  var decimal = Decimal(string: "-12.345")!
  var large = Decimal(string: "1200")!
}
final class Dates {
  var past = Date.distantPast
  var future = Date.distantFuture
  var reform = Date(timeIntervalSinceReferenceDate: -13_197_600_000)
  var before = Date(timeIntervalSinceReferenceDate: -13_197_600_001)
  var medieval = Date(timeIntervalSinceReferenceDate: -40_000_000_000)
  var ancient = Date(timeIntervalSinceReferenceDate: -1e11)
  var nowhere = Date(timeIntervalSinceReferenceDate: .nan)
  var ever: Date? = Date(timeIntervalSinceReferenceDate: .infinity)
  var far = Date(timeIntervalSinceReferenceDate: 1e300)
  var farBack = Date(timeIntervalSinceReferenceDate: -1e300)
}
final class Standards {
  var character: Character = "é"
  var scalar: Unicode.Scalar = "ü"
  var duration: Duration = .milliseconds(-1500)
  var none: Duration? = nil
  var wide: Int128 = -170
  var range = 3..<9
  var closed = 1...4
  var bounds: Range<Int>? = nil
  var colour = Colour.green
  var other: Colour? = .blue
  var noColour: Colour? = nil
  var word = Word.middle
}
final class Optionals {
  var empty: Outer? = nil
  var full: Outer? = Outer()
  var switches: Switches? = nil
  var holder: Holder? = nil
  var held: Holder? = Holder()
  var pair: (Int, String)? = nil
  var named = (first: 1, second: "two")
}

let kept: [AnyObject] = [Foundations(), Dates(), Standards(), Optionals()]
print("ready")
fflush(stdout)
withExtendedLifetime(kept) { _ = readLine() }
"""

TOLD = {
    "Foundations": [
        "date = 2023-11-14 22:13:20 UTC", "later = 1970-01-01 00:00:00.250 UTC", "never = nil",
        "id = 00112233-4455-6677-8899-AABBCCDDEEFF", "data = 3 bytes: 01 02 FF", "long = 1000 bytes", "empty = 0 bytes",
        "noData = nil", 'url = "https://example.org/a?b=c"', "noURL = nil", "decimal = -12.345", "large = 1200",
    ],
    "Dates": [
        "past = 0001-01-01 00:00:00 UTC", "future = 4001-01-01 00:00:00 UTC", "reform = 1582-10-15 00:00:00 UTC",
        "before = 1582-10-04 23:59:59 UTC", "medieval = 0733-06-11 00:53:20 UTC",
        "ancient = -100000000000.0 s since 2001", "nowhere = nan s since 2001", "ever = inf s since 2001",
        "far = 1e+300 s since 2001", "farBack = -1e+300 s since 2001",
    ],
    "Standards": [
        'character = "é"', 'scalar = "ü"', "duration = -1.5 s", "none = nil", "wide = -170", "range = 3..<9",
        "closed = 1...4", "bounds = nil", "colour = .green", "other = .blue", "noColour = nil", "word = .middle",
    ],
    "Optionals": [
        "empty = nil", "full.depth = 0.25", "full.inner.speed = 1.5", 'full.inner.name = "in"',
        "full.inner.course = nil", "full.other = nil", "full.word = nil",
        "switches = nil", "holder = nil", "held.count = 3", "pair = nil",
        "named.first = 1", 'named.second = "two"',
    ],
}


@pytest.fixture(scope="module", params=["-Onone", "-O"])
def program(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("values")
    source = folder / "main.swift"
    source.write_text(SOURCE)
    subprocess.run(
        ["swiftc", request.param, "-g", "-module-name", "Values", "-o", folder / "values", source],
        check=True, timeout=4 * LIMIT)
    with subprocess.Popen([folder / "values"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as running:
        assert running.stdout.readline() == b"ready\n"
        yield running.pid
        running.stdin.close()


@pytest.mark.parametrize("name", TOLD)
def test_each_value_is_told_as_its_type_writes_it(program, name):
    told = run("object", program, name).stdout
    held = told.split("\nholds\n")[1].split("\n\n")[0].splitlines()
    assert held == [f"  {line}" for line in TOLD[name]], told
