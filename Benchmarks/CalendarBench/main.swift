import CivilTime
import Glibc
import Lifecycle
import Calendar

// Times the calendar engine on a file, and prints the results for a comparison with other engines.

/// Ends the program with a message for its caller.
func stop(_ message: String) -> Never {
  complain("calendarbench: \(message)")
  exit(2)
}

/// Writes a line to standard error.
func complain(_ message: String) {
  let line = Array("\(message)\n".utf8)
  _ = write(STDERR_FILENO, line, line.count)
}

func monotonicSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func contents(of path: String) -> [UInt8] {
  guard let file = fopen(path, "rb") else { stop("File not readable: \"\(path)\".") }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = fread(&chunk, 1, chunk.count, file)
    if count == 0 { return bytes }
    bytes += chunk[..<count]
  }
}

/// A day, or an instant with its offset.
func instant(_ text: String, in zone: Zone) -> Int {
  if let date = CivilDate(text) { return zone.instant(of: WallTime(date: date, secondOfDay: 0)) }
  guard let instant = parseTimestamp(text) else {
    stop("Unknown time: \"\(text)\"; accepted are 2026-11-20 and 2026-11-20T19:00:00+01:00.")
  }
  return instant
}

/// "2026-11-20T18:00:00Z", or the date of an all-day event.
func shown(_ date: CivilDate?, _ instant: Int) -> String {
  date?.text ?? timestamp(instant, in: .utc)
}

var arguments = Array(CommandLine.arguments.dropFirst())
let isDump = arguments.contains("--dump")
arguments.removeAll { $0 == "--dump" }
var wanted: String?
if let index = arguments.firstIndex(of: "--ics"), index + 1 < arguments.count {
  wanted = arguments[index + 1]
  arguments.removeSubrange(index...index + 1)
}
guard arguments.count == 4 else {
  stop("Usage: calendarbench FILE FROM TO ZONE [--dump | --ics ID]; FROM and TO are dates or RFC 3339 times.")
}

let zone: Zone
do { zone = try systemZone(arguments[3]) } catch { stop("\(error)") }
let bytes = contents(of: arguments[0])
let (from, to) = (instant(arguments[1], in: zone), instant(arguments[2], in: zone))

let start = monotonicSeconds()
let calendar: ParsedCalendar
do { calendar = try parseCalendar(bytes, zone: zone) } catch { stop("\(error)") }
let parsed = monotonicSeconds()
let (occurrences, warnings) = expand(calendar, calendarID: "bench", from: from, to: to)
let expanded = monotonicSeconds()

for warning in calendar.warnings + warnings { complain(warning) }
if let wanted {
  guard let found = occurrence(id: wanted, in: calendar, calendarID: "bench") else {
    stop("Unknown occurrence: \"\(wanted)\".")
  }
  print(icsText(of: found, now: from), terminator: "")
} else if isDump {
  for one in occurrences {
    let times = "\(shown(one.startDate, one.start))\t\(shown(one.endDate, one.end))"
    print("\(one.uid)\t\(times)\t\(one.title)\t\(one.status.rawValue)\t\(one.id)")
  }
} else {
  print("occurrences \(occurrences.count)")
  print("parse \(parsed - start)")
  print("expand \(expanded - parsed)")
}
