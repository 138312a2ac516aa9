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
    func refusal(_ name: String, _ words: String) -> HTTPError { Self.refusal("\(path)\(name)", words) }
    func text(_ name: String) throws(HTTPError) -> String? {
      switch field(name) {
      case nil, .null: return nil
      case .string(let text): return text
      case .some(let other): throw refusal(name, "\(other.kind); a string is accepted")
      }
    }
    func needed(_ name: String) throws(HTTPError) -> String {
      guard let text = try text(name) else { throw refusal(name, "missing; a string is accepted") }
      return text
    }
    name = try needed("name")
    let characters = name.unicodeScalars.count
    guard (1...RealtimeLimits.eventName).contains(characters) else {
      throw refusal("name", "\(characters) characters; 1 to \(RealtimeLimits.eventName) are accepted")
    }
    data = try needed("data")
    guard data.utf8.count <= RealtimeLimits.eventBytes else {
      throw HTTPError(
        .eventTooLarge, "\(path)data has \(data.utf8.count) bytes.",
        help: "\(RealtimeLimits.eventBytes) are accepted; nothing was sent. Larger things are stored, and the event "
          + "tells where.")
    }
    except = try text("socket_id")
    if let except, !SocketID.isRight(except) {
      throw refusal("socket_id", "\"\(except.prefix(40))\"; a socket's id such as 1234.5678 is accepted")
    }
    info = try ChannelAttribute.list(try text("info"), at: "\(path)info")
    channels = []
    let listed = field("channels") ?? .null
    if listed == .null {
      channels = [try Self.channel(try needed("channel"), at: "\(path)channel")]
      return
    }
    guard let names = listed.array else {
      throw refusal("channels", "\(listed.kind); a list of channels' names is accepted")
    }
    guard (1...RealtimeLimits.channelsOfEvent).contains(names.count) else {
      throw refusal("channels", "\(names.count) channels; 1 to \(RealtimeLimits.channelsOfEvent) are accepted")
    }
    var seen: Set<String> = []
    for (index, one) in names.enumerated() {
      let place = "\(path)channels[\(index)]"
      guard let name = one.string else { throw Self.refusal(place, "\(one.kind); a channel's name is accepted") }
      if seen.insert(try Self.channel(name, at: place)).inserted { channels.append(name) }
    }
    if channels.count > 1, channels.contains(where: { ChannelName($0).isEncrypted }) {
      // Each of them has a key of its own.
      throw refusal("channels", "an encrypted channel among others; it is accepted alone")
    }
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
