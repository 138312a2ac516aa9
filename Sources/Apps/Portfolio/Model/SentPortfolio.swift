import Crypto
import Store
import Wire

/// Pictures of a portfolio that were sent to a client: whoever has the link sees them.
struct SentPortfolio: Equatable, Sendable {
  /// The sizes that a client may save.
  enum Download: String, CaseIterable, Sendable {
    case none
    case screen = "2048"
    case original
  }
  /// The parts of a picture's description that a client sees.
  enum Shown: String, CaseIterable, Sendable {
    case title, caption, taken, place, position
  }

  /// The key in the store, which nobody is told.
  var id = 0
  let portfolio: Int
  /// The id in addresses, and the link's secret.
  let address: String
  var title: String
  var text = ""
  var download = Download.screen
  var shows: [Shown] = [.title, .caption]
  /// Digits; empty for none. As it is, since its photographer tells it to the client; the hub counts tries.
  var pin = ""
  /// Wrong PINs since it was set.
  var tries = 0
  var blockedUntil: Double?
  var madeAt = 0.0
  var until: Double?
  var withdrawnAt: Double?
  /// When its marks ring next; nil if there are none of which nobody knows.
  var ringAt: Double?
  var rangAt: Double?

  /// The path of the player.
  var path: String { "/sent/\(address)/" }
  var isLocked: Bool { tries >= SentLimits.triesInAll }

  /// True if clients see it at a time.
  func isOpen(at now: Double) -> Bool { withdrawnAt == nil && until.map { $0 > now } ?? true }

  static func newLink() -> String { String(Digest.base64URL(Digest.random(18)).prefix(SentLimits.linkCharacters)) }

  /// The rule for PINs: what happens when one is given at a time.
  mutating func take(pin given: String, at now: Double) -> PINOutcome {
    guard !pin.isEmpty else { return .right }
    if isLocked { return .locked }
    // A clock that was set back makes nobody wait for longer.
    if let blockedUntil, blockedUntil > now, blockedUntil <= now + SentLimits.longestWait {
      return .wait(blockedUntil - now)
    }
    if Digest.areEqual(Array(given.utf8), Array(pin.utf8)) { return .right }
    tries += 1
    if isLocked { return .nowLocked }
    guard tries % SentLimits.triesBeforeWait == 0 else { return .wrong }
    let waits = tries / SentLimits.triesBeforeWait - 1
    let seconds = min(SentLimits.longestWait, SentLimits.wait * Double(1 << min(waits, 10)))
    blockedUntil = now + seconds
    return .wrong
  }

  enum PINOutcome: Equatable {
    case right, wrong, locked, nowLocked
    /// Seconds.
    case wait(Double)
  }
}

/// What a client has noted about a picture.
struct ClientMark: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    case favourite, remark, large
  }
  /// Made by the client.
  let id: String
  let picture: String
  let kind: Kind
  var text: String?
  /// By the client's clock, in seconds since 1970.
  let at: Double

  var json: JSON {
    var members: [JSON.Member] = [
      .init("id", .string(id)), .init("picture", .string(picture)), .init("kind", .string(kind.rawValue)),
    ]
    if let text { members.append(.init("text", .string(text))) }
    members.append(.init("at", .double(at)))
    return .object(members)
  }
}
