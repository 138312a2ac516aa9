extension FieldCheck {
  /// True if a text has at most so many characters. One character can consist of any number of combining marks, and
  /// counting takes long, so bytes are counted first.
  public static func fits(_ text: String, _ characters: Int) -> Bool {
    text.utf8.count <= characters * 8 && text.count <= characters
  }

  /// A trimmed name; nil for a text that is empty, too long, or has a control character.
  public static func line(_ text: String, longest: Int = RequestLimits.name) -> String? {
    guard fits(text, longest), !text.unicodeScalars.contains(where: isControl) else { return nil }
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.isEmpty ? nil : String(scalars)
  }

  /// True for line breaks and the like, and for characters that change the direction of text, which can disguise a
  /// name.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}

/// Checks the form of an address, not if a server answers there.
public enum WebAddress {
  public static func isValid(_ text: String, schemes: [String]) -> Bool {
    guard let colon = text.firstIndex(of: ":"), schemes.contains(text[..<colon].lowercased()),
      text.utf8.allSatisfy({ $0 > 32 && $0 != 127 && $0 != 34 && $0 != 60 && $0 != 62 && $0 != 92 })
    else { return false }
    let rest = text[text.index(after: colon)...]
    if text[..<colon].lowercased() == "file" { return rest.count > 0 && rest != "//" && rest != "///" }
    guard rest.hasPrefix("//") else { return false }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.hasPrefix(":")
  }
}
