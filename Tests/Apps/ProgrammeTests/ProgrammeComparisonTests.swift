import CivilTime
import Hub
import Programme
import Testing

/// Changes of the programme, and which of them are told.
struct ProgrammeComparisonTests {
  static let now = 1_795_200_000
  static let day = 86_400
  static let berlin = Zone(name: "Europe/Berlin", transitions: [], initialOffset: 3600)

  func event(_ id: String, _ start: Int, calendar: String = "a", isCancelled: Bool = false) -> KnownEvent {
    KnownEvent(
      id: id, calendar: calendar, title: id, start: start, end: start + 3600, isCancelled: isCancelled)
  }

  func compare(
    _ known: [KnownEvent], _ events: [KnownEvent], gone: Set<String> = [], elsewhere: [String: KnownEvent] = [:],
    undecided: Set<String> = [], calendars: [String] = ["a"], zone: Zone = .utc
  ) -> ProgrammeComparison {
    ProgrammeComparison(
      known: Dictionary(known.map { ($0.id, $0) }, uniquingKeysWith: { $1 }), events: events, gone: gone,
      elsewhere: elsewhere, undecided: undecided,
      calendars: Dictionary(
        calendars.map { ($0, KnownCalendar(id: $0, until: Self.now + 90 * Self.day, zone: "UTC")) },
        uniquingKeysWith: { $1 }), zone: zone, now: Self.now)
  }

  let tomorrow = ProgrammeComparisonTests.now + ProgrammeComparisonTests.day

  @Test func `what was moved, cancelled, and takes place after all`() {
    let one = event("000000000001", tomorrow)
    let later = event("000000000001", tomorrow + 3600)
    let off = event("000000000001", tomorrow, isCancelled: true)
    #expect(compare([one], [one]).changes == [])
    #expect(compare([one], [later]).changes == [EventChange(.moved(from: tomorrow), later)])
    #expect(compare([one], [off]).changes == [EventChange(.cancelled, off)])
    #expect(compare([off], [one]).changes == [EventChange(.back, one)])
    #expect(compare([off], [off]).changes == [])
    #expect(compare([one], [], gone: [one.id]).changes == [EventChange(.cancelled, one)])
    #expect(compare([off], [], gone: [off.id]).changes == [], "that was told already")
  }

  @Test func `another place or end is a change of its own, but not beside a greater one`() {
    let one = event("000000000001", tomorrow)
    var (hall, longer, endless) = (one, one, one)
    hall.location = "Hall"
    longer.end += 60
    endless.end = endless.start
    for altered in [hall, longer] {
      let result = compare([one], [altered])
      #expect(result.changes == [] && result.details == [EventChange(.altered(from: one), altered)])
    }
    #expect(compare([one], [endless]).details == [] && compare([endless], [one]).details == [], "nobody knows its end")
    let off = event(one.id, tomorrow, isCancelled: true)
    hall.start += 60
    for known in [one, off] {
      let result = compare([known], [hall])
      #expect(result.changes.map(\.hasNewPlace) == [true] && result.details == [])
    }
    hall.isCancelled = true
    let cancelled = compare([one], [hall])
    #expect(cancelled.changes == [EventChange(.cancelled, hall, former: one)] && cancelled.details == [])
  }

  @Test func `what took whole days before is moved, and was so`() {
    var whole = event("000000000001", tomorrow)
    whole.isAllDay = true
    let timed = event(whole.id, tomorrow)
    #expect(
      compare([whole], [timed]).changes == [EventChange(.moved(from: tomorrow, wasAllDay: true), timed, former: whole)])
    #expect(compare([timed], [whole]).changes == [EventChange(.moved(from: tomorrow), whole, former: timed)])
  }

  @Test func `what has begun, or is over, is not told any more`() {
    let begun = event("000000000001", Self.now)
    #expect(compare([begun], [event(begun.id, tomorrow)]).changes == [])
    #expect(compare([begun], [], gone: [begun.id]).changes == [])
    let soon = event("000000000001", Self.now + 1)
    #expect(compare([soon], [event(soon.id, tomorrow)]).changes.count == 1)
    #expect(compare([soon], [event(soon.id, Self.now - 7200)]).changes == [])
    // What takes the whole day may be called off in its morning.
    var fair = event("000000000001", Self.now - Self.day + 1)
    (fair.isAllDay, fair.end) = (true, fair.start + Self.day)
    var off = fair
    off.isCancelled = true
    #expect(compare([fair], [off]).changes == [EventChange(.cancelled, off, former: fair)])
    #expect(compare([fair], [], gone: [fair.id]).changes == [EventChange(.cancelled, fair)])
    var named = fair
    named.id = "000000000001-20261120"
    #expect(compare([fair], [named], gone: [fair.id]).changes == [], "another of its dates is the same")
    fair.start -= 1
    fair.end += Self.day
    #expect(compare([fair], [], gone: [fair.id]).changes == [], "its first day is over")
  }

  @Test func `the dates of one event that change alike are one change, told of the first`() {
    let dates = (1...3).map { event("000000000001-2026112\($0)", tomorrow + $0 * Self.day) }
    let moved = dates.map { event($0.id, $0.start + 60) }
    let changes = compare(dates, moved.reversed()).changes
    #expect(changes == [EventChange(.moved(from: dates[0].start), moved[0], ids: dates.map(\.id))])
    // The first of them goes behind the second, and would be missed first.
    let swapped = [event(dates[0].id, dates[2].start), event(dates[1].id, dates[1].start + 60)]
    let change = compare(dates, swapped + [dates[2]]).changes
    #expect(change.map(\.event.id) == [dates[1].id] && change.map(\.soonest) == [dates[0].start])
    let mixed = compare(dates, [moved[0], dates[1], event(dates[2].id, dates[2].start, isCancelled: true)]).changes
    #expect(mixed.count == 2)
  }

  func titled(_ event: KnownEvent) -> KnownEvent {
    var event = event
    event.title = "Soldering"
    return event
  }

  /// The occurrences of a weekly event.
  func weekly(_ start: Int, _ weeks: Range<Int> = 0..<4) -> [KnownEvent] {
    weeks.map { start + $0 * 7 * Self.day }.map { event("000000000001-\($0)", $0) }
  }

  @Test func `a weekly event that is moved as a whole is moved, not cancelled`() {
    let known = weekly(tomorrow)
    let ids = Set(known.map(\.id))
    // Another time, another day, or both: the identifiers contain the starts.
    for shift in [3600, -3600, 2 * Self.day, -Self.day / 2] {
      let moved = weekly(tomorrow + shift)
      let result = compare(known, moved, gone: ids)
      #expect(result.changes == [EventChange(.moved(from: tomorrow), moved[0], ids: moved.map(\.id))])
      #expect(result.renamed == Dictionary(zip(known.map(\.id), moved), uniquingKeysWith: { $1 }))
      #expect(result.gone == ids && result.new == [])
    }
  }

  @Test func `the event of the same day is the one that was moved, before one that is nearer`() {
    // At 22:00 with its days; the one of the first day goes to the morning, another is added early on the next.
    let late = Self.now - Self.now % Self.day + Self.day + 22 * 3600
    let (morning, added) = (late - 12 * 3600, late + 4 * 3600)
    let now = [event("000000000001-\(morning)", morning), event("000000000001-\(added)", added)]
    let known = weekly(late, 0..<1)
    #expect(compare(known, now, gone: [known[0].id]).renamed == [known[0].id: now[0]])
    #expect(compare(known, [now[1]], gone: [known[0].id]).renamed == [known[0].id: now[1]], "else the nearest")
  }

  @Test func `an event that becomes a weekly one has not changed`() {
    let one = event("000000000001", tomorrow)
    let result = compare([one], weekly(tomorrow), gone: [one.id])
    #expect(result.changes == [] && result.renamed == [one.id: weekly(tomorrow)[0]])
  }

  @Test func `what is gone without a partner is cancelled`() {
    let known = weekly(tomorrow)
    let other = event("000000000002", tomorrow + 60)
    let result = compare(known, Array(known.dropFirst()) + [other], gone: [known[0].id])
    #expect(result.changes == [EventChange(.cancelled, known[0])] && result.renamed == [:])
    // Fewer than before: the rest is cancelled.
    let fewer = weekly(tomorrow + 60, 0..<3)
    let kinds = compare(known, fewer, gone: Set(known.map(\.id))).changes.map(\.kind)
    #expect(kinds == [.moved(from: tomorrow), .cancelled])
    // Cancelled before, it comes back with an event of its day, and not with one of another.
    let off = event(known[0].id, tomorrow, isCancelled: true)
    for (shift, kinds) in [(3600, [EventChange.Kind.back]), (2 * Self.day, [])] {
      let added = event("000000000001-added", tomorrow + shift)
      let result = compare([off], [added], undecided: [off.id])
      #expect(result.changes.map(\.kind) == kinds && result.new == (kinds.isEmpty ? [added.id] : []))
    }
    // One that has only come into sight is no partner.
    let far = weekly(tomorrow, 13..<14)
    #expect(compare(known, Array(known.dropFirst()) + far, gone: [known[0].id]).changes.map(\.kind) == [.cancelled])
  }

  @Test func `what others push out of a calendar of so many events is not cancelled`() {
    let dates = (11...20).map { event("0000000000\($0)", tomorrow + $0 * Self.day) }
    let (extra, last) = (event("000000000099", tomorrow), dates[9])
    let result = compare(dates, [extra] + dates.dropLast(), gone: [last.id])
    #expect(result.changes == [] && result.gone == [last.id] && result.new == [extra.id])
    let cancelled = [EventChange(.cancelled, last)]
    #expect(compare(dates, Array(dates.dropLast()), gone: [last.id]).changes == cancelled, "nothing came before it")
    let few = dates.suffix(9)
    #expect(compare(Array(few), [extra] + few.dropLast(), gone: [last.id]).changes == cancelled, "so few are all")
    let first = compare(dates, [extra] + dates.dropFirst(), gone: [dates[0].id])
    #expect(first.changes == [EventChange(.cancelled, dates[0])], "later ones are there")
    var same = extra
    same.title = last.title
    let moved = compare(dates, [same] + dates.dropLast(), gone: [last.id])
    #expect(moved.changes == cancelled, "it was entered anew for another day")
  }

  @Test func `the rest of a series that is written anew with another UID is the same`() {
    func written(_ uid: Int, _ start: Int) -> [KnownEvent] {
      weekly(start).map { titled(event("00000000000\(uid)-\($0.start)", $0.start)) }
    }
    let known = written(1, tomorrow)
    let ids = Set(known.map(\.id))
    // From the second date on: another place, or another time of the same day, too.
    for shift in [0, 3600] {
      var rest = Array(written(2, tomorrow + shift).dropFirst())
      for index in rest.indices { rest[index].location = "Hall" }
      let now = [known[0]] + rest
      for (gone, undecided) in [(ids.subtracting([known[0].id]), []), ([], ids.subtracting([known[0].id]))] {
        let result = compare(known, now, gone: gone, undecided: undecided)
        #expect(result.renamed == Dictionary(zip(known.dropFirst().map(\.id), rest), uniquingKeysWith: { $1 }))
        #expect(result.new == [] && result.gone == ids.subtracting([known[0].id]))
        let changes = shift == 0 ? result.details : result.changes
        #expect(changes.map(\.ids) == [rest.map(\.id)] && result.changes.count + result.details.count == 1)
      }
    }
    // Two of one day: those of the same time belong together.
    let two = [event("000000000003", tomorrow), event("000000000004", tomorrow + 3600)].map(titled)
    let moved = [event("000000000005", tomorrow + 3600), event("000000000006", tomorrow + 7200)].map(titled)
    #expect(
      compare(two, moved, gone: Set(two.map(\.id))).renamed == [two[1].id: moved[0], two[0].id: moved[1]])
    // Another title, day or calendar makes another event.
    var (named, late, elsewhere) = (moved[0], moved[0], moved[0])
    (named.title, late.start, elsewhere.calendar) = ("Sewing", tomorrow + Self.day, "b")
    for other in [named, late, elsewhere] {
      let result = compare([two[1]], [other], gone: [two[1].id], calendars: ["a", "b"])
      #expect(result.changes.map(\.kind) == [.cancelled] && result.new == [other.id])
    }
  }

  @Test func `at the end of what is in sight nothing seems cancelled when all is moved`() {
    // The last one of 13 weeks begins within 90 days, and two days later does not.
    let known = weekly(Self.now + 5 * Self.day, 0..<13)
    let ids = Set(known.map(\.id))
    let moved = weekly(Self.now + 7 * Self.day, 0..<13)
    for seen in [moved, Array(moved.dropLast())] {
      let result = compare(known, seen, gone: ids)
      #expect(result.changes == [EventChange(.moved(from: known[0].start), moved[0], ids: seen.map(\.id))])
      #expect(result.gone == ids && result.renamed.count == seen.count)
      #expect(compare(known, seen, undecided: ids) == result, "also before it is known that they are gone")
    }
  }

  @Test func `one that could not be looked up is moved if it has a partner, and stays if not`() {
    let (known, moved) = (weekly(tomorrow, 0..<1), weekly(tomorrow + 3600, 0..<1))
    let result = compare(known, moved, undecided: [known[0].id])
    #expect(result.changes == [EventChange(.moved(from: tomorrow), moved[0])] && result.gone == [known[0].id])
    let alone = compare(known, [], undecided: [known[0].id])
    #expect(alone.changes == [] && alone.gone == [])
  }

  @Test func `what has gone to another calendar is not cancelled, and is moved if its time is another`() {
    let one = event("000000000001", tomorrow)
    for start in [tomorrow, tomorrow + 3600] {
      let other = event("000000000002", start, calendar: "b")
      // It may have been there for a while.
      for known in [[one], [one, other]] {
        let result = compare(
          known, [other], gone: [one.id], elsewhere: [one.id: other], calendars: ["a", "b"])
        #expect(result.changes == (start == tomorrow ? [] : [EventChange(.moved(from: tomorrow), other)]))
        #expect(result.renamed == [one.id: other] && result.gone == [one.id] && result.new == [])
      }
    }
  }

  @Test func `new is what was not there before, once for all of its dates`() {
    let dates = (1...3).map { event("000000000001-2026112\($0)", tomorrow + $0 * Self.day) }
    #expect(compare([], dates).new == [dates[0].id])
    #expect(compare([dates[0]], dates).new == [], "another date of an event that is known")
    #expect(compare([], [event("000000000002", tomorrow, isCancelled: true)]).new == [])
    let border = Self.now + 90 * Self.day
    #expect(compare([], [event("000000000002", border - 1)]).new.count == 1)
    #expect(compare([], [event("000000000002", border)]).new == [], "it has only come into sight")
  }

  @Test func `a calendar's first reading and another zone of the place are no news`() {
    let one = event("000000000001", tomorrow, calendar: "b")
    #expect(compare([], [one]).new == [])
    let moved = event("000000000002", tomorrow + 3600)
    let result = compare([event(moved.id, tomorrow)], [moved, event("000000000003", tomorrow)], zone: Self.berlin)
    #expect(result.changes == [] && result.new == [])
  }

  @Test func `each moment is due once, until half an hour after it`() {
    let clock = AlertClock(done: 1000, now: 5000)
    #expect(clock.verdict(1000) == .not && clock.verdict(5001) == .not)
    #expect(clock.verdict(5000) == .due && clock.verdict(3200) == .due)
    #expect(clock.verdict(3199) == .missed && clock.verdict(1001) == .missed)
    #expect(clock.verdict(1001, before: 5001) == .due && clock.verdict(1001, before: 5000) == .missed)
    #expect(clock.verdict(1000, before: 5001) == .not && clock.verdict(3200, before: 5000) == .due)
    #expect(AlertClock(done: nil, now: 5000).verdict(5000) == .not, "nothing is due before the first time")
  }

  @Test func `what takes whole days reminds in the morning, whole days before`() {
    // Midnight between the 20th and the 21st.
    let (midnight, nine) = (1_795_215_600, 1_795_215_600 + 9 * 3600)
    var camp = event("000000000001", midnight)
    #expect(camp.reminder(minutesBefore: 60, zone: Self.berlin) == midnight - 3600)
    #expect(camp.awaitedUntil == midnight)
    camp.isAllDay = true
    let before = [0, 60, 1439, 1440, 2000, 10_080].map { camp.reminder(minutesBefore: $0, zone: Self.berlin) }
    #expect(before == [0, 0, 0, 1, 1, 7].map { nine - $0 * Self.day })
    #expect(camp.awaitedUntil == midnight + Self.day)
  }

  @Test func `a clock that was set back rings nothing again, and does not keep silent for long`() {
    #expect(AlertClock(done: 5000, now: 4000).verdict(4000) == .not)
    let far = AlertClock(done: 5000 + 3600 + 1, now: 5000)
    #expect(far.done == 5000)
    #expect(AlertClock(done: 5000 + 3600, now: 5000).done == 8600)
  }

  static let times: [(String, Int?)] = [
    ("16:00", 57_600), ("0:05", 300), ("00:00", 0), ("23:59", 86_340), ("off", -1), ("24:00", nil), ("16", nil),
    ("16:0", nil), ("+6:00", nil), ("", nil), ("16:60", nil),
  ]

  @Test(arguments: times)
  func `times of day`(text: String, second: Int?) {
    #expect(DailyTime(text).map { $0.secondOfDay ?? -1 } == second)
  }

  @Test func `the next time of day is today's or tomorrow's`() throws {
    let time = try #require(DailyTime("18:40"))
    #expect(time.next(after: Self.now - 1, zone: .utc) == Self.now)
    #expect(time.next(after: Self.now, zone: .utc) == Self.now + Self.day)
  }
}
