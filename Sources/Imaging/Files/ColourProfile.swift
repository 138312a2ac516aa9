/// A picture's colour profile (ICC.1).
public enum ColourProfile {
  /// True if a profile calls itself sRGB, as most cameras' do: then its colours need no conversion, which takes longer
  /// than all else. Linear ones, such as GIMP's "Linear sRGB" and Elle Stone's "sRGB-elle-V2-g10", have sRGB's colours
  /// alone, and other numbers for them.
  public static func isPlain(_ profile: UnsafeRawBufferPointer) -> Bool {
    let file = FileBytes(profile)
    guard file.holds("acsp", at: 36), file.holds("RGB ", at: 16), let tags = file.long(128) else { return false }
    for index in 0..<min(tags, 100) {
      let entry = 132 + 12 * index
      guard file.holds("desc", at: entry) else { continue }
      guard let place = file.long(entry + 4), let length = file.long(entry + 8),
        let words = file.part(place, min(length, 256))
      else { return false }
      // As text before version 4, as UTF-16 since then.
      let letters = words.filter { (0x20..<0x7f).contains($0) }
      let name = String(decoding: letters, as: UTF8.self)
      return name.contains("sRGB") && !["inear", "g10"].contains { name.contains($0) }
    }
    return false
  }
}
