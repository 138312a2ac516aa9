import CivilTime
package import Delivery
import Lifecycle
import Notifications
package import Wire

/// A message of a device.
enum DeviceMessage: Equatable {
  case hello(secret: String, zone: String?, run: DeviceRun?)
  case receipt(Receipt)
  case ping
  /// A message of a later version of the protocol.
  case unknown

  /// - Throws: the fault, as a sentence for the reason of closing.
  init(_ text: String) throws(GatewayFault) {
    guard let json = try? JSON(parsing: Array(text.utf8), values: GatewayLimits.values), let what = json["do"]?.string
    else { throw GatewayFault("A message is a JSON object with \"do\".") }
    switch what {
    case "hello":
      guard let secret = json["secret"]?.string, secret.utf8.count <= GatewayLimits.secretBytes else {
        throw GatewayFault("hello: secret is missing.")
      }
      let zone = json["zone"]?.string
      self = .hello(secret: secret, zone: zone.flatMap { isZoneName($0) ? $0 : nil }, run: DeviceRun(json))
    case "ack": self = .receipt(try Self.acknowledgement(json))
    case "respond": self = .receipt(try Self.response(json))
    case "ping": self = .ping
    default: self = .unknown
    }
  }

  private static func acknowledgement(_ json: JSON) throws(GatewayFault) -> Receipt {
    guard let id = json["id"]?.string.flatMap({ Int($0) }), let version = json["version"]?.int else {
      throw GatewayFault("ack: id or version is missing.")
    }
    let what: Receipt.What
    switch json["what"]?.string {
    case "delivered": what = .delivered
    case "shown": what = .shown
    case "withdrawn": what = .withdrawn
    case "failed": what = .failed
    default: throw GatewayFault("ack: what is delivered, shown, withdrawn or failed.")
    }
    return Receipt(
      notification: id, version: version, what: what, at: time(json), isRepeat: json["repeat"]?.bool ?? false,
      detail: json["reason"]?.string, note: json["note"]?.string.flatMap { DeviceNote($0) })
  }

  private static func response(_ json: JSON) throws(GatewayFault) -> Receipt {
    guard let id = json["id"]?.string.flatMap({ Int($0) }), let action = json["action"]?.string,
      (1...NotificationLimits.identifierBytes).contains(action.utf8.count)
    else { throw GatewayFault("respond: id or action is missing.") }
    let text = json["text"]?.string
    guard text?.utf8.count ?? 0 <= NotificationLimits.answerBytes else {
      throw GatewayFault("respond: text has more than \(NotificationLimits.answerBytes) bytes.")
    }
    return Receipt(
      notification: id, version: json["version"]?.int ?? 1, what: .acted(action: action, text: text), at: time(json))
  }

  /// The device's own time of an event.
  private static func time(_ json: JSON) -> Double? {
    if let number = json["at"]?.number { return number }
    guard let text = json["at"]?.string, let seconds = parseTimestamp(text) else { return nil }
    guard let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) else { return Double(seconds) }
    let digits = text[point...].dropFirst().prefix { $0.isASCII && $0.isNumber }.prefix(3)
    return Double(seconds) + (Double("0.\(digits)") ?? 0)
  }
}

/// The place of a connection among those of one device: a hello that was late on its way, of a process that was ended
/// since, must not take the place of a newer connection.
package struct DeviceRun: Equatable, Sendable {
  /// The name of the device's state, which all its connections have in common.
  package let state: String
  /// Grows with each connection, and each start of the device.
  package let number: Int

  package init(state: String, number: Int) { (self.state, self.number) = (state, number) }

  /// Nil for a device that does not tell.
  init?(_ json: JSON) {
    guard let state = json["state"]?.string, state.utf8.count <= GatewayLimits.stateBytes,
      let number = json["number"]?.int
    else { return nil }
    self.init(state: state, number: number)
  }

  /// True if it is older than another one of the same device.
  package func isBefore(_ other: DeviceRun?) -> Bool {
    other.map { $0.state == state && number < $0.number } ?? false
  }
}

/// A message that does not follow the protocol.
struct GatewayFault: Error, Equatable {
  let message: String
  init(_ message: String) { self.message = message }
}

/// A message to a device.
package enum HubMessage: Equatable {
  case welcome(device: Int, name: String)
  case taken(id: Int, Recorded.Taken)
  case pong
  case bye(Farewell)

  package func json(now: Double) -> JSON {
    switch self {
    case .welcome(let device, let name):
      [
        "do": "welcome", "device": .string("\(device)"), "name": .string(name), "now": .string(instant(now)), "v": 1,
      ]
    case .taken(let id, let taken):
      ["do": "taken", "id": .string("\(id)"), "action": .string(taken.action), "counts": .bool(taken.counts)]
    case .pong: ["do": "pong", "now": .string(instant(now))]
    case .bye(let farewell): ["do": "bye", "reason": .string(farewell.rawValue)]
    }
  }
}

/// The reason why the hub ends a connection.
package enum Farewell: String {
  /// A newer connection has the same secret.
  case replaced
  case removed
  case unknownSecret = "unknown_secret"
  case restart
  /// Too many are connected, or the store failed; the device comes again.
  case busy
  case malformed

  package var closeCode: UInt16 {
    switch self {
    case .replaced: 4000
    case .removed, .unknownSecret: 4001
    case .malformed: 4002
    case .restart: 1012
    case .busy: 1013
    }
  }
}

/// Seconds since 1970 as the API writes them.
func instant(_ seconds: Double) -> String { timestamp(EpochSeconds(seconds.rounded(.down)), in: .utc) }

extension Outgoing {
  /// The text of its message. The content is put in as it is, since it was checked when it came.
  package var gatewayText: [UInt8] {
    let (name, members): (String, [JSON.Member])
    switch work {
    case .show:
      name = "show"
      members = [
        JSON.Member("priority", .string(priority.name)), JSON.Member("sent_at", .string(instant(sentAt))),
      ]
    case .withdraw(let reason):
      name = "withdraw"
      members = [JSON.Member("reason", .string(reason.rawValue))]
    }
    var all: [JSON.Member] = [
      JSON.Member("do", .string(name)), JSON.Member("id", .string("\(id)")), JSON.Member("version", .int(version)),
    ]
    all += members
    if let collapseID { all.append(JSON.Member("collapse_id", .string(collapseID))) }
    if let sequence { all.append(JSON.Member("sequence", .int(sequence))) }
    if case .show = work {
      if let expiresAt { all.append(JSON.Member("expires_at", .string(instant(expiresAt)))) }
      if stays { all.append(JSON.Member("stays", true)) }
      if let topic { all.append(JSON.Member("topic", .string(topic))) }
      if ringsAgain { all.append(JSON.Member("again", true)) }
    }
    var bytes = JSON.object(all).bytes
    if case .show(let content) = work {
      bytes.removeLast()
      bytes += ",\"content\":".utf8
      bytes += content.utf8
      bytes.append(UInt8(ascii: "}"))
    }
    return bytes
  }
}
