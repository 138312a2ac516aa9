import Wire

/// A device's memory of the notifications that it was sent. It is made of entries, each of which is written to the disk
/// before it takes effect.
public struct DeviceRecord: Sendable {
  public enum Entry: Equatable, Sendable {
    /// This version is shown next. The entry is synced to the disk before `showing` is written, which is not: after a
    /// power failure the version that was next may have been shown.
    case next(String, version: Int)
    /// The device shows this version now. If the process ends here, nobody knows whether it was shown.
    case showing(String, version: Int)
    /// `expires` in seconds since 1970: then it goes from the screen.
    case shown(String, version: Int, collapse: String?, expires: Double? = nil)
    case withdrawn(String, version: Int)
    case failed(String, version: Int)
    /// The device adds this to the acknowledgement of that version.
    case noted(String, version: Int, String)
    case responded(DeviceResponse)
    /// The hub has the response.
    case taken(String)
    case heartbeat(Heartbeat)
    /// The machine was started, with the kernel's name for that.
    case boot(String)
    /// A process has begun to use the record: the record's own random name, and the number of processes so far.
    case run(String, Int)
  }

  public enum State: Sendable {
    case next, showing, shown, withdrawn, failed
  }
  struct Notice: Sendable {
    var version: Int
    var state: State
    var collapse: String?
    /// True if it was shown, in whatever version.
    var wasShown: Bool
    /// Goes with the acknowledgement of this version.
    var note: String?

    /// False while nobody knows whether this version was shown.
    var isSettled: Bool { state != .next && state != .showing }
    /// The word of the gateway's protocol for the state.
    var what: String {
      switch state {
      case .next, .showing, .shown: "shown"
      case .withdrawn: "withdrawn"
      case .failed: "failed"
      }
    }
  }

  private var notices: [String: Notice] = [:]
  /// The identifiers in the order in which they were first heard of, for dropping the oldest.
  private var order: [String] = []
  private var collapsed: [String: String] = [:]
  /// When those that are on the screen are to go from it, and the first of them.
  private var ends: [String: Double] = [:]
  private(set) var nextEnd: (id: String, at: Double)?
  /// Responses that the hub does not have yet, oldest first.
  public private(set) var responses: [DeviceResponse] = []
  public private(set) var heartbeat = Heartbeat()
  private(set) var boot = ""
  /// The record's own name, and the count of the processes that have used it.
  private(set) var name = ""
  private(set) var runs = 0

  public init() {}

  subscript(_ id: String) -> Notice? { notices[id] }

  /// The notification that was shown last with this collapse id.
  func shown(collapse: String) -> String? { collapsed[collapse] }

  public mutating func apply(_ entry: Entry) {
    switch entry {
    case .next(let id, let version): set(id, version, .next)
    case .showing(let id, let version): set(id, version, .showing)
    case .boot(let name):
      if name != boot { for (id, notice) in notices where notice.state == .next { notices[id]?.state = .showing } }
      boot = name
    case .run(let name, let number): (self.name, runs) = (name, number)
    case .shown(let id, let version, let collapse, let expires):
      set(id, version, .shown)
      setEnd(of: id, expires)
      if let collapse {
        notices[id]?.collapse = collapse
        // The older one with this collapse id is not on the screen any more.
        if let older = collapsed.updateValue(id, forKey: collapse), older != id { setEnd(of: older, nil) }
      }
    case .withdrawn(let id, let version):
      set(id, version, .withdrawn)
      setEnd(of: id, nil)
    case .failed(let id, let version): set(id, version, .failed)
    case .noted(let id, let version, let text): if notices[id]?.version == version { notices[id]?.note = text }
    case .responded(let response):
      responses.removeAll { $0.id == response.id }
      responses.append(response)
      setEnd(of: response.id, nil)
      if responses.count > DeviceLimits.responses { responses.removeFirst() }
    case .taken(let id): responses.removeAll { $0.id == id }
    case .heartbeat(let heartbeat): self.heartbeat = heartbeat
    }
  }

  private mutating func set(_ id: String, _ version: Int, _ state: State) {
    if notices[id] == nil { order.append(id) }
    var notice = notices[id] ?? Notice(version: version, state: state, collapse: nil, wasShown: false)
    if version != notice.version { notice.note = nil }
    (notice.version, notice.state) = (version, state)
    notice.wasShown = notice.wasShown || state == .shown
    notices[id] = notice
    // In batches, since removing from the front moves all others.
    if order.count > DeviceLimits.remembered * 5 / 4 { forget(order.count - DeviceLimits.remembered) }
  }

  /// Forgets the oldest quarter of the notifications; once there are none, of the responses.
  mutating func forgetSome() {
    if order.isEmpty { responses.removeFirst((responses.count + 3) / 4) } else { forget(order.count / 4 + 1) }
  }

  private mutating func forget(_ count: Int) {
    for id in order.prefix(count) {
      if let collapse = notices.removeValue(forKey: id)?.collapse, collapsed[collapse] == id {
        collapsed[collapse] = nil
      }
      setEnd(of: id, nil)
    }
    order.removeFirst(count)
  }

  /// - Parameter time: nil for one that is not on the screen any more, or stays there.
  mutating func setEnd(of id: String, _ time: Double?) {
    ends[id] = time
    if let time, time < nextEnd?.at ?? .infinity {
      nextEnd = (id, time)
    } else if nextEnd?.id == id {
      nextEnd = ends.min { ($0.value, $0.key) < ($1.value, $1.key) }.map { ($0.key, $0.value) }
    }
  }

  /// The fewest entries of which the same record is the sum.
  package var entries: [Entry] {
    var entries: [Entry] = [.boot(boot), .run(name, runs)]
    var last: [String: String] = [:]
    for id in order {
      guard let notice = notices[id] else { continue }
      if notice.wasShown {
        entries.append(.shown(id, version: notice.version, collapse: notice.collapse, expires: ends[id]))
        if let collapse = notice.collapse { last[collapse] = id }
      }
      switch notice.state {
      case .next: entries.append(.next(id, version: notice.version))
      case .showing: entries.append(.showing(id, version: notice.version))
      case .shown: break
      case .withdrawn: entries.append(.withdrawn(id, version: notice.version))
      case .failed: entries.append(.failed(id, version: notice.version))
      }
      if let note = notice.note { entries.append(.noted(id, version: notice.version, note)) }
    }
    // The newest of a collapse id must come last.
    for (collapse, id) in collapsed.sorted(by: { $0.key < $1.key }) where last[collapse] != id {
      if let notice = notices[id], notice.state == .shown, notice.collapse == collapse {
        entries.append(.shown(id, version: notice.version, collapse: collapse, expires: ends[id]))
      }
    }
    return entries + responses.map { .responded($0) } + [.heartbeat(heartbeat)]
  }
}

/// A person's answer, given on the device.
public struct DeviceResponse: Equatable, Sendable {
  public var id: String
  /// The version of the notification that was answered.
  public var version: Int
  public var action: String
  public var text: String?
  /// Seconds since 1970.
  public var at: Double

  public init(id: String, version: Int = 1, action: String, text: String? = nil, at: Double) {
    self.id = id
    self.version = version
    self.action = action
    self.text = text
    self.at = at
  }
}

extension DeviceRecord.Entry {
  /// The entry as it stands in a file: a list of its name and its values.
  var json: JSON {
    switch self {
    case .boot(let name): ["boot", .string(name)]
    case .run(let name, let number): ["run", .string(name), .int(number)]
    case .next(let id, let version): ["next", .string(id), .int(version)]
    case .showing(let id, let version): ["showing", .string(id), .int(version)]
    case .shown(let id, let version, let collapse, let expires):
      ["shown", .string(id), .int(version), JSON(collapse), JSON(expires)]
    case .withdrawn(let id, let version): ["withdrawn", .string(id), .int(version)]
    case .failed(let id, let version): ["failed", .string(id), .int(version)]
    case .noted(let id, let version, let text): ["noted", .string(id), .int(version), .string(text)]
    case .responded(let response):
      [
        "responded", .string(response.id), .string(response.action), JSON(response.text), .double(response.at),
        .int(response.version),
      ]
    case .taken(let id): ["taken", .string(id)]
    case .heartbeat(let heartbeat): ["heartbeat", .double(heartbeat.interval), JSON(heartbeat.broken)]
    }
  }

  /// Nil for an entry that this version of the program does not know.
  init?(_ json: JSON) {
    guard let values = json.array, let name = values.first?.string else { return nil }
    func value(_ index: Int) -> JSON { values.indices.contains(index) ? values[index] : nil }
    switch (name, value(1).string, value(2).int) {
    case ("boot", let name?, nil): self = .boot(name)
    case ("run", let name?, let number?): self = .run(name, number)
    case ("next", let id?, let version?): self = .next(id, version: version)
    case ("showing", let id?, let version?): self = .showing(id, version: version)
    case ("shown", let id?, let version?):
      self = .shown(id, version: version, collapse: value(3).string, expires: value(4).number)
    case ("withdrawn", let id?, let version?): self = .withdrawn(id, version: version)
    case ("failed", let id?, let version?): self = .failed(id, version: version)
    case ("noted", let id?, let version?):
      guard let text = value(3).string else { return nil }
      self = .noted(id, version: version, text)
    case ("responded", let id?, nil):
      guard let action = value(2).string, let at = value(4).number else { return nil }
      let response = DeviceResponse(
        id: id, version: value(5).int ?? 1, action: action, text: value(3).string, at: at)
      self = .responded(response)
    case ("taken", let id?, nil): self = .taken(id)
    case ("heartbeat", nil, _):
      guard let interval = value(1).number else { return nil }
      self = .heartbeat(Heartbeat(interval: interval, broken: value(2).number))
    default: return nil
    }
  }
}
