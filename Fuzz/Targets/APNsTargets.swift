import APNs
import Crypto
import Notifications
import Wire

/// Requests of senders to APNs: a line for each field, an empty line, and the payload.
nonisolated(unsafe) let apnsTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "apns": { bytes in
    let all = Array(bytes)
    let end = all.indices.first { all[$0] == 10 && $0 + 1 < all.count && all[$0 + 1] == 10 } ?? all.count
    var fields: [(name: String, value: String)] = []
    for line in all[..<end].split(separator: 10) {
      let parts = line.split(separator: 58, maxSplits: 1, omittingEmptySubsequences: false)
      let text = parts.map { String(decoding: $0, as: UTF8.self) }
      fields.append((name: text[0], value: text.count > 1 ? text[1] : ""))
    }
    let now = 1_795_289_805.0
    let provider = Provider(
      team: "TEAM123456", credential: .certificate(fingerprint: [1], until: now + 1), topics: ["org.example.app"],
      createdAt: now)
    if let authorization = fields.first(where: { $0.name == "authorization" })?.value,
      let token = try? ProviderToken(authorization: authorization)
    {
      // No random bytes are signed with a key that was made just now.
      let key = Provider.Credential.key(id: token.keyID, P256PrivateKey().publicKey)
      let other = Provider(team: token.team, credential: key, topics: [], createdAt: now)
      do {
        try token.check(other)
        fatalError("a signature of nobody is taken")
      } catch {}
    }
    let path = fields.first { $0.name == "path" }?.value ?? "/3/device/\(String(repeating: "ab", count: 32))"
    guard let head = try? PushHead(method: .post, path: path, fields: fields) else { return }
    require(head.token.count == APNsLimits.tokenBytes && (head.id?.count ?? 16) == 16)
    let body = Array(all[min(end + 2, all.count)...])
    guard let push = try? CheckedPush(head, of: provider, body: body, now: now) else { return }
    require(push.collapseID?.utf8.count ?? 0 <= APNsLimits.collapseBytes)
    require(push.expiresAt <= now + APNsLimits.storedSeconds)
    // Devices accept every content that a sender may send.
    if case .failure(let refusal) = checkContent(push.content.bytes) {
      fatalError("\(refusal.faults.map(\.sentence)): \(push.content.text)")
    }
  }
]
