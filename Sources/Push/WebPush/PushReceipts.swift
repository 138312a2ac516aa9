import Crypto

/// Receipts: what a service worker sends back to prove that it got a notification. It has no cookie at hand, and its
/// device is told by the receipt itself.
///
/// A receipt is 16 bytes: the device's number in five, then eleven of an HMAC over the notification and the device.
/// 88 bits cannot be guessed over a network.
public struct PushReceipts: Sendable {
  public static let keyBytes = 32
  private static let numberBytes = 5
  private let key: [UInt8]

  /// - Parameter key: 32 secret bytes, kept in the store; any other count traps.
  public init(key: [UInt8]) {
    precondition(key.count == Self.keyBytes, "A key for receipts has \(Self.keyBytes) bytes, not \(key.count)")
    self.key = key
  }

  /// 22 characters of base64url.
  public func receipt(notification: Int, device: Int) -> String {
    Digest.base64URL(bytes(notification: notification, device: device))
  }

  /// The device that a receipt for this notification was made for; nil for a text that is no such receipt.
  public func device(of receipt: String, notification: Int) -> Int? {
    guard receipt.utf8.count == 22, let bytes = Digest.bytes(base64URL: receipt) else { return nil }
    let device = bytes.prefix(Self.numberBytes).reduce(0) { $0 << 8 | Int($1) }
    return Digest.areEqual(bytes, self.bytes(notification: notification, device: device)) ? device : nil
  }

  private func bytes(notification: Int, device: Int) -> [UInt8] {
    precondition(device >= 0 && device >> (8 * Self.numberBytes) == 0, "The device \(device) has no receipt")
    let number = (0..<Self.numberBytes).map { UInt8(truncatingIfNeeded: device >> (8 * (Self.numberBytes - 1 - $0))) }
    let code = Digest.hmacSHA256("push receipt \(notification) \(device)".utf8, key: key)
    return number + code.prefix(16 - Self.numberBytes)
  }
}
