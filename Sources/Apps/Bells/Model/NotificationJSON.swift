import CivilTime
import Delivery
import Hub
import Wire

extension JSON {
  /// A time in UTC with milliseconds; null for nil.
  init(exact instant: Double?) {
    guard let instant else {
      self = .null
      return
    }
    let whole = instant.rounded(.down)
    let text = timestamp(EpochSeconds(whole), in: .utc)
    let milliseconds = "\(1000 + Int((instant - whole) * 1000))".dropFirst()
    self = .string("\(text.dropLast()).\(milliseconds)Z")
  }
}

extension SentNotification {
  /// The form in lists and traces.
  var members: [JSON.Member] {
    var members: [JSON.Member] = [
      .init("id", JSON(id: id)), .init("at", JSON(exact: at)), .init("state", .string(state.name)),
      .init("content", (try? JSON(parsing: content)) ?? .null), .init("collapse_id", JSON(collapseID)),
      .init("expires_at", JSON(instant: expiresAt)), .init("priority", .string(priority.name)),
      .init("version", .int(version)), .init("sender", .string(sender)), .init("room", JSON(room)),
      .init("topic", JSON(topic)),
    ]
    if let answer { members.append(.init("acted", answer.json)) }
    return members
  }
}

extension Answer {
  var json: JSON {
    [
      "action": .string(action), "text": JSON(text), "at": JSON(exact: at), "device": JSON(id: device),
      "person": JSON(id: person),
    ]
  }
}

extension Trace {
  /// The answer to why it arrived or did not.
  /// - Parameter person: only for this person's devices; nil for all.
  func json(for person: Int?) -> JSON {
    let seen = devices.filter { person == nil || $0.person == person }
    return .object(notification.members + [.init("devices", .array(seen.map(\.json)))])
  }
}

extension DeliveryTrace {
  fileprivate var json: JSON {
    [
      "device": JSON(id: device), "name": .string(name), "person": JSON(id: person), "channel": .string(channel.name),
      "pending": .bool(isPending), "events": .array(events.map(\.json)),
    ]
  }
}

extension TraceEvent {
  fileprivate var json: JSON {
    var members: [JSON.Member] = [
      .init("at", JSON(exact: at)), .init("what", .string(what.rawValue)), .init("version", .int(version)),
    ]
    if let reason {
      members.append(.init("reason", .string(reason.text(detail))))
      members.append(.init("code", .string(reason.rawValue)))
    }
    if let detail { members.append(.init("detail", .string(detail))) }
    if isRepeat { members.append(.init("repeat", true)) }
    return .object(members)
  }
}
