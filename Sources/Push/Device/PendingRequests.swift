public import CivilTime
public import Notifications
public import Wire

/// The notification requests of the device's own, which fire without a network: the queue of `Notifications`, whose
/// rules say when, on the disk.
///
/// A file `requests/NAME.json` with `{"content": {…}, "trigger": {…}}` adds one, or takes the place of the one with
/// that name; with `{"cancel": true}` it removes that. It becomes `pending/NAME.json`; what cannot be used becomes
/// `requests/NAME.refused`.
///
/// A file in `pending` has the request, the times that the queue keeps of it, and by which clock they were taken. It
/// stays as it was until the request was shown, so what was about to be shown when the process ended fires again.
public final class PendingRequests {
  /// What became of a file in the folder of new requests.
  public enum Taken: Equatable, Sendable {
    /// `due` in seconds since 1970; nil for one that waits for a place.
    case scheduled(id: String, due: Int?)
    case cancelled(id: String)
    case refused(name: String, reason: String)

    public var waitsForPlace: Bool { if case .scheduled(_, nil) = self { true } else { false } }
  }

  public struct Taking: Sendable {
    public var taken: [Taken] = []
    /// True if there is more to do at once.
    public var hasMore = false
    /// Why something could not be written, such as on a full disk; it is kept, and tried again.
    public var failure: DeviceError?
  }

  /// The zone that a trigger names, or the device's for nil; nil if nobody knows the name.
  public typealias Zones = (ZoneName?) -> Zone?

  private let folder: StateFolder
  private let zones: Zones
  private var queue = PendingQueue()
  /// Requests that have fired and were not shown yet, in order.
  private var fired: [PendingQueue.Firing] = []
  /// The names of requests whose files say less than the queue.
  private var unsaved: Set<String> = []
  /// Names of files in `pending` that cannot be read.
  private var broken: [String] = []
  /// Seconds since 1970 at which uptime began, by the clock as it is set now.
  private var start: Double

  public static let requests = "requests"
  static let pending = "pending"

  public init(_ folder: StateFolder, at: DeviceSession.Moment, zones: @escaping Zones) throws(DeviceError) {
    self.folder = folder
    self.zones = zones
    start = at.now - at.uptime
    try folder.makeFolder(Self.requests)
    try folder.makeFolder(Self.pending)
    try load()
  }

  /// The zone for the queue: the device's for a name that has gone from this system.
  private func zone(_ name: ZoneName?) -> Zone { zones(name) ?? zones(nil) ?? .utc }

  // MARK: Firing

  /// The request that is to be shown now, until it is settled.
  public func next(now: Double) -> PendingQueue.Firing? {
    if fired.isEmpty { fired = queue.fire(now: EpochSeconds(now.rounded(.down)), zones: zone) }
    return fired.first
  }

  /// True if something has fired that was not shown yet.
  public var hasFired: Bool { !fired.isEmpty }
  /// When the next one fires, besides those that have; seconds since 1970.
  public var due: Double? { queue.next.map { Double($0) } }
  public var armedCount: Int { queue.armed.count }

  /// The content of a request; nil if its file has gone.
  public func content(of one: PendingQueue.Firing) -> JSON? { file(one.id)?["request"]?["content"] }

  /// A request was shown, and that is recorded. It goes on in memory also where this fails.
  public func settle(_ one: PendingQueue.Firing) throws(DeviceError) {
    guard fired.first == one else { return }
    fired.removeFirst()
    unsaved.insert(one.id)
    try save(one.id)
  }

  /// The machine's clock was set, perhaps.
  public func clockWasSet(_ at: DeviceSession.Moment) {
    let step = at.now - at.uptime - start
    guard abs(step) >= 1 else { return }
    start += step
    queue.clockWasSet(by: EpochSeconds(step.rounded()), zones: zone)
    for entry in queue.all { unsaved.insert(entry.id) }
  }

  /// The device is at a place: requests that waited for it fire. The next `takeNew` writes on which side of their
  /// circles the others are.
  public func moved(to fix: Fix, now: Double) {
    let before = queue.all
    let news = queue.moved(to: fix, now: EpochSeconds(now.rounded(.down)))
    for entry in before where queue[entry.id]?.isInside != entry.isInside { unsaved.insert(entry.id) }
    // One that has fired and was not shown yet is shown once.
    fired += news.filter { one in !fired.contains { $0.id == one.id } }
  }

  // MARK: New requests

  /// Takes the new files, up to so many that others have their turn.
  public func takeNew(_ at: DeviceSession.Moment) -> Taking {
    var taking = Taking()
    let firedNames = Set(fired.map(\.id))
    var free = unsaved.subtracting(firedNames)
    for id in free.prefix(DeviceLimits.requestsAtOnce) {
      free.remove(id)
      do throws(DeviceError) { try save(id) } catch { taking.failure = error }
    }
    for name in broken {
      taking.taken.append(.refused(name: name, reason: "its file in the folder pending is damaged."))
    }
    broken = []
    var names: [String] = []
    do throws(DeviceError) {
      try folder.eachName(in: Self.requests) { if $0.hasSuffix(".json") { names.append($0) } }
    } catch {
      taking.failure = error
    }
    names.sort()
    // One that cannot be kept now does not stop a cancellation behind it.
    for name in names.prefix(DeviceLimits.requestsAtOnce) {
      do throws(DeviceError) { taking.taken.append(try take(name, at)) } catch { taking.failure = error }
    }
    taking.hasMore = taking.failure == nil && (names.count > DeviceLimits.requestsAtOnce || !free.isEmpty)
    return taking
  }

  private func take(_ name: String, _ at: DeviceSession.Moment) throws(DeviceError) -> Taken {
    let id = String(name.dropLast(5))
    let file = "\(Self.requests)/\(name)"
    let outcome = try take(id, from: file, at)
    if case .refused = outcome {
      try folder.move(file, to: "\(Self.requests)/\(id).refused")
    } else {
      try folder.remove(file)
    }
    return outcome
  }

  private func take(_ id: String, from file: String, _ at: DeviceSession.Moment) throws(DeviceError) -> Taken {
    func refused(_ reason: String) -> Taken { .refused(name: id, reason: reason) }
    guard Self.isName(id) else {
      return refused("its name: \"\(id)\"; up to 64 letters, digits, \".\", \"_\" and \"-\" are accepted.")
    }
    guard let bytes = folder.read(file, atMost: DeviceLimits.requestBytes) else {
      return refused("it is no file of at most \(DeviceLimits.requestBytes >> 10) KB.")
    }
    var json: JSON
    do throws(JSONError) {
      json = try JSON(parsing: bytes)
    } catch {
      return refused("line \(error.line), column \(error.column): \(error.message); JSON is accepted.")
    }
    if json["cancel"]?.bool == true {
      _ = queue.remove(id)
      fired.removeAll { $0.id == id }
      unsaved.insert(id)
      try save(id)
      return .cancelled(id: id)
    }
    // The file's name counts.
    if case .object(var members) = json {
      members.removeAll { $0.name == "id" }
      json = .object(members + [.init("id", .string(id))])
    }
    let request: Request
    switch Request.check(json.bytes) {
    case .failure(let refusal): return refused(refusal.text)
    case .success(let checked): request = checked
    }
    if case .calendar(_, let zone?, _)? = request.trigger, zones(zone) == nil {
      return refused("trigger.zone: \"\(zone.text)\"; a name of this system is accepted, such as Europe/Berlin.")
    }
    let former = queue
    if let refusal = queue.add(request, now: EpochSeconds(at.now.rounded(.down)), zones: zone) {
      return refused(refusal.text)
    }
    do throws(DeviceError) {
      try write(id, json)
    } catch {
      queue = former
      throw error
    }
    fired.removeAll { $0.id == id }
    return .scheduled(id: id, due: queue[id]?.due.map { Int($0) })
  }

  private static func isName(_ id: String) -> Bool {
    (1...64).contains(id.utf8.count) && id.isAlphanumeric(or: "._-")
  }

  // MARK: The disk

  private static func path(_ id: String) -> String { "\(pending)/\(id).json" }

  private func file(_ id: String) -> JSON? {
    // What the queue keeps comes to the request's own bytes.
    folder.json(Self.path(id), atMost: 2 * DeviceLimits.requestBytes)
  }

  /// Makes the file say what the queue knows. Not while the request waits to be shown.
  private func save(_ id: String) throws(DeviceError) {
    if queue[id] == nil {
      try folder.remove(Self.path(id))
    } else if let request = file(id)?["request"] {
      try write(id, request)
    }
    unsaved.remove(id)
  }

  private func write(_ id: String, _ request: JSON) throws(DeviceError) {
    guard let entry = queue[id] else { return }
    let file: JSON = [
      "request": request, "added": .int(Int(entry.added)), "last": .int(Int(entry.last)),
      "last_wall": .int(Int(entry.lastWall)), "due": JSON(entry.due.map { Int($0) }), "boot": .string(folder.boot),
      "start": .double(start), "inside": JSON(entry.isInside),
    ]
    try folder.write(Self.path(id), file.bytes)
    unsaved.remove(id)
  }

  private func load() throws(DeviceError) {
    var names: [String] = []
    try folder.eachName(in: Self.pending) { if $0.hasSuffix(".json") { names.append(String($0.dropLast(5))) } }
    // By the step of the clock since they were written, if the machine has been on since then.
    var found: [EpochSeconds: [PendingQueue.Entry]] = [:]
    for name in names {
      guard let file = file(name), let entry = Self.entry(file), entry.id == name else {
        broken.append(name)
        try folder.move(Self.path(name), to: "\(Self.requests)/\(name).refused")
        continue
      }
      let step = file["boot"]?.string == folder.boot ? start - (file["start"]?.number ?? start) : 0
      let isStep = abs(step) >= 1
      if isStep { unsaved.insert(name) }
      found[isStep ? EpochSeconds(step.rounded()) : 0, default: []].append(entry)
    }
    var all: [PendingQueue.Entry] = []
    for (step, entries) in found {
      var part = PendingQueue(restoring: entries)
      // Without a step too, as the device may be in another zone now.
      part.clockWasSet(by: step, zones: zone)
      all += part.all
    }
    queue = PendingQueue(restoring: all)
  }

  private static func entry(_ file: JSON) -> PendingQueue.Entry? {
    guard let json = file["request"], case .success(let request) = Request.check(json.bytes),
      let added = file["added"]?.int, let last = file["last"]?.int, let lastWall = file["last_wall"]?.int
    else { return nil }
    var due: EpochSeconds?
    if case .location? = request.trigger {
      due = nil
    } else {
      guard let time = file["due"]?.int else { return nil }
      due = EpochSeconds(time)
    }
    return PendingQueue.Entry(
      request, added: EpochSeconds(added), last: EpochSeconds(last), lastWall: EpochSeconds(lastWall),
      due: due, isInside: file["inside"]?.bool)
  }
}
