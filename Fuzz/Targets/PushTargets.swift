import Crypto
import WebPush
import Wire

/// What clients give for Web Push, and what is made of a notification's content.
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
    for member in members where member.name != "body" { require(sent[member.name] == member.value) }
    let body = Array((json["body"]?.string ?? "").utf8)
    let kept = Array((sent["body"]?.string ?? "").utf8).dropLast("…".utf8.count)
    require(body.starts(with: kept) && kept.count < body.count)
  }
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
