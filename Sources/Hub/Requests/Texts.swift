extension FieldCheck {
  /// Whether a text has no more than so many characters. A character can be a pile of accents as long as a book, and
  /// counting them takes long, so bytes are counted first.
  public static func fits(_ text: String, _ characters: Int) -> Bool {
    text.utf8.count <= characters * 8 && text.count <= characters
  }

  /// A name without spaces around it; nil for a text that is empty, too long, or has a control character.
  public static func line(_ text: String, longest: Int = RequestLimits.name) -> String? {
    guard fits(text, longest), !text.unicodeScalars.contains(where: isControl) else { return nil }
    var scalars = text.unicodeScalars[...]
    while let first = scalars.first, first.properties.isWhitespace { scalars.removeFirst() }
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    return scalars.isEmpty ? nil : String(scalars)
  }

  /// Line breaks and the like; and what turns the direction of writing, with which a name can be dressed up.
  static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control || (0x202A...0x202E).contains(scalar.value)
      || (0x2066...0x2069).contains(scalar.value)
  }
}

/// The shape of an address; whether something answers there is seen when it is asked.
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
