@_spi(_Unicode) import Swift

/// Names that every system can unpack: no folders, nothing that Windows or a terminal takes amiss, and no two that
/// differ only by case or by how an umlaut is composed.
public enum ZipNames {
  /// The names made safe and unique, in their order: of two alike, the later gets a number.
  public static func safe(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    taken.reserveCapacity(names.count)
    /// The next number of a name, so that a thousand alike are not counted from the beginning each time.
    var numbers: [String: Int] = [:]
    return names.map { name in
      let name = safe(name)
      let key = folded(name)
      if taken.insert(key).inserted { return name }
      let (stem, ending) = parts(name)
      var number = numbers[key] ?? 2
      while true {
        let behind = "-\(number)\(ending)"
        let other = cut(stem, to: ZipLimits.nameBytes - behind.utf8.count) + behind
        number += 1
        guard taken.insert(folded(other)).inserted else { continue }
        numbers[key] = number
        return other
      }
    }
  }

  /// One name made safe; never empty.
  public static func safe(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for character in name._nfc { text.append(isAccepted(character) ? character : "_") }
    var kept = Substring(String(text))
    while let last = kept.last, last == "." || last == " " { kept.removeLast() }
    while let first = kept.first, first == " " { kept.removeFirst() }
    // A name that begins with a full stop is hidden on many systems, and "." and ".." are folders.
    if kept.first == "." { kept = "_" + kept.dropFirst() }
    if kept.isEmpty { return "_" }
    var safe = String(kept)
    if isDevice(safe) { safe = "_" + safe }
    guard safe.utf8.count > ZipLimits.nameBytes else { return safe }
    let (stem, ending) = parts(safe)
    return cut(stem, to: ZipLimits.nameBytes - ending.utf8.count) + ending
  }

  private static func isAccepted(_ character: Unicode.Scalar) -> Bool {
    if character.value < 0x20 || character.value == 0x7F || "\\/:*?\"<>|".unicodeScalars.contains(character) {
      return false
    }
    // Control characters, and those that turn the direction of text, so that an ending looks like another.
    return ![.control, .format, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse].contains(
      character.properties.generalCategory)
  }

  /// The names of devices on Windows, also before an ending.
  private static func isDevice(_ name: String) -> Bool {
    let stem = name.prefix { $0 != "." }.uppercased()
    if ["CON", "PRN", "AUX", "NUL"].contains(stem) { return true }
    guard stem.count == 4, let digit = stem.last, "123456789¹²³".contains(digit) else { return false }
    return stem.hasPrefix("COM") || stem.hasPrefix("LPT")
  }

  /// A name without regard to case, for comparison.
  private static func folded(_ name: String) -> String {
    var text = String.UnicodeScalarView()
    for character in name.lowercased()._nfc { text.append(character) }
    return String(text)
  }

  private static func parts(_ name: String) -> (stem: Substring, ending: Substring) {
    guard let stop = name.lastIndex(of: "."), stop != name.startIndex, name[stop...].utf8.count <= ZipLimits.endingBytes
    else { return (name[...], "") }
    return (name[..<stop], name[stop...])
  }

  /// The beginning, of whole characters, without a full stop or space at its end.
  private static func cut(_ text: Substring, to bytes: Int) -> String {
    var text = text
    while text.utf8.count > bytes { text.removeLast() }
    while let last = text.last, last == "." || last == " " { text.removeLast() }
    return text.isEmpty ? "_" : String(text)
  }
}
