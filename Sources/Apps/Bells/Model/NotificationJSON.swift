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
    // Rounded: of 0.819 the nearest number is a little less.
    let milliseconds = Int((instant * 1000).rounded())
    let text = timestamp(EpochSeconds(milliseconds / 1000), in: .utc)
    self = .string("\(text.dropLast()).\("\(1000 + milliseconds % 1000)".dropFirst())Z")
  }
}

extension SentNotification {
  /// The form in lists and traces.
  /// - Parameters:
  ///   - name: the sender's.
  ///   - isTextShown: false for those whom a typed answer does not concern.
  func members(sender name: String?, isTextShown: Bool) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("id", JSON(id: id)), .init("at", JSON(exact: at)), .init("state", .string(state.name)),
      .init("content", (try? JSON(parsing: content)) ?? .null), .init("collapse_id", JSON(collapseID)),
      .init("expires_at", JSON(instant: expiresAt)), .init("priority", .string(priority.name)),
      .init("version", .int(version)), .init("sender", .string(sender)), .init("sender_name", JSON(name)),
      .init("room", JSON(room)), .init("topic", JSON(topic)),
    ]
    if var answer {
      if !isTextShown { answer.text = nil }
      members.append(.init("acted", answer.json))
    }
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

extension DeliveryTrace {
  /// The way to one device.
  var json: JSON {
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
      let words = reason.words(detail)
      members.append(.init("reason", .string(words.english)))
      members.append(.init("localized", ["de": .string(words.german)]))
      members.append(.init("code", .string(reason.rawValue)))
    }
    if let detail { members.append(.init("detail", .string(detail))) }
    if isRepeat { members.append(.init("repeat", true)) }
    return .object(members)
  }
}
