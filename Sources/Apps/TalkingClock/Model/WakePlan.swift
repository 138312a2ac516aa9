/// The next wake of one device.
struct PlannedWake: Equatable, Sendable {
  var device: Int
  /// The second of the announcement, since 1970.
  var at: Int
  /// Seconds by which the push goes ahead.
  var lead: Double

  var sendAt: Double { Double(at) - lead }
}

/// The next wake of each device, the earliest first: one look finds all that are due.
struct WakePlan: Sendable {
  private(set) var wakes: [PlannedWake] = []

  init(_ wakes: [PlannedWake] = []) { self.wakes = wakes.sorted { $0.sendAt < $1.sendAt } }

  /// When the next one is to be sent, in seconds since 1970.
  var next: Double? { wakes.first?.sendAt }

  /// Takes out those whose time has come.
  mutating func takeDue(now: Double) -> [PlannedWake] {
    let end = wakes.firstIndex { $0.sendAt > now } ?? wakes.endIndex
    defer { wakes.removeSubrange(..<end) }
    return Array(wakes[..<end])
  }

  mutating func add(_ more: [PlannedWake]) {
    guard !more.isEmpty else { return }
    wakes = (wakes + more).sorted { $0.sendAt < $1.sendAt }
  }
}
