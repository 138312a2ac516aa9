import Crypto

/// The signatures by which an app's server vouches for a connection: of `SOCKET:CHANNEL`, with `:CHANNEL_DATA` behind
/// it where there is one, or of `SOCKET::user::USER_DATA`.
package enum AppSignature {
  /// The texts that may be signed for a subscription; behind its holder, where the hub signs for a session.
  ///
  /// Clients send on whatever `channel_data` an app's server gave them, for private channels too. Some servers have
  /// signed it there, others not.
  package static func texts(_ socketID: String, _ subscription: Subscription) -> [String] {
    let holder = subscription.holder.map { "\($0):" } ?? ""
    let plain = "\(holder)\(socketID):\(subscription.channel)"
    guard let data = subscription.channelData else { return [plain] }
    let whole = "\(plain):\(data)"
    return ChannelName(subscription.channel).isPresence ? [whole] : [plain, whole]
  }

  package static func text(_ socketID: String, userData: String) -> String { "\(socketID)::user::\(userData)" }

  /// `KEY:` and the HMAC in hexadecimal.
  package static func make(_ text: String, key: String, secret: String) -> String {
    "\(key):\(Digest.hex(Digest.hmacSHA256(text.utf8, key: Array(secret.utf8))))"
  }

  /// The signature that the hub itself makes for a user who is signed in to the app: behind a dot it names the session,
  /// with which the subscription ends.
  package static func make(
    for session: String, socketID: String, channel: String, channelData: String?, key: String, secret: String
  ) -> String {
    var subscription = Subscription(channel, channelData: channelData)
    subscription.holder = session
    return "\(make(texts(socketID, subscription)[0], key: key, secret: secret)).\(session)"
  }

  /// True for a signature of one of the texts with one of the app's secrets.
  package static func isRight(_ auth: String, of texts: [String], _ app: RealtimeApp) -> Bool {
    let given = Array(auth.utf8)
    var isRight = false
    for secret in app.secrets {
      for text in texts where Digest.areEqual(given, Array(make(text, key: app.key, secret: secret).utf8)) {
        isRight = true
      }
    }
    return isRight
  }
}
