import Wire

extension FieldCheck {
  /// A colour as "#rrggbb".
  public mutating func color(_ field: String) -> String? {
    guard let text = text(field, longest: RequestLimits.name) else { return nil }
    guard isColor(text) else {
      fail(field, .fieldNoColor, ["seen": .text(text)])
      return nil
    }
    return text.lowercased()
  }
}

/// True for a colour as "#rrggbb".
public func isColor(_ text: String) -> Bool {
  let digits = text.utf8.dropFirst()
  return text.utf8.first == UInt8(ascii: "#") && digits.count == 6
    && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
}
