import Device
import Glibc
import Terminal
import Wire

/// The agent's lines on standard output: one line of JSON for each event, or words for people.
struct Output {
  let isJSON: Bool
  /// True if nobody has read the last line.
  private(set) var isUnread = false
  /// True if only its beginning could be written.
  private var isCutOff = false

  init(isJSON: Bool) { self.isJSON = isJSON }

  /// Writes an event's line whole.
  /// - Parameter seconds: those in which somebody must read each part of it.
  /// - Throws: when nobody reads it.
  mutating func write(_ event: JSON, seconds: Int32) throws(DeviceError) {
    if isJSON {
      try write(event.bytes + [10], seconds)
    } else if let words = Self.words(event) {
      try write(Array("\(Layout.plain(words))\n".utf8), seconds)
    }
  }

  private mutating func write(_ line: [UInt8], _ seconds: Int32) throws(DeviceError) {
    let bytes = isCutOff ? [10] + line : line
    isUnread = true
    var written = 0
    while written < bytes.count {
      var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      let code = poll(&ready, 1, seconds * 1_000)
      if code < 0, errno == EINTR { continue }
      guard code > 0 else { throw DeviceError("Standard output is not read by anybody.") }
      // A pipe that is ready takes so much; with more, a write waits for the reader, and the whole agent with it.
      let part = min(Int(PIPE_BUF), bytes.count - written)
      let count = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress! + written, part) }
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else {
        throw DeviceError("Standard output cannot be written: \(String(cString: strerror(errno))).")
      }
      written += count
      isCutOff = written < bytes.count
    }
    isUnread = false
  }

  /// Words for people; nil for events that are in the log only.
  private static func words(_ event: JSON) -> String? {
    let content = event["content"]
    let parts = [content?["title"], content?["subtitle"], content?["body"]].compactMap { $0?.string }
      .filter { !$0.isEmpty }
    let text = parts.isEmpty ? "a notification without words" : parts.joined(separator: ": ")
    let time = (event["at"]?.string ?? "").dropFirst(11).prefix(5)
    switch event["what"]?.string {
    case "shown" where content?["silent"]?.bool == true: return nil
    case "shown": return "\(time) \(text)" + (event["repeat"]?.bool == true ? " (perhaps for the second time)" : "")
    case "withdrawn": return "\(time) over: notification \(event["id"]?.string ?? "")"
    case "responded": return "\(time) answered: \(event["action"]?.string ?? "")"
    default: return nil
    }
  }

  /// The line for something that is shown or taken away.
  /// - Parameter presentation: what the device does with it, by its settings.
  static func event(_ one: Showing, presentation: JSON?, at now: Double) -> JSON {
    var members: [JSON.Member] = []
    switch one.kind {
    case .show:
      members = [
        .init("what", "shown"), .init("id", .string(one.id)), .init("version", .int(one.version)),
        .init("content", one.content), .init("repeat", .bool(one.isRepeat)),
      ]
      if let presentation { members.append(.init("presentation", presentation)) }
      if one.isUpdate { members.append(.init("update", true)) }
      if one.isAgain { members.append(.init("again", true)) }
      if one.isLocal { members.append(.init("local", true)) }
      if let replaces = one.replaces { members.append(.init("replaces", .string(replaces))) }
      if let collapse = one.collapse { members.append(.init("collapse_id", .string(collapse))) }
      if let topic = one.topic { members.append(.init("topic", .string(topic))) }
      if !one.isLocal { members.append(.init("priority", .string(one.priority))) }
      if let sentAt = one.sentAt { members.append(.init("sent_at", .string(sentAt))) }
      if let due = one.due { members.append(.init("due", .string(instant(due)))) }
    case .withdraw(let reason):
      members = [
        .init("what", "withdrawn"), .init("id", .string(one.id)), .init("version", .int(one.version)),
        .init("reason", .string(reason)),
      ]
    }
    return .object(members + [.init("at", .string(instant(now)))])
  }

  /// The line for other news.
  static func event(_ news: DeviceSession.News, at now: Double) -> JSON {
    let members: [JSON.Member] =
      switch news {
      case .connected(let device, let name):
        [.init("what", "connected"), .init("device", .string(device)), .init("name", .string(name))]
      case .disconnected(let reason, let retryIn):
        [
          .init("what", "disconnected"), .init("reason", .string(reason)),
          .init("retry_in", .double((retryIn * 10).rounded() / 10)),
        ]
      case .responded(let response): answer("responded", response)
      case .taken(let id, let action):
        [.init("what", "taken"), .init("id", .string(id)), .init("action", .string(action))]
      case .failed(let id, let reason):
        [.init("what", "failed"), .init("id", .string(id)), .init("reason", .string(reason))]
      case .dropped(let response): answer("dropped", response)
      case .heartbeat(let seconds): [.init("what", "heartbeat"), .init("seconds", .double(seconds))]
      case .ignored(let what, let id):
        [.init("what", "ignored")] + (id.map { [.init("id", .string($0))] } ?? []) + [.init("reason", .string(what))]
      }
    return .object(members + [.init("at", .string(instant(now)))])
  }

  static func members(of taken: PendingRequests.Taken) -> [JSON.Member] {
    switch taken {
    case .scheduled(let id, let due):
      [.init("what", "scheduled"), .init("id", .string(id))]
        + (due.map { [.init("due", .string(instant(Double($0))))] } ?? [])
    case .cancelled(let id): [.init("what", "cancelled"), .init("id", .string(id))]
    case .refused(let name, let reason):
      [.init("what", "refused"), .init("id", .string(name)), .init("reason", .string(reason))]
    }
  }

  static func answer(_ what: String, _ response: DeviceResponse) -> [JSON.Member] {
    let text = response.text.map { [JSON.Member("text", .string($0))] } ?? []
    return [.init("what", .string(what)), .init("id", .string(response.id)), .init("action", .string(response.action))]
      + text
  }
}
