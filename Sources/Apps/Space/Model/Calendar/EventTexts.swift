/// The properties of a VEVENT that are not times.
struct EventTexts {
  private(set) var uid = ""
  private(set) var title = ""
  private var location = ""
  private var url = ""
  private var plain: ArraySlice<UInt8>?
  private var html: ArraySlice<UInt8>?
  private var status = EventStatus.confirmed
  private var sequence = 0

  /// Takes a property; of several with one name, the first that says something counts.
  mutating func read(_ line: ContentLine) {
    switch line.name {
    case "UID": if uid.isEmpty { uid = decodeLine(line.value) }
    case "SUMMARY": if title.isEmpty { title = decodeLine(line.value) }
    case "LOCATION": if location.isEmpty { location = decodeLine(line.value) }
    case "URL": if url.isEmpty { url = webAddress(decodeLine(line.value)) ?? "" }
    case "DESCRIPTION": if plain == nil { plain = line.value }
    case "X-ALT-DESC", "STYLED-DESCRIPTION":
      // Outlook's HTML, and RFC 9073's.
      let type = line.parameter("FMTTYPE").map { uppercased(ArraySlice($0.utf8)) }
      if type == "TEXT/HTML", html == nil, !trimmed(line.value).isEmpty { html = line.value }
    case "STATUS":
      switch uppercased(trimmed(line.value)) {
      case "CANCELLED": status = .cancelled
      case "TENTATIVE": status = .tentative
      default: status = .confirmed
      }
    case "SEQUENCE": sequence = Int(String(decoding: trimmed(line.value), as: UTF8.self)) ?? 0
    default: break
    }
  }

  func details(uid: String) -> EventDetails {
    EventDetails(
      uid: uid, title: title, location: location.isEmpty ? nil : location, url: url.isEmpty ? nil : url,
      descriptionHTML: description, status: status, sequence: sequence)
  }

  private var description: String {
    guard let value = html ?? plain, !value.isEmpty else { return "" }
    let text = shortened(decodeText(value), bytes: CalendarLimits.descriptionBytes)
    return cleanDescription(text, isHTML: html != nil ? true : nil)
  }
}
