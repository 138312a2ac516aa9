import CIcal
import CivilTime
import Markup

/// The properties of a VEVENT that are not times. Of several with one name, the first with a value counts.
struct EventTexts {
  let title: String
  private let raw: RawComponent

  init(_ raw: RawComponent) {
    self.raw = raw
    title = EventTexts.line(raw, ICAL_SUMMARY_PROPERTY)
  }

  func details(uid: String) -> EventDetails {
    let location = EventTexts.line(raw, ICAL_LOCATION_PROPERTY)
    let sequence = raw.properties(ICAL_SEQUENCE_PROPERTY).last.map { Int(icalproperty_get_sequence($0)) } ?? 0
    return EventDetails(
      uid: uid, title: title, location: location.isEmpty ? nil : location, place: place,
      url: EventTexts.lines(raw, ICAL_URL_PROPERTY).lazy.compactMap(webAddress).first,
      attachments: raw.attachments, descriptionHTML: description, status: status, sequence: sequence,
      modified: modified)
  }

  private static func lines(_ raw: RawComponent, _ kind: icalproperty_kind) -> [String] {
    raw.properties(kind).compactMap(propertyText).map(oneLine)
  }

  private static func line(_ raw: RawComponent, _ kind: icalproperty_kind) -> String {
    lines(raw, kind).first { !$0.isEmpty } ?? ""
  }

  /// The time of LAST-MODIFIED. DTSTAMP is not used, since many programs write the time of the request into it.
  private var modified: Int {
    let value = raw.properties(ICAL_LASTMODIFIED_PROPERTY).last.flatMap { icalproperty_get_value($0) }
    return max(0, value.flatMap { readTime(icalvalue_get_datetime($0)) }?.wall.seconds ?? 0)
  }

  private var status: EventStatus {
    guard let property = raw.properties(ICAL_STATUS_PROPERTY).last else { return .confirmed }
    switch icalproperty_get_status(property) {
    case ICAL_STATUS_CANCELLED: return .cancelled
    case ICAL_STATUS_TENTATIVE: return .tentative
    default: return .confirmed
    }
  }

  private var place: GeographicPlace? {
    guard let property = raw.properties(ICAL_GEO_PROPERTY).first, icalproperty_get_value(property) != nil else {
      return nil
    }
    let geo = icalproperty_get_geo(property)
    return GeographicPlace(latitude: geo.lat, longitude: geo.lon)
  }

  private var description: String {
    let html = raw.properties(ICAL_X_PROPERTY).first(where: EventTexts.isHTML).flatMap(propertyText)
    func cleaned(_ text: String, isHTML: Bool?) -> String {
      cleanDescription(shortened(text, bytes: CalendarLimits.descriptionBytes), isHTML: isHTML)
    }
    // Programs write an empty page beside a text, or a picture alone.
    if let rich = html.map({ cleaned($0, isHTML: true) }), EventTexts.showsText(rich) { return rich }
    let plain = raw.properties(ICAL_DESCRIPTION_PROPERTY).first.flatMap(propertyText) ?? ""
    return plain.isEmpty ? "" : cleaned(plain, isHTML: nil)
  }

  /// True if there is more in the HTML than elements and white space.
  private static func showsText(_ html: String) -> Bool {
    var isTag = false
    for character in html.unicodeScalars {
      switch character {
      case "<": isTag = true
      case ">": isTag = false
      default: if !isTag, !character.properties.isWhitespace { return true }
      }
    }
    return false
  }

  /// True for Outlook's X-ALT-DESC, or RFC 9073's STYLED-DESCRIPTION, with HTML.
  private static func isHTML(_ property: OpaquePointer) -> Bool {
    let parameter = icalproperty_get_first_parameter(property, ICAL_FMTTYPE_PARAMETER)
    guard let type = parameter.flatMap({ icalparameter_get_fmttype($0) }) else { return false }
    return uppercased(ArraySlice(text(type).utf8)) == "TEXT/HTML"
  }
}
