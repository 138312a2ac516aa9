import Delivery
import Hub
import Observe
import Server
import Wire

/// Turns the rings of rooms into notifications.
struct RingReceiver: OutboxReceiver {
  let name = "bells"
  let sender: BellSender
  /// The language of the words; devices find the others in `localized`.
  let language: BellLanguage

  func receive(_ ring: Ring, in change: Change) throws {
    // Rings with other content are meant for other receivers.
    guard let bell = Bell(ring.content) else { return }
    let expiresAt = ring.at + bell.lifetime
    // The hub was off, or the room was: nobody wants to hear now what was so long ago.
    guard expiresAt > change.now else { return }
    let targets = (bell.to.array ?? [bell.to]).compactMap { Sending.Target($0) }
    var recipients: [Recipient] = []
    for target in targets { recipients += try existing(target, in: change) }
    guard !recipients.isEmpty else { return }
    var topic: String?
    if targets.count == 1, case .topic(let id) = targets[0] { topic = id }
    let room = String(ring.topic.prefix { $0 != "." })
    _ = try sender.submit(
      Submission(
        to: recipients, content: bell.content(in: language), collapseID: bell.collapseID, expiresAt: expiresAt,
        priority: bell.isUrgent ? .high : .normal, sender: "room \(room)", room: room, topic: topic), in: change)
  }

  /// Recipients that are there: a ring must not fail for one that is gone, since those after it would wait for ever.
  private func existing(_ target: Sending.Target, in change: Change) throws -> [Recipient] {
    switch target {
    case .device(let id): return [.device(id)]
    case .deviceToken: return []
    case .person(let id): return [.person(id)]
    case .role(let role): return try change.database.personIDs(of: role).map(Recipient.person)
    case .topic(let id): return [.topic(id)]
    }
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
  func content(in language: BellLanguage) -> JSON {
    let other: BellLanguage = language == .english ? .german : .english
    var members = words(in: language)
    for (name, value) in [("category", category), ("thread", thread), ("url", path)] {
      if let value { members.append(.init(name, .string(value))) }
    }
    members.append(.init("localized", .object([.init(other.rawValue, .object(words(in: other)))])))
    return .object(members)
  }

  private func words(in language: BellLanguage) -> [JSON.Member] {
    var members = [JSON.Member("title", .string(title.text(in: language)))]
    if let body { members.append(.init("body", .string(body.text(in: language)))) }
    return members
  }
}

extension Bell.Words {
  func text(in language: BellLanguage) -> String { language == .english ? english : german }
}
