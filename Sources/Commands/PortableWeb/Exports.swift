#if arch(wasm32)
  import CivilTime

  // The functions for the pages' rules.js. Numbers only, so that nothing has to be copied between the two memories.

  @_expose(wasm, "day_number") @_cdecl("day_number")
  public func exportedDayNumber(_ year: Int32, _ month: Int32, _ day: Int32) -> Int32 {
    Int32(CivilDate(year: Int(year), month: Int(month), day: Int(day)).dayNumber)
  }

  @_expose(wasm, "weekday") @_cdecl("weekday")
  public func exportedWeekday(_ dayNumber: Int32) -> Int32 {
    Int32(CivilDate(dayNumber: Int(dayNumber)).weekday)
  }

  @_expose(wasm, "iso_week") @_cdecl("iso_week")
  public func exportedWeek(_ dayNumber: Int32) -> Int32 {
    Int32(CivilDate(dayNumber: Int(dayNumber)).isoWeek)
  }

  @_expose(wasm, "relative_day") @_cdecl("relative_day")
  public func exportedRelativeDay(_ today: Int32, _ day: Int32) -> Int32 {
    Int32(relativeDay(today: Int(today), day: Int(day)))
  }

  @_expose(wasm, "age_unit") @_cdecl("age_unit")
  public func exportedAgeUnit(_ seconds: Int32) -> Int32 { Int32(ageUnit(seconds: Int(seconds))) }

  @_expose(wasm, "age_count") @_cdecl("age_count")
  public func exportedAgeCount(_ seconds: Int32) -> Int32 { Int32(ageCount(seconds: Int(seconds))) }
#else
  // In the native build the rules are a library; this lets a plain `swift build` build the product.
  @main struct Native { static func main() {} }
#endif
