import Calendar
import CivilTime
import Delivery
import Hub
import Wire

/// A time of day as "07:30", which is minutes since midnight.
enum ClockTime {
  static func minute(_ json: JSON?) -> Int? {
    guard let text = json?.string, text.utf8.count == 5 else { return nil }
    return parseTimeOfDay(text).map { $0 / 60 }
  }

  static func text(_ minute: Int) -> String { timeOfDay(minute * 60) }
}

/// A length of time as ISO 8601 has it: "PT2M", "PT1H30M", "P1D".
enum TimeSpan {
  static func seconds(_ text: String) -> Double? {
    guard text.hasPrefix("P"), text.utf8.count <= 20 else { return nil }
    var units: [(letter: Character, seconds: Double)] = [("D", 86_400)]
    var (total, digits, isTime, count) = (0.0, "", false, 0)
    for letter in text.dropFirst() {
      if letter == "T", !isTime, digits.isEmpty {
        (units, isTime, count) = ([("H", 3_600), ("M", 60), ("S", 1)], true, 0)
      } else if ("0"..."9").contains(letter) {
        digits.append(letter)
      } else {
        guard let place = units.firstIndex(where: { $0.letter == letter }), let number = Int(digits) else { return nil }
        total += Double(number) * units[place].seconds
        units.removeFirst(place + 1)
        (digits, count) = ("", count + 1)
      }
    }
    return digits.isEmpty && count > 0 ? total : nil
  }

  static func text(_ seconds: Double) -> String {
    let whole = Int(seconds)
    let parts = [(whole / 3_600, "H"), (whole / 60 % 60, "M"), (whole % 60, "S")].filter { $0.0 > 0 }
    return "PT" + parts.map { "\($0.0)\($0.1)" }.joined()
  }
}

extension FieldCheck {
  /// `at` as `{"local": "07:30", "date"?, "every"?}`; nil for an instant.
  mutating func local(_ field: String, now: Double, zone: Zone) -> LocalTime? {
    guard let value = self[field], let members = value.members else { return nil }
    let accepted = "{\"local\": \"07:30\"}, with \"date\": \"2026-11-21\" or \"every\": \"FREQ=DAILY\" or both"
    if let unknown = members.first(where: { !["local", "date", "every"].contains($0.name) }) {
      fail(field, "\(unknown.name.prefix(40)) is unknown; \(accepted) is accepted.")
      return nil
    }
    guard let minute = ClockTime.minute(value["local"]) else {
      fail(field, "local: \((value["local"] ?? .null).text.prefix(40)); \(accepted) is accepted.")
      return nil
    }
    var time = LocalTime(minute: minute, since: now, zone: zone.name)
    if let date = value["date"], date != .null {
      guard let day = date.string.flatMap({ CivilDate($0) })?.dayNumber else {
        fail(field, "date: \(date.text.prefix(40)); a day such as 2026-11-21 is accepted.")
        return nil
      }
      time.day = day
      guard time.latest > now, time.latest <= now + BellsLimits.furthest else {
        let days = Int(BellsLimits.furthest / 86_400)
        fail(field, "date: \(date.text); a day that is not over everywhere and within \(days) days is accepted.")
        return nil
      }
    }
    guard let every = value["every"], every != .null else { return time }
    guard let rule = every.string else {
      fail(field, "every: \(every.kind); a rule such as FREQ=WEEKLY;BYDAY=MO,FR is accepted.")
      return nil
    }
    do throws(DayRule.Fault) {
      // A time that is over today would take a day of the rule, and ring nobody here.
      let today = zone.wall(at: EpochSeconds(now)).dayNumber
      var here = time
      here.day = today
      let days = try DayRule(rule, from: time.day ?? (here.instant(in: zone) > now ? today : today + 1))
      (time.rule, time.day, time.firstDay) = (rule, days.first, days.first)
    } catch {
      fail(field, "every: \(error.sentence)")
      return nil
    }
    return time
  }

  /// `repeat`: `{"every": "PT2M", "limit": 5, "then": ["person:7"]}`.
  mutating func repetition(_ field: String) -> (Repetition?, then: [Sending.Target]) {
    guard let value = self[field], value != .null else { return (nil, []) }
    let (seconds, count) = (DeliveryLimits.repeatSeconds, DeliveryLimits.repeats)
    let accepted = "{\"every\": \"PT2M\", \"limit\": 5, \"then\": [\"person:7\"]}"
    if let unknown = value.members?.first(where: { !["every", "limit", "then"].contains($0.name) }) {
      fail(field, "\(unknown.name.prefix(40)) is unknown; \(accepted) is accepted.")
      return (nil, [])
    }
    guard let every = value["every"]?.string.flatMap({ TimeSpan.seconds($0) }), seconds.contains(every) else {
      fail(
        field,
        "every: \((value["every"] ?? .null).text.prefix(40)); \(TimeSpan.text(seconds.lowerBound)) to "
          + "\(TimeSpan.text(seconds.upperBound)) is accepted, such as PT2M.")
      return (nil, [])
    }
    guard let limit = value["limit"]?.int, count.contains(limit) else {
      fail(
        field,
        "limit: \((value["limit"] ?? .null).text.prefix(40)); \(count.lowerBound) to \(count.upperBound) is accepted.")
      return (nil, [])
    }
    var then: [Sending.Target] = []
    if let others = value["then"], others != .null {
      let list = others.array ?? [others]
      then = list.compactMap { one in one.string.flatMap { Sending.Target($0) } ?? Sending.Target(one) }
      guard then.count == list.count, list.count <= BellsLimits.recipients else {
        fail(
          field,
          "then: \(others.text.prefix(100)); at most \(BellsLimits.recipients) such as person:7 or topic:crew are "
            + "accepted.")
        return (nil, [])
      }
    }
    return (Repetition(every: every, limit: limit), then)
  }
}

extension LocalTime {
  /// As it was asked for.
  var json: JSON {
    var members = [JSON.Member("local", .string(ClockTime.text(minute)))]
    if let day { members.append(.init("date", .string(CivilDate(dayNumber: day).text))) }
    if let rule { members.append(.init("every", .string(rule))) }
    return .object(members)
  }
}

extension Repetition {
  var json: JSON {
    ["every": .string(TimeSpan.text(every)), "limit": .int(limit), "then": .array(then.map(\.json))]
  }
}
