package import Server
package import Wire

/// One event that a program has triggered, read from the fields of its request.
package struct PusherEvent: Equatable {
  package var name: String
  package var data: String
  /// Each once, in their order.
  package var channels: [String]
  /// The socket that does not get it, mostly because its page has shown it already.
  package var except: String?
  /// The attributes of its channels that the answer is to tell; empty for none.
  package var info: [ChannelAttribute]

  /// - Parameters:
  ///   - path: stands before the names of fields in errors, such as "batch[3]."
  ///   - field: the value of a field; nil if it was not sent.
  package init(_ path: String = "", _ field: (String) -> JSON?) throws(HTTPError) {
    func text(_ name: String) throws(HTTPError) -> String? {
      switch field(name) {
      case nil, .null: return nil
      case .string(let text): return text
      case .some(let other): throw Self.refusal("\(path)\(name)", "\(other.kind); a string is accepted")
      }
    }
    func needed(_ name: String) throws(HTTPError) -> String {
      guard let text = try text(name) else { throw Self.refusal("\(path)\(name)", "missing; a string is accepted") }
      return text
    }
    name = try Self.name(try needed("name"), at: "\(path)name")
    data = try Self.data(try needed("data"), at: "\(path)data")
    except = try Self.socket(try text("socket_id"), at: "\(path)socket_id")
    info = try ChannelAttribute.list(try text("info"), at: "\(path)info")
    channels = []
    let listed = field("channels") ?? .null
    if listed == .null {
      channels = [try Self.channel(try needed("channel"), at: "\(path)channel")]
      return
    }
    guard let names = listed.array else {
      throw Self.refusal("\(path)channels", "\(listed.kind); a list of channels' names is accepted")
    }
    guard (1...RealtimeLimits.channelsOfEvent).contains(names.count) else {
      throw Self.refusal(
        "\(path)channels", "\(names.count) channels; 1 to \(RealtimeLimits.channelsOfEvent) are accepted")
    }
    var seen: Set<String> = []
    for (index, one) in names.enumerated() {
      let place = "\(path)channels[\(index)]"
      guard let name = one.string else { throw Self.refusal(place, "\(one.kind); a channel's name is accepted") }
      if seen.insert(try Self.channel(name, at: place)).inserted { channels.append(name) }
    }
    if channels.count > 1, channels.contains(where: { ChannelName($0).isEncrypted }) {
      // Each of them has a key of its own.
      throw Self.refusal("\(path)channels", "an encrypted channel among others; it is accepted alone")
    }
  }

  static func name(_ text: String, at field: String) throws(HTTPError) -> String {
    guard !text.isEmpty, text.unicodeScalars.count <= RealtimeLimits.eventName else {
      throw refusal(field, "\(text.unicodeScalars.count) characters; 1 to \(RealtimeLimits.eventName) are accepted")
    }
    return text
  }

  static func data(_ text: String, at field: String) throws(HTTPError) -> String {
    guard text.utf8.count <= RealtimeLimits.eventBytes else {
      throw HTTPError(
        .eventTooLarge, "\(field) has \(text.utf8.count) bytes.",
        help: "\(RealtimeLimits.eventBytes) are accepted; nothing was sent. Larger things are stored, and the event "
          + "tells where.")
    }
    return text
  }

  static func socket(_ text: String?, at field: String) throws(HTTPError) -> String? {
    guard let text else { return nil }
    guard SocketID.isRight(text) else {
      throw refusal(field, "\"\(text.prefix(40))\"; a socket's id such as 1234.5678 is accepted")
    }
    return text
  }

  /// A channel's name, or that of a user.
  static func channel(_ name: String, at field: String) throws(HTTPError) -> String {
    let characters = ChannelName(name).user?.unicodeScalars.count
    guard characters.map({ (1...RealtimeLimits.userID).contains($0) }) ?? ChannelName.isRight(name) else {
      throw refusal(
        field,
        "\"\(name.prefix(60))\"; 1 to \(RealtimeLimits.channelName) of the characters A-Z a-z 0-9 _-=@,.; "
          + "are accepted")
    }
    return name
  }

  static func refusal(_ field: String, _ words: String) -> HTTPError {
    var error = HTTPError(
      .unusableEvent, "\(field): \(words).", help: "Nothing was sent. Docs/apps.md shows what a request looks like.")
    error.problems = [.init(field, "\(words).")]
    return error
  }
}
