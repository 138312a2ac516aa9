import CivilTime
import Wire

/// A message of the hub on the gateway's WebSocket.
enum GatewayMessage: Equatable, Sendable {
  case welcome(device: String, name: String, now: Double?)
  case show(Showing)
  /// - Parameter sequence: its place among those with its collapse id; nil if that is its id.
  case withdraw(id: String, version: Int, reason: String, collapse: String?, sequence: Int?)
  case taken(id: String, action: String)
  case pong(now: Double?)
  case bye(String)
  /// A message of a later version of the protocol, by its name.
  case unknown(String)

  /// Nil for a text that is no message of the gateway.
  init?(_ text: String) {
    guard let json = try? JSON(parsing: text), let what = json["do"]?.string else { return nil }
    switch what {
    case "welcome":
      guard let device = Self.identifier(json["device"]) else { return nil }
      self = .welcome(
        device: device, name: json["name"]?.string ?? "", now: json["now"]?.string.flatMap(Self.seconds))
    case "show":
      guard let (id, version) = Self.name(json), let content = json["content"], content.members != nil else {
        return nil
      }
      self = .show(
        Showing(
          id: id, version: version, content: content.withoutFiles, isAgain: json["again"]?.bool ?? false,
          collapse: Self.identifier(json["collapse_id"]), priority: json["priority"]?.string ?? "high",
          sentAt: json["sent_at"]?.string, topic: json["topic"]?.string,
          expiresAt: json["expires_at"]?.string.flatMap(Self.seconds), stays: json["stays"]?.bool ?? false,
          seconds: json["seconds"]?.number))
    case "withdraw":
      guard let (id, version) = Self.name(json) else { return nil }
      self = .withdraw(
        id: id, version: version, reason: json["reason"]?.string ?? "", collapse: Self.identifier(json["collapse_id"]),
        sequence: json["sequence"]?.int)
    case "taken":
      guard let id = Self.identifier(json["id"]) else { return nil }
      self = .taken(id: id, action: json["action"]?.string ?? "")
    case "pong": self = .pong(now: json["now"]?.string.flatMap(Self.seconds))
    case "bye": self = .bye(json["reason"]?.string ?? "")
    default: self = .unknown(what)
    }
  }

  private static func name(_ json: JSON) -> (String, Int)? {
    guard let id = identifier(json["id"]), let version = json["version"]?.int, version > 0 else { return nil }
    return (id, version)
  }

  private static func identifier(_ json: JSON?) -> String? {
    guard let text = json?.string, !text.isEmpty, text.utf8.count <= DeviceLimits.identifierBytes else { return nil }
    return text
  }

  private static func seconds(_ text: String) -> Double? { parseTimestamp(text).map { Double($0) } }
}

extension DeviceResponse {
  /// As the device tells it to the hub.
  var message: JSON {
    var members: [JSON.Member] = [
      .init("do", "respond"), .init("id", .string(id)), .init("version", .int(version)),
      .init("action", .string(action)), .init("at", .string(instant(at))),
    ]
    if let text { members.append(.init("text", .string(text))) }
    return .object(members)
  }
}

/// An instant in messages and lines: RFC 3339 in UTC with milliseconds.
public func instant(_ seconds: Double) -> String {
  let milliseconds = Int((seconds * 1000).rounded(.down))
  let second = timestamp(EpochSeconds(milliseconds / 1000), in: .utc).dropLast()
  return "\(second).\(String(milliseconds % 1000 + 1000).dropFirst())Z"
}
