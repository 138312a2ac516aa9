/// A VEVENT as its lines, before libical reads them: a calendar is held as it is written, since libical's form of it
/// takes more than ten times the room, and only one event at a time is needed in it.
struct EventLines {
  /// The line of the file on which it begins.
  let line: Int
  /// Whether its owner keeps it from the public: any CLASS but PUBLIC (RFC 5545 section 3.8.1.3).
  private(set) var isPrivate = false
  /// Of several, the first that says something; without one, empty.
  private(set) var uid = ""
  /// Whether it is a change of a recurring event, since it has a RECURRENCE-ID.
  private(set) var isOverride = false
  /// Unfolded, each with a newline behind it.
  private var bytes: [UInt8] = []

  init(line: Int) { self.line = line }

  /// Keeps the event from the public: what may have been a CLASS is none that says PUBLIC.
  mutating func hide() { isPrivate = true }

  /// Takes a property.
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

  /// The event as libical reads it. Whoever asks frees it. The lines are let go: what is made of them finds room in
  /// their place, where it would otherwise lie scattered behind them.
  mutating func read() -> RawComponent {
    var raw = RawComponent("VEVENT", line: line, uid: uid)
    for text in bytes.split(separator: Byte.newline) { raw.add(ContentLine(Array(text), line: line)) }
    bytes = []
    raw.close()
    return raw
  }
}
