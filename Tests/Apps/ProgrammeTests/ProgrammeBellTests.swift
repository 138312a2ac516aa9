import CivilTime
import Hub
import Programme
import Testing
import Wire

/// The words with which the programme rings.
struct ProgrammeBellTests {
  static let zone = Zone(name: "Test/One", transitions: [], initialOffset: 3600)
  /// Saturday, 2026-11-21T18:40:00+01:00.
  static let now = 1_795_282_800
  static let day = 86_400
  let bell = ProgrammeBell(zone: ProgrammeBellTests.zone, now: ProgrammeBellTests.now)

  func event(_ start: Int, title: String = "Soldering", location: String? = nil) -> KnownEvent {
    KnownEvent(id: "000000000001", calendar: "c1", title: title, start: start, end: start + 7200, location: location)
  }

  func words(_ bell: Bell) -> [String] {
    [bell.title.english, bell.body?.english ?? "", bell.title.german, bell.body?.german ?? ""]
  }

  @Test func `one event`() {
    #expect(
      words(bell.begins(event(Self.now, location: "Main hall"))) == [
        "Soldering begins", "until 20:40, Main hall", "Soldering beginnt", "bis 20:40, Main hall",
      ])
    #expect(
      words(bell.reminder(event(Self.now + 3 * Self.day), for: 7)) == [
        "Soldering", "You wanted to be reminded: Tue 18:40", "Soldering", "Du wolltest erinnert werden: Di 18:40",
      ])
    var camp = event(Self.now - 67_200)
    camp.isAllDay = true
    let reminder = bell.reminder(camp, for: 7)
    #expect(words(reminder).suffix(2) == ["Soldering", "Du wolltest erinnert werden: heute"])
    #expect(reminder.lifetime == 86_400 - 67_200 + 900, "as long as its first day")
    let moved = EventChange(.moved(from: Self.now + 3600), event(Self.now + 9 * Self.day))
    #expect(
      words(bell.changed(moved, persons: [])) == [
        "Moved: Soldering", "Now Mon 30 Nov 18:40 instead of 19:40.", "Verschoben: Soldering",
        "Jetzt Mo 30. Nov. 18:40 statt 19:40.",
      ])
    let postponed = EventChange(.moved(from: Self.now + 9 * Self.day), event(Self.now + 374 * Self.day))
    #expect(
      bell.changed(postponed, persons: []).body?.german
        == "Jetzt Di 30. Nov. 2027 18:40 statt Mo 30. Nov. 18:40.")
    let off = EventChange(.cancelled, event(Self.now + Self.day), ids: ["a", "b", "c"])
    #expect(
      words(bell.changed(off, persons: [])) == [
        "Cancelled: Soldering", "It was planned for Sun 18:40. And 2 other dates.", "Fällt aus: Soldering",
        "Geplant war So 18:40. Und 2 weitere Termine.",
      ])
  }

  @Test func `it is for the whole programme, its calendar, and people who keep it in sight`() {
    let changed = bell.changed(EventChange(.back, event(Self.now + 3600)), persons: [3])
    #expect(changed.to == [["topic": "programme"], ["topic": "programme.c1"], ["person": "3"]])
    #expect(changed.path == "/programme/000000000001" && changed.isUrgent)
    #expect(!bell.changed(EventChange(.back, event(Self.now + 2 * Self.day)), persons: []).isUrgent)
    #expect(bell.begins(event(Self.now)).collapseID == changed.collapseID)
  }

  @Test func `another place or end is told to those who come, with when it begins or ends`() {
    let former = event(Self.now + 3 * Self.day, location: "Attic")
    let hall = event(former.start, location: "Main hall")
    func told(_ event: KnownEvent, instead former: KnownEvent) -> Bell {
      bell.changed(EventChange(.altered(from: former), event, former: former), persons: [3, 5])
    }
    #expect(told(hall, instead: former).to == [["person": "3"], ["person": "5"]])
    #expect(
      words(told(hall, instead: former)) == [
        "Place changed: Soldering", "Now Main hall instead of Attic (Tue 18:40).", "Ort geändert: Soldering",
        "Jetzt Main hall statt Attic (Di 18:40).",
      ])
    let nowhere = event(former.start)
    #expect(told(hall, instead: nowhere).body?.german == "Jetzt Main hall (Di 18:40).")
    #expect(
      words(told(nowhere, instead: former)) == [
        "Place changed: Soldering", "The place is no longer given; it was Attic (Tue 18:40).",
        "Ort geändert: Soldering", "Der Ort steht nicht mehr dabei, bisher: Attic (Di 18:40).",
      ])
    var longer = former
    longer.end += 3600
    #expect(
      words(told(longer, instead: former)) == [
        "Ends later: Soldering", "Now until Tue 21:40 instead of Tue 20:40.", "Endet später: Soldering",
        "Jetzt bis Di 21:40 statt Di 20:40.",
      ])
    #expect(told(former, instead: longer).title.german == "Endet früher: Soldering")
    #expect(
      told(longer, instead: hall).body?.english
        == "Now Attic instead of Main hall (Tue 18:40). Now until Tue 21:40 instead of Tue 20:40.")
    let both = EventChange(.moved(from: Self.now + 3600), hall, former: former)
    #expect(bell.changed(both, persons: []).body?.english == "Now Tue 18:40 instead of 19:40. Place: Main hall.")
    let list = bell.changed([EventChange(.altered(from: former), hall)], .people, persons: [3])
    #expect(list.to == [["person": "3"]] && list.body?.german == "Ort geändert: Soldering, Di 18:40")
  }

  @Test func `days are told of another end of whole days`() {
    // On Sunday, and then until Monday.
    var former = event(Self.now - 67_200 + Self.day)
    former.isAllDay = true
    former.end = former.start + Self.day
    var longer = former
    longer.end += Self.day
    #expect(
      bell.changed(EventChange(.altered(from: former), longer), persons: [3]).body?.german
        == "Jetzt bis Mo statt So.")
  }

  @Test func `what took whole days before, or does now, is told so`() {
    // Midnight before Sunday, 20 December 2026.
    let midnight = Self.now - 67_200 + 29 * Self.day
    var whole = event(midnight)
    (whole.isAllDay, whole.end) = (true, midnight + Self.day)
    let evening = event(midnight + 68_400)
    #expect(
      words(bell.changed(EventChange(.moved(from: midnight, wasAllDay: true), evening), persons: [])) == [
        "Moved: Soldering", "Now Sun 20 Dec 19:00 instead of Sun 20 Dec (all day).", "Verschoben: Soldering",
        "Jetzt So 20. Dez. 19:00 statt So 20. Dez. (ganztägig).",
      ])
    #expect(
      bell.changed(EventChange(.moved(from: evening.start), whole), persons: []).body?.german
        == "Jetzt So 20. Dez. (ganztägig) statt So 20. Dez. 19:00.")
  }

  @Test func `a sentence that ends in an abbreviation has one full stop`() {
    var whole = event(Self.now - 67_200 + 29 * Self.day)
    (whole.isAllDay, whole.end) = (true, whole.start + Self.day)
    func german(_ kind: EventChange.Kind, _ event: KnownEvent) -> String? {
      bell.changed(EventChange(kind, event), persons: []).body?.german
    }
    var later = whole
    later.start += Self.day
    #expect(
      german(.moved(from: whole.start, wasAllDay: true), later) == "Jetzt Mo 21. Dez. statt So 20. Dez.")
    #expect(german(.cancelled, whole) == "Geplant war So 20. Dez.")
    #expect(german(.back, whole) == "Geplant ist So 20. Dez.")
    var longer = whole
    longer.end += Self.day
    #expect(german(.altered(from: whole), longer) == "Jetzt bis Mo 21. Dez. statt So 20. Dez.")
  }

  @Test func `an event without a title is called so`() {
    let event = event(Self.now, title: "")
    #expect(words(bell.begins(event)).first == "(no title) begins")
    #expect(words(bell.reminder(event, for: 7))[2] == "(ohne Titel)")
    #expect(words(bell.changed(EventChange(.cancelled, event), persons: []))[2] == "Fällt aus: (ohne Titel)")
    #expect(words(bell.changed(EventChange(.altered(from: event), event), persons: []))[0].hasSuffix(": (no title)"))
    #expect(bell.new([event], .all).body?.english == "18:40 (no title)")
  }

  @Test func `what was or is within a day is urgent, alone and in a list`() {
    func isUrgent(_ kind: EventChange.Kind, _ start: Int, before: Int? = nil) -> [Bool] {
      let change = EventChange(kind, event(Self.now + start), former: before.map { event(Self.now + $0) })
      return [bell.changed(change, persons: []), bell.changed([change], .all, persons: [])].map(\.isUrgent)
    }
    let (soon, later) = (Self.day - 1, Self.day)
    #expect(isUrgent(.moved(from: Self.now + soon), 9 * Self.day) == [true, true], "who does not hear of it comes")
    #expect(isUrgent(.moved(from: Self.now + 9 * Self.day), soon) == [true, true])
    #expect(isUrgent(.moved(from: Self.now + later), 9 * Self.day) == [false, false])
    #expect(isUrgent(.cancelled, soon) == [true, true] && isUrgent(.cancelled, later) == [false, false])
    #expect(isUrgent(.cancelled, 9 * Self.day, before: soon) == [true, true])
    #expect(isUrgent(.back, 9 * Self.day, before: soon) == [false, false], "nobody comes to what was cancelled")
    #expect(!bell.new([event(Self.now + soon)], .all).isUrgent)
  }

  @Test func `a list has five lines, and counts the rest`() {
    let events = (1...7).map { event(Self.now + $0 * 3600, title: "Event \($0)") }
    let told = bell.tonight(Array(events.prefix(5)), .all)
    #expect(told.body?.english == "19:40 Event 1\n20:40 Event 2\n21:40 Event 3\n22:40 Event 4\n23:40 Event 5")
    #expect(bell.new(events, .all).body?.german.hasSuffix("\nund noch 2") == true)
  }

  @Test func `a list of changes says when each is, and of how many dates`() {
    let changes = [
      EventChange(.moved(from: Self.now + 3600), event(Self.now + 9 * Self.day)),
      EventChange(.cancelled, event(Self.now + Self.day), ids: ["a", "b", "c"]),
    ]
    let told = bell.changed(changes, .all, persons: []).body
    #expect(
      told?.english
        == "Moved: Soldering, now Mon 30 Nov 18:40\nCancelled: Soldering, Sun 18:40 (and 2 other dates)")
    #expect(
      told?.german
        == "Verschoben: Soldering, jetzt Mo 30. Nov. 18:40\nFällt aus: Soldering, So 18:40 (und 2 weitere Termine)")
  }

  @Test func `who has subscribed to all is not told a calendar's part too`() {
    let events = [event(Self.now + 60)]
    #expect(bell.new(events, .all).to == [["topic": "programme"]])
    let part = bell.new(events, .calendar("c1"))
    #expect(part.to == ["topic": "programme.c1"] && part.exceptTopic == "programme")
    let only = bell.new(events, .only("c1"))
    #expect(only.to == [["topic": "programme"], ["topic": "programme.c1"]] && only.exceptTopic == nil)
  }
}
