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

  /// One of a type's words.
  func choice<T: RawRepresentable<String> & CaseIterable>(_ setting: String) throws(SettingsError) -> T {
    if let value = T(rawValue: self[setting]) { return value }
    let accepted = T.allCases.map(\.rawValue).joined(separator: ", ")
    throw SettingsError("\(setting): \"\(self[setting])\"; one of \(accepted) is accepted.")
  }
}
