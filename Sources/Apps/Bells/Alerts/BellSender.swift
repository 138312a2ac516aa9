import Crypto
import Delivery
import Hub
import Lifecycle
import Server
import Settings
import Store
import Wire

/// Sends notifications within a change, whoever asks for them: a person, a program, a command or a room.
struct BellSender: Sendable {
  let hub: Hub
  let delivery: Delivery
  /// Those that wait for a place.
  let places = Places()

  /// The sender of what somebody has sent who is not signed in.
  static let stranger = "stranger"

  /// The language of what rings; devices find the other one in `localized`.
  var language: BellLanguage { BellLanguage(rawValue: hub.options[BellsRoom.languageOption.name]) ?? .english }

  /// The persons of a role, for what is sent later.
  static let members: RoleMembers = { database, role throws(StoreError) in
    try Role(rawValue: role).map(database.personIDs(of:)) ?? []
  }

  /// - Parameter isStranger: true if somebody sends it who is not signed in; the change is the room's then.
  /// - Throws: 403 unless the sender may send to all of the recipients, 404 for one that does not exist.
  func send(_ sending: Sending, in change: Change, isStranger: Bool = false) throws -> Submitted {
    let principal = isStranger ? nil : change.principal
    // The people of a role are looked up when it is time.
    let isLater =
      sending.place != nil
      || sending.local.map { $0.rule != nil || $0.nextLook(after: change.now) != nil } ?? (sending.at ?? 0 > change.now)
    var recipients: [Recipient] = []
    for target in sending.to {
      try allow(principal, target, in: change.database)
      recipients += try Self.recipients(target, isLater: isLater, in: change.database)
    }
    var repetition = sending.repetition
    for target in sending.then {
      try allow(principal, target, in: change.database)
      repetition?.then += try Self.recipients(target, isLater: true, in: change.database)
    }
    let topics = sending.to.compactMap(\.topicID)
    try change.database.demandGoodKey(of: sending.content)
    let content = try keepAttachments(sending.content, until: sending.expiresAt, in: change)
    return try submit(
      Submission(
        to: recipients, content: content, collapseID: sending.collapseID, expiresAt: sending.expiresAt,
        priority: sending.priority, at: sending.at, local: sending.local, place: sending.place, repetition: repetition,
        sender: principal?.caller ?? Self.stranger, topic: sending.to.count == 1 ? topics.first : nil,
        topics: topics), in: change)
  }

  /// Writes a notification, and has it sent after the commit.
  /// - Throws: 409 if it is to wait, and as many wait as may.
  func submit(_ submission: Submission, in change: Change) throws -> Submitted {
    var submission = submission
    submission.collapseID = submission.collapseID.map { Self.collapseID($0, of: submission.sender) }
    let isLater = submission.local != nil || submission.at ?? 0 > change.now
    if isLater, submission.sender == Self.stranger,
      try change.database.scheduledCount(of: Self.stranger) >= BellsLimits.strangersScheduled
    {
      throw HTTPError(
        .tooManyScheduled, "\(BellsLimits.strangersScheduled) messages without a token wait for their time.",
        help: "Send it when it is time, or with a token.")
    }
    if isLater, delivery.isScheduleFull {
      throw HTTPError(
        .tooManyScheduled, "\(DeliveryLimits.scheduled) notifications wait for their time; there is no room for more.",
        help: "Send it when it is time, or cancel others: GET /api/v1/notifications?scheduled=1 lists them.")
    }
    if submission.place != nil, try change.database.placesCount() >= DeliveryLimits.places {
      throw HTTPError(
        .tooManyScheduled, "\(DeliveryLimits.places) notifications wait for a place; there is no room for more.",
        help: "Cancel others: GET /api/v1/notifications?scheduled=1 lists them.")
    }
    let submitted = try change.database.submit(submission, now: delivery.time.now)
    if let place = submission.place {
      change.database.touch(.places, submitted.id)
      change.then { [places, now = change.now] in places.add(submitted.id, place, now: now) }
      try Places.Ringing(sender: self).ringInside(submitted.id, place, in: change)
    }
    // Delivery looks every few seconds by itself, so it is told only of times that come before.
    let isSoon =
      submission.local != nil || (submission.at ?? submission.expiresAt ?? .infinity) < change.now + BellsLimits.soon
    if isSoon { delivery.timesChanged(after: change.database) }
    delivery.announce([submitted], after: change.database)
    // Several hubs hear of it by their database server.
    if submitted.news != nil, hub.nameAmongHubs == nil, change.principal.caller == Principal.commandLine.caller {
      try change.ring(BellChannel.ofCommand, ["sent": JSON(id: submitted.id)])
    }
    // A wake of a room's program on a device is not for pages.
    if !submission.isWake { try BellChannel.tell(of: submitted, submission.content, in: change) }
    return submitted
  }

  /// Rings somebody with a bell of this room's own.
  /// - Parameter room: the room that gets the responses.
  @discardableResult
  func ring(
    _ bell: Bell, to recipients: [Recipient], room: String? = nil, in change: Change
  ) throws -> Submitted {
    try submit(
      Submission(
        to: recipients, content: bell.content(in: language), collapseID: bell.collapseID,
        expiresAt: change.now + bell.lifetime, sender: "room \(BellsRoom.id)", room: room), in: change)
  }

  /// The id by which a notification takes the place of older ones: of a room's, only the room's own ones do.
  private static func collapseID(_ id: String, of sender: String) -> String {
    if sender.hasPrefix(RoomCollapse.prefix) { return "\(sender)/\(id)" }
    return id.hasPrefix(RoomCollapse.prefix) ? Digest.base64URL(Digest.sha256(id.utf8)) : id
  }

  /// Has the consequences of an update, a withdrawal or an answer sent after the commit.
  func follow(_ changed: Changed, _ id: Int, _ state: String, in change: Change) throws {
    delivery.wake(changed.wakes, after: change.database)
    try BellChannel.tell(changed.persons, id, state, in: change)
  }

  /// Takes notifications back that are not over.
  func withdraw(_ ids: [Int], in change: Change) throws {
    for id in ids {
      guard let changed = try change.database.withdraw(notification: id, now: change.now) else { continue }
      try follow(changed, id, "withdrawn", in: change)
    }
  }

  // MARK: Rights

  /// Owners send to everybody, a token with topics sends to these alone, and all others send where the topic lets them.
  /// Strangers send to topics that an owner has opened to everybody.
  func allow(_ principal: Principal?, _ target: Sending.Target, in database: Database) throws {
    guard let principal else {
      if case .topic(let id) = target, try database.topic(id)?.senders == .everybody { return }
      throw HTTPError(
        .topicNotAllowed, "Without a token nobody sends to \(target.text).",
        help: "An owner can open a topic: eightbells topic create ID --senders everybody.")
    }
    if let topics = principal.topics {
      if case .topic(let id) = target, topics.contains(id) { return }
      throw HTTPError(
        .topicNotAllowed, "The token may not send to \(target.text).",
        help: "It is limited to \(topics.map { "topic:\($0)" }.joined(separator: ", ")).")
    }
    if principal.sendsToAll { return }
    if case .topic(let id) = target, let topic = try database.topic(id), principal.isAmong(topic.senders, of: hub) {
      return
    }
    throw HTTPError(
      .topicNotAllowed, "You may not send to \(target.text).",
      help: "Owners may; others may send to topics that let them, and tokens to those they were made for.")
  }

  // MARK: Recipients

  static func recipients(
    _ target: Sending.Target, isLater: Bool, in database: Database
  ) throws -> [Recipient] {
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
    case .role(let role):
      if isLater { return [.role(role.rawValue)] }
      return try database.personIDs(of: role).map(Recipient.person)
    case .topic(let id):
      guard try database.topic(id) != nil else { throw HTTPError.noSuchTopic(id) }
      return [.topic(id)]
    }
  }
}

extension Principal {
  /// True if the principal belongs to an audience: the people who may subscribe to a topic, or send to it.
  func isAmong(_ audience: Audience, of hub: Hub) -> Bool { audience.includes(of: hub, may) }
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

  static func tooManyTopics(_ count: Int) -> HTTPError {
    HTTPError(
      .tooManyTopics, "There are \(count) topics; \(BellsLimits.topics) are possible.", help: "Remove one first.")
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

  /// A silent notification wakes the open pages of a person; on the person's own channel.
  static let silent = "bells.silent"

  /// The ring by which the running hub gets the events of a command beside it, and tells those who listen to topics.
  static let ofCommand = "bells.told"

  /// Tells pages of one that was sent just now: a silent one wakes them.
  static func tell(of submitted: Submitted, _ content: JSON, in change: Change) throws(StoreError) {
    if submitted.isScheduled { return }
    guard content["silent"]?.bool == true else { return try tell(submitted.persons, submitted.id, "new", in: change) }
    try publish(
      silent, submitted.persons,
      ["id": JSON(id: submitted.id), "seconds": .int(BellsLimits.silentSeconds), "content": content], in: change)
  }

  /// Tells pages of one whose time has come, as long as it is worth something.
  static func tell(ofDue submitted: Submitted, in change: Change) throws {
    guard !submitted.persons.isEmpty, let sent = try change.database.notification(submitted.id), sent.state == .active
    else { return }
    try tell(of: submitted, (try? JSON(parsing: sent.content)) ?? [:], in: change)
  }

  /// The private channel of owners.
  static let owners = Channel.private(BellsRoom.id)

  /// - Parameter id: nil if several have changed.
  static func tell(_ persons: [Int], _ id: Int?, _ state: String, in change: Change) throws(StoreError) {
    try publish(changed, persons, ["id": JSON(id: id), "state": .string(state)], in: change)
  }

  /// Live events of a command reach nobody: the running hub sends them, as it finds them in the outbox.
  private static func publish(
    _ event: String, _ persons: [Int], _ data: @escaping @Sendable @autoclosure () -> JSON, in change: Change
  ) throws(StoreError) {
    if persons.isEmpty { return }
    let told = persons.prefix(BellsLimits.told)
    if change.principal.caller == Principal.commandLine.caller {
      return try change.ring(
        ofCommand, ["event": .string(event), "persons": .array(told.map { .int($0) }), "data": data()])
    }
    for person in told { change.publish(event, on: .person(person), data()) }
  }

  /// Sends the events of a command; a silent notification wakes nobody after its time.
  static func pass(_ ring: Ring, in change: Change) {
    guard let event = ring.content["event"]?.string, let data = ring.content["data"],
      event != silent || ring.at + Double(BellsLimits.silentSeconds) > change.now
    else { return }
    for person in ring.content["persons"]?.array ?? [] {
      if let person = person.int { change.publish(event, on: .person(person), data) }
    }
  }
}
