import Crypto
import Delivery
import Hub
import Server
import Store
import Wire

/// Sends notifications within a change, whoever asks for them: a person, a program, a command or a room.
struct BellSender: Sendable {
  let hub: Hub
  let delivery: Delivery

  /// - Throws: 403 unless the sender may send to all of the recipients, 404 for one that does not exist.
  func send(_ sending: Sending, in change: Change) throws -> Submitted {
    var recipients: [Recipient] = []
    for target in sending.to {
      try allow(change.principal, target, in: change.database)
      recipients += try Self.recipients(target, in: change.database)
    }
    var topic: String?
    if sending.to.count == 1, case .topic(let id) = sending.to[0] { topic = id }
    return try submit(
      Submission(
        to: recipients, content: sending.content, collapseID: sending.collapseID, expiresAt: sending.expiresAt,
        priority: sending.priority, at: sending.at, sender: change.principal.caller, topic: topic), in: change)
  }

  /// Writes a notification, and has it sent after the commit.
  func submit(_ submission: Submission, in change: Change) throws -> Submitted {
    let submitted = try change.database.submit(submission, now: change.now)
    // Delivery looks every few seconds by itself, so that only what is due before that must be told.
    let isSoon = (submission.at ?? submission.expiresAt ?? .infinity) < change.now + BellsLimits.soon
    change.then { [delivery] in
      delivery.wake(submitted.wakes)
      if isSoon { delivery.timesChanged() }
    }
    BellChannel.tell(submitted.persons, submitted.id, "new", in: change)
    return submitted
  }

  /// Has the consequences of an update, a withdrawal or an answer sent after the commit.
  func follow(_ changed: Changed, _ id: Int, _ state: String, in change: Change) {
    change.then { [delivery] in delivery.wake(changed.wakes) }
    BellChannel.tell(changed.persons, id, state, in: change)
  }

  // MARK: Rights

  /// Owners send to everybody, a token with topics to these, everybody else where the topic lets them.
  private func allow(_ principal: Principal, _ target: Sending.Target, in database: Database) throws {
    if let topics = principal.topics {
      if case .topic(let id) = target, topics.contains(id) { return }
      throw HTTPError(
        .topicNotAllowed, "The token may not send to \(target.text).",
        help: "It is limited to \(topics.map { "topic:\($0)" }.joined(separator: ", ")).")
    }
    if principal.may(.send) { return }
    if case .topic(let id) = target, let topic = try database.topic(id), principal.isAmong(topic.senders, of: hub) {
      return
    }
    throw HTTPError(
      .topicNotAllowed, "You may not send to \(target.text).",
      help: "Owners may; others may send to topics that let them, and tokens to those they were made for.")
  }

  // MARK: Recipients

  private static func recipients(_ target: Sending.Target, in database: Database) throws -> [Recipient] {
    switch target {
    case .device(let id):
      guard try database.pushDevice(id) != nil else { throw HTTPError.noSuchDevice("\(id)") }
      return [.device(id)]
    case .deviceToken(let token):
      guard let device = try database.pushDevice(token: Digest.bytes(hex: token) ?? []) else {
        throw HTTPError.noSuchDevice(token)
      }
      return [.device(device.id)]
    case .person(let id):
      guard try database.isPerson(id) else {
        throw HTTPError(.noSuchPerson, "There is no person \(id).", help: "GET /api/v1/people lists those there are.")
      }
      return [.person(id)]
    case .role(let role): return try database.personIDs(of: role).map(Recipient.person)
    case .topic(let id):
      guard try database.topic(id) != nil else { throw HTTPError.noSuchTopic(id) }
      return [.topic(id)]
    }
  }
}

extension Principal {
  /// True if somebody belongs to those who may subscribe to a topic, or send to it.
  func isAmong(_ audience: Audience, of hub: Hub) -> Bool {
    switch audience {
    case .everybody: true
    case .members: may(.listen)
    case .right(let name): hub.roomList.rights.contains { $0.id == name && may($0) }
    }
  }
}

extension HTTPError {
  static func noSuchDevice(_ id: String) -> HTTPError {
    HTTPError(
      .noSuchBellDevice, "There is no device \(id) that can be rung.",
      help: "GET /api/v1/bells/devices lists those there are.")
  }

  static func noSuchTopic(_ id: String) -> HTTPError {
    HTTPError(.noSuchTopic, "There is no topic \"\(id)\".", help: "GET /api/v1/bells/topics lists those there are.")
  }

  static func noSuchNotification(_ id: Int) -> HTTPError {
    HTTPError(
      .noSuchNotification, "There is no notification \(id).",
      help: "They are kept for \(Int(DeliveryLimits.keptDays)) days; GET /api/v1/notifications lists them.")
  }
}

/// The room's live events.
enum BellChannel {
  /// Something in a person's list has changed; on the person's own channel.
  static let changed = "bells.changed"
  /// A notification was answered; on the channel of owners.
  static let answered = "bells.answered"

  /// The private channel of owners.
  static let owners = "private-bells"

  /// - Parameter id: nil if several have changed.
  static func tell(_ persons: [Int], _ id: Int?, _ state: String, in change: Change) {
    for person in persons.prefix(BellsLimits.told) {
      change.publish(changed, on: PrivateChannel.person(person), ["id": JSON(id: id), "state": .string(state)])
    }
  }
}
