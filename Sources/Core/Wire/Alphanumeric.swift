// Inlinable, since loops over a text are not specialised across modules otherwise.

extension UInt8 {
  /// True for a letter or a digit of ASCII.
  @inlinable public var isAlphanumeric: Bool {
    switch self {
    case 48...57, 65...90, 97...122: true
    default: false
    }
  }
}

extension StringProtocol {
  /// True if all of a text, which may be empty, are letters and digits of ASCII, and these signs.
  @inlinable public func isAlphanumeric(or signs: String = "") -> Bool {
    utf8.allSatisfy { $0.isAlphanumeric || signs.utf8.contains($0) }
  }
}
