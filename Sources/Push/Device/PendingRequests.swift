public import Wire

/// The notification requests of the device's own, which fire without a network: any number on the disk, the soonest of
/// them armed in memory.
///
/// A file `requests/NAME.json` with `{"content": {…}, "trigger": {…}}` adds one, or takes the place of the one with
/// that name; with `{"cancel": true}` it removes that. It becomes `pending/DUE-NAME.json`, so that the soonest are
/// found by the names alone; what cannot be used becomes `requests/NAME.refused`.
public final class PendingRequests {
  /// A request with the time at which it fires next.
  public struct Pending: Hashable, Comparable, Sendable {
    /// Whole seconds since 1970.
    public var due: Int
    public var id: String

    public static func < (a: Pending, b: Pending) -> Bool { (a.due, a.id) < (b.due, b.id) }
    fileprivate var file: String { "pending/\(String(due + 1_000_000_000_000).dropFirst())-\(id).json" }

    fileprivate init(_ due: Double, _ id: String) {
      (self.due, self.id) = (Int(min(max(0, due.rounded(.up)), 999_999_999_999)), id)
    }

    /// Nil for a file that is none of ours.
    fileprivate init?(file name: String) {
      let parts = name.split(separator: "-", maxSplits: 1)
      guard parts.count == 2, parts[0].utf8.count == 12, let due = Int(parts[0]), parts[1].hasSuffix(".json") else {
        return nil
      }
      (self.due, id) = (due, String(parts[1].dropLast(5)))
    }
  }

  /// When a trigger fires next.
  public enum Plan: Equatable, Sendable {
    case at(Double)
    /// Not any more.
    case never
    /// With the reason: the value seen, and what is accepted.
    case refused(String)
  }

  /// What became of a file in the folder of new requests.
  public enum Taken: Equatable, Sendable {
    case scheduled(id: String, due: Int)
    case cancelled(id: String)
    case refused(name: String, reason: String)
  }

  private let folder: StateFolder
  /// - Parameters: the request, the time after which it is to fire, and the time at which it was made.
  private let plan: (JSON, _ after: Double, _ since: Double) -> Plan
  private var armed: [Pending] = []
  /// True if there are more on the disk than those that are armed.
  private var hasMore = false

  public static let requests = "requests"

  /// - Parameters:
  ///   - zone: the device's time zone; when it has changed, all requests are planned anew.
  ///   - at: the clocks now.
  ///   - plan: when a request fires next after a time, if it was made at another.
  public init(
    _ folder: StateFolder, zone: String, at: DeviceSession.Moment,
    plan: @escaping (_ request: JSON, _ after: Double, _ since: Double) -> Plan
  ) throws(DeviceError) {
    self.folder = folder
    self.plan = plan
    try folder.makeFolder(Self.requests)
    try folder.makeFolder("pending")
    let former = folder.read("zone", atMost: 64).map { String(decoding: $0, as: UTF8.self) }
    if former != zone {
      if former != nil { try planAgain(at.now) }
      try folder.write("zone", Array(zone.utf8))
    }
    try clockWasSet(at)
  }

  /// The request that is due next.
  public var next: Pending? { armed.first }
  public var armedCount: Int { armed.count }

  // MARK: The disk

  private func all() throws(DeviceError) -> [Pending] {
    var found: [Pending] = []
    try folder.eachName(in: "pending") { if let one = Pending(file: $0) { found.append(one) } }
    return found
  }

  /// Reads the names again and keeps the soonest.
  private func arm() throws(DeviceError) {
    var soonest: [Pending] = []
    var count = 0
    try folder.eachName(in: "pending") { name in
      guard let one = Pending(file: name) else { return }
      count += 1
      Self.insert(one, into: &soonest)
    }
    armed = soonest
    hasMore = count > armed.count
  }

  /// - Returns: true if another one had to go.
  @discardableResult
  private static func insert(_ one: Pending, into list: inout [Pending]) -> Bool {
    if list.count == DeviceLimits.armed, let last = list.last, last < one { return true }
    list.insert(one, at: list.firstIndex { one < $0 } ?? list.count)
    guard list.count > DeviceLimits.armed else { return false }
    list.removeLast()
    return true
  }

  private func request(_ one: Pending) -> JSON? {
    folder.read(one.file, atMost: DeviceLimits.requestBytes).flatMap { try? JSON(parsing: $0) }
  }

  /// The content of a request; nil if its file has gone.
  public func content(of one: Pending) -> JSON? { request(one)?["content"] }

  private func keep(_ one: Pending, _ request: JSON) throws(DeviceError) {
    try folder.write(one.file, request.bytes)
    if Self.insert(one, into: &armed) { hasMore = true }
  }

  private func remove(_ one: Pending) throws(DeviceError) {
    try folder.remove(one.file)
    armed.removeAll { $0 == one }
    if hasMore, armed.count <= DeviceLimits.armedAgain { try arm() }
  }

  private func planAgain(_ now: Double) throws(DeviceError) {
    for one in try all() {
      // What is overdue fires at once, in whatever zone.
      guard Double(one.due) > now, let request = request(one) else { continue }
      guard case .at(let due) = plan(request, now, since(request, now)) else { continue }
      let moved = Pending(due, one.id)
      guard moved != one else { continue }
      try folder.write(moved.file, request.bytes)
      try folder.remove(one.file)
    }
  }

  /// The machine's clock was set, perhaps. Intervals of requests made since the machine was started go on as if it had
  /// not been, since they count seconds. What follows the calendar goes by the new time, and what was skipped is due at
  /// once; but a clock that was wrong by far is set right, so the next time of those counts.
  public func clockWasSet(_ at: DeviceSession.Moment) throws(DeviceError) {
    for one in try all() {
      guard let request = request(one), request["boot"]?.string == folder.boot, let since = request["since"]?.number,
        let uptime = request["uptime"]?.number, case .object(var members) = request
      else { continue }
      let step = at.now - (at.uptime - uptime) - since
      let isInterval = request["trigger"]?["type"]?.string == "interval"
      guard abs(step) >= 1, isInterval || abs(step) >= DeviceLimits.wrongClock else { continue }
      members.removeAll { $0.name == "since" }
      members.append(.init("since", .double(since + step)))
      let corrected = JSON.object(members)
      let after = isInterval ? Double(one.due) + step - 1 : at.now
      guard case .at(let due) = plan(corrected, after, since + step) else { continue }
      let moved = Pending(due, one.id)
      try folder.write(moved.file, corrected.bytes)
      if moved != one { try folder.remove(one.file) }
    }
    try arm()
  }

  private func since(_ request: JSON, _ now: Double) -> Double { request["since"]?.number ?? now }

  // MARK: Changes

  /// Takes the new files, up to so many that others have their turn.
  /// - Returns: what became of them, and true if there are more.
  public func takeNew(_ at: DeviceSession.Moment) throws(DeviceError) -> (taken: [Taken], more: Bool) {
    var names: [String] = []
    try folder.eachName(in: Self.requests) { if $0.hasSuffix(".json") { names.append($0) } }
    names.sort()
    var taken: [Taken] = []
    for name in names.prefix(DeviceLimits.requestsAtOnce) {
      let id = String(name.dropLast(5))
      let file = "\(Self.requests)/\(name)"
      let outcome = try take(id, file, at)
      if case .refused = outcome {
        try folder.move(file, to: "\(Self.requests)/\(id).refused")
      } else {
        try folder.remove(file)
      }
      taken.append(outcome)
    }
    return (taken, names.count > taken.count)
  }

  private func take(_ id: String, _ file: String, _ at: DeviceSession.Moment) throws(DeviceError) -> Taken {
    func refused(_ reason: String) -> Taken { .refused(name: id, reason: reason) }
    guard Self.isName(id) else {
      return refused("its name: \"\(id)\"; up to 64 letters, digits, \".\", \"_\" and \"-\" are accepted.")
    }
    guard let bytes = folder.read(file, atMost: DeviceLimits.requestBytes) else {
      return refused("it is no file of at most \(DeviceLimits.requestBytes >> 10) KB.")
    }
    var request: JSON
    do throws(JSONError) {
      request = try JSON(parsing: bytes)
    } catch {
      return refused("line \(error.line), column \(error.column): \(error.message); JSON is accepted.")
    }
    let former = try all().filter { $0.id == id }
    if request["cancel"]?.bool == true {
      for one in former { try remove(one) }
      return .cancelled(id: id)
    }
    guard case .object(var members) = request, request["content"]?.members != nil else {
      return refused("content is missing; {\"content\": {…}, \"trigger\": {…}} is accepted.")
    }
    // The file's name counts; and the time from which intervals count, by both clocks.
    members.removeAll { ["id", "since", "boot", "uptime"].contains($0.name) }
    members.append(.init("id", .string(id)))
    members.append(.init("since", .double(at.now)))
    members.append(.init("boot", .string(folder.boot)))
    members.append(.init("uptime", .double(at.uptime)))
    request = .object(members)
    switch plan(request, at.now, at.now) {
    case .refused(let reason): return refused(reason)
    case .never: return refused("its trigger: it never fires; a time to come is accepted.")
    case .at(let due):
      let one = Pending(due, id)
      try keep(one, request)
      for other in former where other != one { try remove(other) }
      return .scheduled(id: id, due: one.due)
    }
  }

  private static func isName(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count)
      && id.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "._-".utf8.contains(byte)
        }
      }
  }

  /// A request was shown: it is planned for its next time, or removed.
  public func fired(_ one: Pending, now: Double) throws(DeviceError) {
    // Times that passed while the device was off are made up for by one.
    if let request = request(one), case .at(let due) = plan(request, max(now, Double(one.due)), since(request, now)) {
      let next = Pending(due, one.id)
      if one < next { try keep(next, request) }
    }
    try remove(one)
  }
}
