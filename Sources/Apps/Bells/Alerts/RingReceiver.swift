import Delivery
import Hub
import Server
import Store
import Wire

/// Turns the rings of rooms into notifications.
struct RingReceiver: OutboxReceiver {
  let name = "bells"
  let sender: BellSender

  func receive(_ ring: Ring, in change: Change) throws {
    if ring.topic == BellChannel.ofCommand {
      if let id = ring.content["sent"]?.string.flatMap(Int.init) {
        try sender.delivery.announce(sentBeside: id, after: change.database)
      }
      return BellChannel.pass(ring, in: change)
    }
    let room = String(ring.topic.prefix { $0 != "." })
    for id in ring.content["taken_back"]?.array ?? [] {
      let taken = try change.database.notifications(by: Self.sender(room), collapseID: id.string ?? "")
      try sender.withdraw(taken, in: change)
    }
    // Rings with other content are meant for other receivers.
    guard let bell = Bell(ring.content) else { return try wake(ring, in: change) }
    if let id = bell.collapseID {
      // A notification that waits for somebody to come is not true any more.
      try change.database.withdrawPlaced(by: Self.sender(room), collapseID: id, now: change.now)
    }
    let expiresAt = ring.at + bell.lifetime
    // The hub or the room was off for so long that nobody wants to hear this now.
    guard expiresAt > change.now else { return }
    let targets = Sending.Target.list(bell.to)
    var recipients: [Recipient] = []
    for target in targets { recipients += try existing(target, of: bell, in: change) }
    guard !recipients.isEmpty else { return }
    if bell.near != nil, try change.database.placesCount() >= DeliveryLimits.places { return }
    // With several topics, the notification stands under the first one, which is the most general.
    let topics = targets.compactMap(\.topicID)
    let kept = try bell.picture.flatMap {
      try KeptAttachment.keep($0, of: Self.sender(room), until: expiresAt, in: change)
    }
    _ = try sender.submit(
      Submission(
        to: recipients, content: bell.content(in: sender.language, with: kept), collapseID: bell.collapseID,
        expiresAt: expiresAt,
        priority: bell.isUrgent ? .high : .normal, place: bell.near.map(LocationTrigger.inside),
        sender: Self.sender(room), room: room, topic: topics.first,
        topics: topics), in: change)
  }

  /// Has a silent ring wake programs, which must not happen after its time.
  private func wake(_ ring: Ring, in change: Change) throws {
    guard let bell = SilentBell(ring.content), ring.at + bell.lifetime > change.now else { return }
    let recipients = try Sending.Target.list(bell.to).recipients(of: change.database)
    guard !recipients.isEmpty else { return }
    let room = String(ring.topic.prefix { $0 != "." })
    _ = try sender.submit(
      Submission(
        to: recipients, content: ["silent": true, "user_info": bell.userInfo], collapseID: bell.collapseID,
        expiresAt: ring.at + bell.lifetime, priority: .normal, sender: Self.sender(room), room: room, stays: true,
        isWake: true),
      in: change)
  }

  private static func sender(_ room: String) -> String { "room \(room)" }

  /// The recipients that exist. A ring must not fail for one that is gone, since the rings after it would wait for
  /// ever.
  private func existing(_ target: Sending.Target, of bell: Bell, in change: Change) throws -> [Recipient] {
    guard case .topic(let id) = target, bell.exceptTopic != nil || !bell.exceptPersons.isEmpty else {
      return try target.recipients(of: change.database)
    }
    var told = Set(bell.exceptPersons.map { Subscriber.person($0) })
    if !told.isEmpty {
      for case (let device, let person?) in try change.database.devices(subscribedTo: id)
      where bell.exceptPersons.contains(person) {
        told.insert(.device(device))
      }
    }
    if let other = bell.exceptTopic { told.formUnion(try change.database.subscribers(of: other)) }
    return try change.database.subscribers(of: id).filter { !told.contains($0) }.map(\.recipient)
  }
}

extension Sending.Target {
  /// The recipients that a room means. It does not know the tokens of devices.
  func recipients(of database: Database) throws(StoreError) -> [Recipient] {
    switch self {
    case .device(let id): [.device(id)]
    case .deviceToken: []
    case .person(let id): [.person(id)]
    case .role(let role): try database.personIDs(of: role).map(Recipient.person)
    case .topic(let id): [.topic(id)]
    }
  }
}

extension [Sending.Target] {
  func recipients(of database: Database) throws(StoreError) -> [Recipient] {
    try map { target throws(StoreError) in try target.recipients(of: database) }.flatMap { $0 }
  }
}

/// The languages of the product.
enum BellLanguage: String, CaseIterable, Sendable {
  case english = "en"
  case german = "de"
}

extension Bell {
  /// The content of the notification: its words in one language, and in `localized` in the other, for a device that
  /// knows its own.
  /// - Parameter picture: the file that stands beside them.
  func content(in language: BellLanguage, with picture: KeptAttachment? = nil) -> JSON {
    let other: BellLanguage = language == .english ? .german : .english
    var members = words(in: language)
    for (name, value) in [("category", category), ("thread", thread), ("url", path)] {
      if let value { members.append(.init(name, .string(value))) }
    }
    if level != .active { members.append(.init("interruption_level", .string(level.rawValue))) }
    // Apple's devices and agents sound for a content that names a sound alone.
    if level != .passive { members.append(.init("sound", "default")) }
    if !parts.isEmpty { members.append(.init("parts", .array(parts.map(JSON.string)))) }
    if let picture { members.append(.init("attachments", .array([picture.json]))) }
    members.append(.init("localized", .object([.init(other.rawValue, .object(words(in: other)))])))
    return .object(members)
  }

  private func words(in language: BellLanguage) -> [JSON.Member] {
    var members = [JSON.Member("title", .string(title.text(in: language)))]
    if let body { members.append(.init("body", .string(body.text(in: language)))) }
    if !actions.isEmpty {
      let told = actions.map { action in
        JSON.object([.init("id", .string(action.id)), .init("title", .string(action.title.text(in: language)))])
      }
      members.append(.init("actions", .array(told)))
    }
    return members
  }
}

extension Bell.Words {
  func text(in language: BellLanguage) -> String { language == .english ? english : german }
}

extension Subscriber {
  fileprivate var recipient: Recipient {
    switch self {
    case .person(let id): .person(id)
    case .device(let id): .device(id)
    }
  }
}
