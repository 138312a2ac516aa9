import CIcal
import Markup
import Wire

/// A VEVENT, STANDARD or DAYLIGHT as libical parses it, with the number of its first line. Its creator frees it.
struct RawComponent {
  let line: Int
  private let parser: OpaquePointer
  /// libical's component, complete after the last line.
  private(set) var component: OpaquePointer?
  /// The values of RRULE without white space, since libical's form of a rule takes 2,896 bytes.
  private(set) var rules: [String] = []
  /// The addresses of ATTACH on the web. Files that are in the calendar itself are left out.
  private(set) var attachments: [String] = []
  /// Properties whose values libical cannot parse.
  private(set) var unreadable: [(name: String, value: String)] = []
  /// True if it has more properties, or more unreadable ones, than allowed; further ones are ignored, except for the
  /// first RECURRENCE-ID.
  private(set) var isFull = false
  /// An event's UID; empty without one.
  let uid: String
  private var isOverride = false
  private let name: String
  private var lines = 0

  /// The properties in use; others are not kept.
  static let names: Set<String> = [
    "SUMMARY", "DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE", "RECURRENCE-ID", "STATUS",
    "LOCATION", "GEO", "URL", "ATTACH", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION", "SEQUENCE", "DTSTAMP",
    "LAST-MODIFIED", "TZOFFSETFROM", "TZOFFSETTO",
  ]

  init(_ name: String, line: Int, uid: String = "") {
    self.name = name
    self.line = line
    self.uid = uid
    parser = icalparser_new()
    _ = give(cString("BEGIN:\(name)".utf8))
  }

  func free() {
    if let component { icalcomponent_free(component) }
    icalparser_free(parser)
  }

  /// Adds a property.
  mutating func add(_ line: ContentLine) {
    let value = line.value
    guard !value.isEmpty else { return }
    if line.name == "RECURRENCE-ID", !isOverride {
      isOverride = true
      give(line)
    } else if RawComponent.names.contains(line.name), !isFull {
      addCounted(line, value)
    }
  }

  private mutating func addCounted(_ line: ContentLine, _ value: ArraySlice<UInt8>) {
    lines += 1
    // libical searches all of a component's errors for each one that is added.
    guard lines <= CalendarLimits.properties, unreadable.count < CalendarLimits.warnings else {
      isFull = true
      return
    }
    if line.name == "RRULE" {
      // Some are written with spaces behind their semicolons.
      rules.append(String(decoding: value.filter { $0 > Byte.space }, as: UTF8.self))
      return
    }
    if line.name == "ATTACH" {
      guard attachments.count < CalendarLimits.attachments, uppercased(value.prefix(4)) == "HTTP" else { return }
      if let address = webAddress(decodeText(value)) { attachments.append(address) }
      return
    }
    if line.name.hasPrefix("TZOFFSET"), !RawComponent.isOffset(value) {
      return markUnreadable(line)
    }
    give(line)
  }

  private mutating func markUnreadable(_ line: ContentLine) {
    unreadable.append((line.name, shortened(decodeLine(line.value), bytes: CalendarLimits.namedBytes)))
  }

  private mutating func give(_ line: ContentLine) {
    for text in line.forLibical() {
      _ = give(text)
      let isRead = icalparser_get_state(parser) != ICALPARSER_ERROR
      if !isRead { markUnreadable(line) }
    }
  }

  mutating func close() { component = give(cString("END:\(name)".utf8)) }

  /// True for "+0100" or "-053000"; libical takes anything that is not a number for zero.
  private static func isOffset(_ value: ArraySlice<UInt8>) -> Bool {
    guard value.count == 5 || value.count == 7, let sign = value.first else { return false }
    return (sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"))
      && value.dropFirst().allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
  }

  private func give(_ line: [CChar]) -> OpaquePointer? {
    var line = line
    return icalparser_add_line(parser, &line)
  }

  // MARK: Properties

  /// The properties of a kind, in the order of the file.
  func properties(_ kind: icalproperty_kind) -> [OpaquePointer] {
    var found: [OpaquePointer] = []
    var next = icalcomponent_get_first_property(component, kind)
    while let property = next {
      found.append(property)
      next = icalcomponent_get_next_property(component, kind)
    }
    return found
  }

  /// A warning that names the event.
  func warning(_ kind: Reason.Kind, _ reason: Reason) -> Reason {
    let summary = properties(ICAL_SUMMARY_PROPERTY).first.flatMap(propertyText).map(oneLine) ?? ""
    return .ofEvent(kind, title: summary, uid: uid, line: line, reason)
  }
}

/// The decoded text of a property; nil if its value is not a text.
func propertyText(_ property: OpaquePointer) -> String? {
  guard let value = icalproperty_get_value(property) else { return nil }
  switch icalvalue_isa(value) {
  case ICAL_TEXT_VALUE: return icalvalue_get_text(value).map(text)
  case ICAL_X_VALUE: return icalvalue_get_x(value).map(text)
  // Programs escape addresses as if they were text.
  case ICAL_URI_VALUE: return icalvalue_get_uri(value).map { decodeText(ArraySlice(text($0).utf8)) }
  default: return nil
  }
}

/// The zone that a property names; nil without one.
func zoneName(_ property: OpaquePointer) -> String? {
  guard let parameter = icalproperty_get_first_parameter(property, ICAL_TZID_PARAMETER) else { return nil }
  return icalparameter_get_tzid(parameter).map(text)
}
