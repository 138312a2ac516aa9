import Crypto

/// The links in mails: each names one thing that it does, until a time, and is signed. What it does happens once, since
/// an answer or a confirmation that there is already is not taken again.
public struct MailLinks: Sendable {
  public enum Purpose: Equatable, Sendable {
    /// Confirms the address that was asked about at this time (whole seconds since 1970).
    case confirm(askedAt: Int)
    /// Answers a notification, by the place of the action in its content.
    case act(notification: Int, action: Int)
  }
  public struct Link: Equatable, Sendable {
    public var purpose: Purpose
    /// The mailbox.
    public var device: Int
    /// Seconds since 1970.
    public var expiresAt: Double

    public init(purpose: Purpose, device: Int, expiresAt: Double) {
      self.purpose = purpose
      self.device = device
      self.expiresAt = expiresAt
    }
  }

  public static let keyBytes = 32
  private static let macBytes = 16
  private static let bodyBytes = 20
  private let key: [UInt8]

  /// - Parameter key: 32 secret bytes, kept in the store.
  public init(key: [UInt8]) { self.key = key }

  /// 48 characters of base64url.
  public func token(_ link: Link) -> String {
    var body: [UInt8] = []
    func add(_ number: Int, _ count: Int) {
      for place in (0..<count).reversed() { body.append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
    }
    switch link.purpose {
    case .confirm(let askedAt):
      add(1, 1)
      add(askedAt, 8)
      add(0, 1)
    case .act(let notification, let action):
      add(2, 1)
      add(notification, 8)
      add(action, 1)
    }
    add(link.device, 5)
    add(Int(link.expiresAt), 5)
    return Digest.base64URL(body + mac(body))
  }

  /// The link of a token, also when its time is over; nil for a text that the hub has not signed.
  public func link(_ token: String) -> Link? {
    guard token.utf8.count == 48, let bytes = Digest.bytes(base64URL: token) else { return nil }
    let body = Array(bytes.prefix(Self.bodyBytes))
    guard Digest.areEqual(Array(bytes.dropFirst(Self.bodyBytes)), mac(body)) else { return nil }
    func number(_ range: Range<Int>) -> Int { body[range].reduce(0) { $0 << 8 | Int($1) } }
    let purpose: Purpose
    switch body[0] {
    case 1: purpose = .confirm(askedAt: number(1..<9))
    case 2: purpose = .act(notification: number(1..<9), action: number(9..<10))
    default: return nil
    }
    return Link(purpose: purpose, device: number(10..<15), expiresAt: Double(number(15..<20)))
  }

  private func mac(_ body: [UInt8]) -> [UInt8] {
    Array(Digest.hmacSHA256(Array("mail link".utf8) + body, key: key).prefix(Self.macBytes))
  }
}
