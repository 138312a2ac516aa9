import CivilTime

/// The parts of a date and time that a calendar trigger names; all of them have to match.
///
/// Parts below the least one named are the first there are: hour 7 is 7:00:00, month 3 the first of March at midnight.
/// Others that are not named match any: minute 30 is each half hour, hour 7 each day's, hour 7 in month 2 each morning
/// of February.
public struct DateComponents: Equatable, Sendable {
  public var year: Int?
  /// 1 January … 12 December.
  public var month: Int?
  public var day: Int?
  /// 1 Monday … 7 Sunday (ISO 8601; Apple counts from Sunday).
  public var weekday: Int?
  public var hour: Int?
  public var minute: Int?
  public var second: Int?

  /// Reads the object "components" of a trigger.
  init(_ json: JSONValue, at path: [UInt8], _ faults: inout Faults) {
    let field = Field(path, "components")
    guard let object = faults.object(json, field) else {
      if json["components"] == nil { faults.refuse(field, nil, .words("an object is accepted")) }
      return
    }
    let within = field.within
    year = faults.integer(object, Field(within, "year"), NotificationLimits.years)
    month = faults.integer(object, Field(within, "month"), 1...12)
    let isLeap = year.map { CivilDate.isLeap($0) } ?? true
    let days = month.map { CivilDate.days(inMonth: $0, of: isLeap ? 2000 : 2001) } ?? 31
    day = faults.integer(object, Field(within, "day"), 1...days)
    weekday = faults.integer(object, Field(within, "weekday"), 1...7)
    hour = faults.integer(object, Field(within, "hour"), 0...23)
    minute = faults.integer(object, Field(within, "minute"), 0...59)
    second = faults.integer(object, Field(within, "second"), 0...59)
    let names: [StaticString] = ["year", "month", "day", "weekday", "hour", "minute", "second"]
    if !names.contains(where: { object[$0] != nil }) {
      faults.refuse(
        field, object, .words("one of year, month, day, weekday, hour, minute and second at least is accepted"))
    }
  }
}
