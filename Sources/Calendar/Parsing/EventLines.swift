/// A VEVENT as lines of text, before libical parses it: libical's form takes more than ten times the room, and is
/// needed for one event at a time only.
struct EventLines {
  /// The number of the line on which it begins.
  let line: Int
  /// The place of its file's zones among those of a collection.
  var zones = 0
  /// True for any CLASS other than PUBLIC (RFC 5545 section 3.8.1.3).
  private(set) var isPrivate = false
  /// The first UID that is not empty; empty without one.
  private(set) var uid = ""
  /// True for an exception of a recurring event, which has a RECURRENCE-ID.
  private(set) var isOverride = false
  /// The unfolded lines, each with a newline.
  private var bytes: [UInt8] = []

  init(line: Int) { self.line = line }

  /// Makes the event private: an unreadable line may have been its CLASS.
  mutating func hide() { isPrivate = true }

  /// Adds a property.
  mutating func add(_ line: ContentLine) {
    let value = line.value
    guard !value.isEmpty else { return }
    switch line.name {
    case "CLASS":
      if uppercased(value) != "PUBLIC" { isPrivate = true }
      return
    case "UID":
      if uid.isEmpty { uid = decodeLine(value) }
      return
    case "RECURRENCE-ID": isOverride = true
    default: if !RawComponent.names.contains(line.name) { return }
    }
    bytes += line.bytes
    bytes.append(Byte.newline)
  }

  /// The event as libical parses it, to be freed by the caller. The lines are released first, so that their memory is
  /// reused for the result.
  mutating func read() -> RawComponent {
    var raw = RawComponent("VEVENT", line: line, uid: uid)
    for text in bytes.split(separator: Byte.newline) { raw.add(ContentLine(Array(text), line: line)) }
    bytes = []
    raw.close()
    return raw
  }
}
