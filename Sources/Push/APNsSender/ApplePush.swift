import APNs
import Crypto
package import Delivery
import Notifications
package import Wire

/// A message in the form of APNs: what a native app on Apple's systems gets of a notification.
///
/// The parts that Apple's systems show themselves stand in `aps`. All other members of the content, the notification's
/// id and its version stand in `eightbells`, for the app; the sender's `user_info` is beside both.
package struct ApplePush: Equatable, Sendable {
  package enum Kind: String, Sendable {
    case alert, background
  }

  package var payload: [UInt8]
  package var kind: Kind
  package var isUrgent = false
  package var collapseID: String
  /// True if the text was shortened.
  package var isCut = false
  /// Seconds since 1970 until which Apple's service keeps it.
  package var expiresAt: Double

  /// A payload as somebody wrote it.
  package init(payload: [UInt8], kind: Kind, isUrgent: Bool, collapseID: String, expiresAt: Double) {
    (self.payload, self.kind, self.isUrgent) = (payload, kind, isUrgent)
    (self.collapseID, self.expiresAt) = (collapseID, expiresAt)
  }

  /// - Parameters:
  ///   - unread: the number on the app's icon, if the content has none.
  ///   - isChange: true if the device shows it already and does not ring again.
  /// - Returns: nil if even without a text it is too large.
  package init?(_ message: Outgoing, unread: Int?, isChange: Bool, now: Double) {
    collapseID = Self.collapseID(message)
    var head: [JSON.Member] = [
      .init("v", 1), .init("id", .string("\(message.id)")), .init("version", .int(message.version)),
    ]
    expiresAt = now + APNsLimits.storedSeconds
    switch message.work {
    case .withdraw:
      // Apple's systems name a shown notification by its collapse id.
      head += [.init("withdraw", true), .init("collapse_id", .string(collapseID))]
      kind = .background
      payload = Self.payload(["content-available": 1], head, [])
      expiresAt = now + APNsSenderLimits.withdrawalSeconds
    case .show(let text):
      if let end = message.expiresAt { expiresAt = min(end, expiresAt) }
      if message.ringsAgain { head.append(.init("again", true)) }
      // The hub itself wrote this text. If it cannot be read, it counts as empty.
      let content = (try? JSON(parsing: text)) ?? [:]
      kind = Self.isShown(content) ? .alert : .background
      let level = content["interruption_level"]?.string
      isUrgent = kind == .alert && message.priority == .high && level != "passive"
      let write = { (content: JSON) in Self.show(content, head, unread: unread, isChange: isChange) }
      payload = write(content)
      guard payload.count > APNsLimits.payloadBytes else { return }
      guard let fitted = Self.fit(content, write) else { return nil }
      (payload, isCut) = (fitted, true)
    }
  }

  /// True if Apple's systems have something to show or to play by themselves.
  private static func isShown(_ content: JSON) -> Bool {
    content["silent"]?.bool != true
  }

  /// The shortened payload: the text is cut as for browsers; then other languages are left out, too.
  private static func fit(_ content: JSON, _ write: (JSON) -> [UInt8]) -> [UInt8]? {
    var lessLanguages = content.members ?? []
    lessLanguages.removeAll { $0.name == "localized" }
    for candidate in [content, .object(lessLanguages)] {
      let text = candidate.bytes
      var most = APNsLimits.payloadBytes - (write(candidate).count - text.count)
      // The members that are written in another way take a few bytes more or less.
      for _ in 0..<4 {
        guard let fitted = Content.fit(text, bytes: most), let json = try? JSON(parsing: fitted) else { break }
        let payload = write(json)
        if payload.count <= APNsLimits.payloadBytes { return payload }
        most -= payload.count - APNsLimits.payloadBytes
      }
    }
    return nil
  }

  // MARK: The payload

  /// The members of a content that have a place in `aps`, or one beside it.
  private static let placed: Set = [
    "v", "title", "subtitle", "body", "badge", "category", "thread", "interruption_level", "relevance", "mutable",
    "user_info", "silent",
  ]

  private static func show(_ content: JSON, _ head: [JSON.Member], unread: Int?, isChange: Bool) -> [UInt8] {
    var aps: [JSON.Member] = []
    var sound: String?
    if isShown(content) {
      let alert = ["title", "subtitle", "body"].compactMap { name in
        content[name].flatMap { $0.string == nil ? nil : JSON.Member(name, $0) }
      }
      aps.append(.init("alert", .object(alert.isEmpty ? [.init("body", "")] : alert)))
      if let badge = content["badge"]?.int ?? unread { aps.append(.init("badge", .int(badge))) }
      sound = isChange ? nil : content["sound"]?.string
      let level = isChange ? "passive" : content["interruption_level"]?.string
      if let sound {
        // The app has sounds by their names; an address is for the app's extension.
        let name = JSON.string(sound.utf8.contains(UInt8(ascii: "/")) ? "default" : sound)
        aps.append(.init("sound", level == "critical" ? ["critical": 1, "name": name, "volume": 1] : name))
      }
      for (name, value) in [
        ("category", content["category"]), ("thread-id", content["thread"]), ("interruption-level", JSON(level)),
        ("relevance-score", content["relevance"]),
      ] {
        if let value, value != .null { aps.append(.init(name, value)) }
      }
      let hasFiles = !(content["attachments"]?.array ?? []).isEmpty
      if hasFiles || content["mutable"]?.bool == true { aps.append(.init("mutable-content", 1)) }
    } else {
      aps.append(.init("content-available", 1))
    }
    let isNamed = sound.map { !$0.utf8.contains(UInt8(ascii: "/")) } ?? true
    let rest = (content.members ?? []).filter { member in
      !placed.contains(member.name) && member.value != .null && !(member.name == "sound" && isNamed)
    }
    return payload(.object(aps), head + rest, content["user_info"]?.members ?? [])
  }

  private static func payload(_ aps: JSON, _ own: [JSON.Member], _ userInfo: [JSON.Member]) -> [UInt8] {
    func isTaken(_ member: JSON.Member) -> Bool { member.name == "aps" || member.name == "eightbells" }
    var own = own
    let clashing = userInfo.filter(isTaken)
    if !clashing.isEmpty { own.append(.init("user_info", .object(clashing))) }
    let beside = userInfo.filter { !isTaken($0) }
    // Most have room in this, and are written without moving what is there.
    var bytes: [UInt8] = []
    bytes.reserveCapacity(512)
    JSON.object([.init("aps", aps), .init("eightbells", .object(own))] + beside).append(to: &bytes)
    return bytes
  }

  // MARK: The fields

  /// The name by which a newer message takes the place of an older one: of all versions of a notification, and of
  /// notifications with the same collapse id.
  private static func collapseID(_ message: Outgoing) -> String {
    guard let given = message.collapseID else { return "\(message.id)" }
    let isPlain =
      given.utf8.count <= APNsLimits.collapseBytes && !given.isEmpty
      && given.utf8.allSatisfy { $0 > 32 && $0 < 127 } && Int(given) == nil
    return isPlain ? given : Digest.base64URL(Digest.sha256(given.utf8))
  }

  /// The message's id at Apple's service: the same whenever it is sent again.
  package static func id(_ message: Outgoing, to registration: AppleRegistration) -> String {
    let name = "\(message.id) \(message.version) \(message.sentAt) "
    return Digest.uuid(Digest.sha256(Array(name.utf8) + registration.token), version: 8)
  }

  /// The request that sends it.
  /// - Parameter token: of the hub; nil where a certificate shows who it is.
  package func request(id: String, to registration: AppleRegistration, authority: String, token: String?)
    -> HTTP2Request
  {
    var fields = [
      (name: "apns-id", value: id), (name: "apns-topic", value: registration.topic),
      (name: "apns-push-type", value: kind.rawValue), (name: "apns-priority", value: isUrgent ? "10" : "5"),
      (name: "apns-expiration", value: "\(Int(expiresAt.rounded(.up)))"), (name: "apns-collapse-id", value: collapseID),
    ]
    if let token { fields.append((name: "authorization", value: "bearer \(token)")) }
    return HTTP2Request(
      path: "/3/device/\(Digest.hex(registration.token))", authority: authority, fields: fields, body: payload)
  }
}
