import Settings
import Wire

extension Settings {
  /// A list of networks, such as "127.0.0.0/8, ::1"; empty for an empty text.
  func addressRanges(_ setting: String) throws(SettingsError) -> [AddressRange] {
    var ranges: [AddressRange] = []
    for text in try list(setting) {
      do throws(AddressRangeError) {
        ranges.append(try AddressRange(text))
      } catch {
        throw SettingsError("\(setting): \(error.message)")
      }
    }
    return ranges
  }

  /// A whole number of a range.
  /// - Parameter accepted: the end of the sentence that tells the range.
  func number(
    _ setting: String, in range: ClosedRange<Int>, _ accepted: String = "are accepted"
  ) throws(SettingsError) -> Int {
    if let value = Int(self[setting]), range.contains(value) { return value }
    throw SettingsError("\(setting): \"\(self[setting])\"; \(range.lowerBound) to \(range.upperBound) \(accepted).")
  }

  /// True for "on", false for "off".
  func flag(_ setting: String) throws(SettingsError) -> Bool {
    if ["on", "off"].contains(self[setting]) { return self[setting] == "on" }
    throw SettingsError("\(setting): \"\(self[setting])\"; on and off are accepted.")
  }

  /// One of a type's words.
  func choice<T: RawRepresentable<String> & CaseIterable>(_ setting: String) throws(SettingsError) -> T {
    if let value = T(rawValue: self[setting]) { return value }
    let accepted = T.allCases.map(\.rawValue).joined(separator: ", ")
    throw SettingsError("\(setting): \"\(self[setting])\"; one of \(accepted) is accepted.")
  }
}
