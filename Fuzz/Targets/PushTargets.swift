import Crypto
import Notifications
import WebPush
import Webhooks
import Wire

/// Values that clients give for Web Push, and payloads made of a notification's content.
nonisolated(unsafe) let pushTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "push": { bytes in
    if let endpoint = try? PushEndpoint(String(decoding: bytes, as: UTF8.self)) { check(endpoint) }
    guard let json = try? JSON(parsing: Array(bytes)) else { return }
    if let subscription = try? PushSubscription(json) {
      check(subscription.endpoint)
      require(subscription.authSecret.count == 16 && subscription.publicKey.bytes.count == 65)
    }
    // As the content of a notification: it fits, and nothing but the end of the body is lost.
    guard
      let fitted = PushPayload.show(id: 1, version: 1, receipt: "r", content: json, collapseID: nil)
    else { return }
    require(fitted.bytes.count <= WebPushLimits.plaintextBytes)
    guard let sent = (try? JSON(parsing: fitted.bytes))?["content"] else { return require(false, "no content is left") }
    guard fitted.isCut, case .object(let members) = json else { return require(sent == json) }
    let changed: Set = ["body", "localized", "cut"]
    for member in members where !changed.contains(member.name) { require(sent[member.name] == member.value) }
    guard let body = json["body"]?.string, let kept = sent["body"]?.string, kept != body else { return }
    let beginning = Array(kept.utf8).dropLast("…".utf8.count)
    require(Array(body.utf8).starts(with: beginning) && beginning.count < body.utf8.count)
  },
  // A template in the first line, and below it what is posted.
  "hook": { bytes in
    let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
    let source = String(decoding: bytes[..<end], as: UTF8.self)
    guard let template = try? HookTemplate(source) else { return }
    let json = (try? JSON(parsing: Array(bytes[end...].dropFirst()))) ?? .null
    for longest in [3, 40, 4_000] {
      let text = template.text(of: json, longest: longest)
      require(text.utf8.count <= longest && !text.utf8.contains { $0 < 32 && $0 != 9 && $0 != 10 || $0 == 127 })
    }
    var members = ContentTemplate.fields.map { JSON.Member($0, .string(source)) }
    members.removeAll { $0.name == "title" }
    guard let contents = try? ContentTemplate(.object(members)) else {
      return require(false, "no template of templates")
    }
    let made = contents.make(of: json, name: "hook")
    // The rules of devices and pages.
    guard case .success = checkContent(made.content.bytes) else { return require(false, made.content.text) }
    require((made.collapseID ?? "").utf8.count <= 64)
  },
]

/// An endpoint leads to a public address or a name, over TLS, and its origin is one in the same spelling.
private func check(_ endpoint: PushEndpoint) {
  require(endpoint.url.lowercased().hasPrefix(endpoint.origin) || endpoint.url.contains(":443/"))
  require(endpoint.origin.hasPrefix("https://") && endpoint.origin.lowercased() == endpoint.origin)
  require((try? PushEndpoint(endpoint.origin + "/"))?.origin == endpoint.origin)
  let authority = endpoint.origin.dropFirst("https://".utf8.count)
  let host = authority.hasPrefix("[") ? authority.dropFirst().prefix { $0 != "]" } : authority.prefix { $0 != ":" }
  if let address = IPAddress(host) { require(address.isPublic) }
}
