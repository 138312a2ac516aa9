import Wire

/// The properties of a channel that its name tells.
package struct ChannelName: Sendable, Equatable {
  package static let privatePrefix = "private-"
  static let presencePrefix = "presence-"
  static let encryptedPrefix = "private-encrypted-"
  static let cachePrefix = "cache-"
  /// The channel of one signed-in user of an app.
  static let userPrefix = "#server-to-user-"

  package let isPrivate: Bool
  package let isPresence: Bool
  package let isEncrypted: Bool
  package let isCache: Bool
  /// The user to whom this channel belongs.
  package let user: String?

  package init(_ name: String) {
    isPrivate = name.hasPrefix(Self.privatePrefix)
    isPresence = name.hasPrefix(Self.presencePrefix)
    isEncrypted = name.hasPrefix(Self.encryptedPrefix)
    let prefix = isEncrypted ? Self.encryptedPrefix : isPrivate ? Self.privatePrefix : Self.presencePrefix
    isCache = (isPrivate || isPresence ? name.dropFirst(prefix.count) : name[...]).hasPrefix(Self.cachePrefix)
    user = name.hasPrefix(Self.userPrefix) ? String(name.dropFirst(Self.userPrefix.count)) : nil
  }

  /// True if whoever subscribes needs a signature.
  package var needsSignature: Bool { isPrivate || isPresence }
  /// True if anybody may listen.
  package var isPublic: Bool { !needsSignature && user == nil }
  /// True if clients may send events to it: the hub cannot tell what an encrypted channel's members say.
  package var takesClientEvents: Bool { needsSignature && !isEncrypted }

  /// True for a name that a channel may have, but a user's.
  package static func isRight(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= RealtimeLimits.channelName
      && name.isAlphanumeric(or: "_-=@,.;")
  }

  static let rule = "A channel's name has 1 to \(RealtimeLimits.channelName) of the characters A-Z a-z 0-9 _-=@,.;"
}

/// The id that a connection is told: two numbers and a point.
package enum SocketID {
  package static func isRight(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { (1...20).contains($0.utf8.count) && $0.allSatisfy(\.isNumber) }
  }
}
