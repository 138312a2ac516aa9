import CivilTime
import Lifecycle

/// Zones by names that are not quite theirs.
enum LenientZones {
  /// The IANA names of names that were replaced and of Windows' names, by their keys.
  static let names: [String: String] = {
    var names: [String: String] = [:]
    for (name, zone) in oldZones { names[key(name)] = zone }
    for (name, zone) in windowsZones { names[key(name)] = zone }
    return names
  }()

  /// The zone of an IANA name, also of one that was replaced and whose file this system may not have.
  static func named(_ name: String) -> Zone? {
    (try? systemZone(name)) ?? names[key(name)].flatMap { try? systemZone($0) }
  }

  /// The name in lower case, without white space at its ends.
  static func key(_ name: String) -> String {
    String(decoding: trimmed(ArraySlice(name.utf8)), as: UTF8.self).lowercased()
  }

  /// The zone of an offset in brackets, as Windows shows its zones: "(UTC+01:00) Amsterdam, Berlin", "(UTC) Lisbon". It
  /// is that of the winter, so that another zone with the same one is as good at least; so is one for any other text.
  static func inBrackets(_ name: String, at wall: WallTime, or other: Zone) -> Zone {
    let parts = key(name).split(separator: ")", maxSplits: 1)
    guard let first = parts.first, first.hasPrefix("("), parts.count == 2 else { return other }
    let text = first.dropFirst().uppercased()
    guard let zone = text == "UTC" || text == "GMT" ? .utc : offset(text) else { return other }
    let winter = [0, 182].map { other.offset(at: wall.seconds + $0 * secondsPerDay) }.min()
    return winter == zone.offset(at: 0) ? other : zone
  }

  /// The zone of an offset: "UTC+02:00", "GMT-5", "+0530"; nil for any other text. More than 14 hours east and 12 west
  /// of UTC, there is no place.
  static func offset(_ name: String) -> Zone? {
    var rest = Array(key(name).utf8).filter { $0 != Byte.space }[...]
    for prefix in ["utc", "gmt"] where rest.starts(with: prefix.utf8) {
      rest = rest.dropFirst(3)
      break
    }
    guard let sign = rest.popFirst(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let parts = rest.split(separator: Byte.colon, omittingEmptySubsequences: false).map(Array.init)
    let digits: [[UInt8]]
    switch (parts.count, rest.count) {
    case (1, 1...2): digits = [parts[0], [0x30]]
    case (1, 4): digits = [Array(parts[0].prefix(2)), Array(parts[0].suffix(2))]
    case (2, 4...5) where parts[1].count == 2: digits = parts
    default: return nil
    }
    let numbers = digits.compactMap { part in
      part.allSatisfy { (0x30...0x39).contains($0) } ? Int(String(decoding: part, as: UTF8.self)) : nil
    }
    guard numbers.count == 2, numbers[1] < 60 else { return nil }
    let seconds = (sign == UInt8(ascii: "-") ? -1 : 1) * (numbers[0] * 3600 + numbers[1] * 60)
    guard (-12 * 3600...14 * 3600).contains(seconds) else { return nil }
    return Zone(name: name, transitions: [], initialOffset: seconds)
  }
}
