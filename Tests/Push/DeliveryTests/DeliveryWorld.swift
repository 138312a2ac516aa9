import Delivery
import Store
import Testing
import Wire
import World

/// A store with Delivery's tables, and short ways to what tests need of it.
struct DeliveryWorld {
  let folder = TemporaryFolder()
  let time = VirtualTime()
  let store: Store

  init() async throws {
    store = try await Store(path: "\(folder.path)/store.sqlite", migrations: PushTables.migrations, time: time)
  }

  @discardableResult
  func write<T: Sendable>(
    _ body: @escaping @Sendable (Database, Double) throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    let now = time.now
    return try await store.write { database throws(StoreError) in try body(database, now) }
  }

  /// A device with one channel.
  func device(
    _ name: String = "phone", person: Int? = nil, kind: PushDevice.Kind = .agent, zone: String? = nil,
    channels: Set<ChannelKind> = [.gateway]
  ) async throws -> Int {
    let device = PushDevice(
      name: name, kind: kind, person: person, zone: zone, channels: channels, createdAt: time.now)
    return try #require(try await write { database, _ throws(StoreError) in try database.addPushDevice(device) })
  }

  func submit(
    to: [Recipient], _ title: String = "Open", actions: [String] = [], level: String? = nil, collapse: String? = nil,
    expires: Double? = nil, priority: Priority = .high, at: Double? = nil
  ) async throws -> Submitted {
    var content: [JSON.Member] = [JSON.Member("title", .string(title))]
    if !actions.isEmpty {
      content.append(JSON.Member("actions", .array(actions.map { ["id": .string($0), "title": .string($0)] })))
    }
    if let level { content.append(JSON.Member("interruption_level", .string(level))) }
    let submission = Submission(
      to: to, content: .object(content), collapseID: collapse, expiresAt: expires, priority: priority, at: at,
      sender: "person 1")
    return try await write { database, now throws(StoreError) in try database.submit(submission, now: now) }
  }

  func change(_ id: Int, to title: String) async throws {
    try await write { database, now throws(StoreError) in
      _ = try database.update(notification: id, content: ["title": .string(title)], now: now)
    }
  }

  func withdraw(_ id: Int) async throws {
    try await write { database, now throws(StoreError) in _ = try database.withdraw(notification: id, now: now) }
  }

  /// Sets the quiet hours of a person, in minutes of the day in UTC.
  func keepQuiet(_ person: Int, from: Int, to: Int) async throws {
    let quiet = QuietHours(from: from, to: to, zone: "UTC")
    try await write { database, _ throws(StoreError) in try database.setQuietHours(ofPerson: person, quiet) }
  }

  @discardableResult
  func record(
    _ what: Receipt.What, of id: Int, version: Int = 1, device: Int, channel: ChannelKind = .gateway,
    at: Double? = nil, isRepeat: Bool = false
  ) async throws -> Recorded {
    let receipt = Receipt(notification: id, version: version, what: what, at: at, isRepeat: isRepeat)
    return try await write { database, now throws(StoreError) in
      try database.record(receipt, device: device, channel: channel, now: now)
    }
  }

  func pending(_ device: Int, _ channel: ChannelKind = .gateway, limit: Int = 10_000) async throws -> [Outgoing] {
    let now = time.now
    return try await store.read { database throws(StoreError) in
      try database.pending(device: device, channel: channel, now: now, limit: limit).map(\.message)
    }
  }

  /// The events of a delivery as "shown", or "suppressed quiet_hours 07:00".
  func events(_ id: Int, _ device: Int) async throws -> [String] {
    let trace = try #require(try await store.read { database throws(StoreError) in try database.trace(id) })
    let own = try #require(trace.devices.first { $0.device == device })
    return own.events.map { event in
      [event.what.rawValue, event.reason?.rawValue, event.detail, event.isRepeat ? "repeat" : nil]
        .compactMap { $0 }.joined(separator: " ")
    }
  }
}
