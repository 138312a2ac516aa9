import CivilTime
import Hub
import Receiving
import Zip

/// The names that originals get in zips and folders: by time and person, "2026-11-21 18.04.06 Ada.jpg".
enum OriginalName {
  /// The time at which it was taken, as the place's clocks showed it; otherwise that at which it came.
  static func time(_ original: KeptOriginal, in zone: Zone) -> WallTime {
    let parts = (original.taken ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    if parts.count == 6, let date = CivilDate(validYear: parts[0], month: parts[1], day: parts[2]) {
      return WallTime(date: date, secondOfDay: parts[3] * 3600 + parts[4] * 60 + parts[5])
    }
    return zone.wall(at: EpochSeconds(original.at))
  }

  /// - Parameter mark: something that tells apart what has the same name otherwise.
  static func name(of original: KeptOriginal, in zone: Zone, mark: String = "") -> String {
    let wall = time(original, in: zone)
    let second = wall.secondOfDay
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let clock = "\(two(second / 3600)).\(two(second / 60 % 60)).\(two(second % 60))"
    let person = (original.by ?? "").filter { !"/\\.".contains($0) }.prefix(60)
    let words = ["\(wall.date.text) \(clock)", String(person), mark].filter { !$0.isEmpty }
    return ZipNames.safe(words.joined(separator: " ") + ending(type: original.type, name: original.name))
  }

  /// By the kind of the file. The sender's word counts where that says little: raw files of cameras look like TIFF.
  static func ending(type: String?, name: String?) -> String {
    let known = FileKind.ending(ofType: type)
    guard known.isEmpty || known == ".tiff" else { return known }
    let said = name?.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() ?? ""
    guard (2...5).contains(said.utf8.count),
      said.utf8.allSatisfy({ (48...57).contains($0) || (97...122).contains($0) }),
      !said.hasPrefix("htm"), !["xhtml", "shtml", "mhtml", "svg", "exe", "com", "bat", "cmd", "js"].contains(said)
    else { return known.isEmpty ? ".bin" : known }
    return ".\(said)"
  }
}
