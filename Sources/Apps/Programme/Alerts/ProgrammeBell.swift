import Calendar
package import CivilTime
package import Hub
import Wire

/// The bells of the programme, with their words.
package struct ProgrammeBell: Sendable {
  /// The topic of the whole programme. Everybody may read it, so everybody may subscribe.
  static let told = BellTopic(topic, Bell.Words("The programme", german: "Das Programm"), isForAll: true)
  package static let topic = "programme"
  /// How one without a name is called, with its number, as on the programme's page.
  static let calendar = Bell.Words("Calendar", german: "Kalender")
  /// The beginning of the topics of single calendars.
  static let prefix = "programme."

  let zone: Zone
  let now: Int

  package init(zone: Zone, now: Int) {
    self.zone = zone
    self.now = now
  }

  // MARK: Recipients

  /// The subscribers of the whole programme or of a calendar, and people who come to the event.
  static func everybody(_ calendar: String, _ persons: [Int] = []) -> JSON {
    .array([toTopic(topic), toTopic(prefix + calendar)] + persons.map(toPerson))
  }

  private static func toTopic(_ id: String) -> JSON { ["topic": .string(id)] }
  private static func toPerson(_ id: Int) -> JSON { ["person": JSON(id: id)] }

  // MARK: One event

  package func begins(_ event: KnownEvent) -> Bell {
    let title = Bell.Words.title(event.title)
    return Bell(
      to: Self.everybody(event.calendar),
      title: Bell.Words("\(title.english) begins", german: "\(title.german) beginnt"),
      body: place(event), category: "event", thread: Self.topic, collapseID: Self.collapse(event),
      lifetime: Double(min(max(event.end - now, 900), 4 * 3600)), path: Self.path(event))
  }

  package func reminder(_ event: KnownEvent, for person: Int) -> Bell {
    let when = moment(event.start, event)
    let place = event.location.map { ", \($0)" } ?? ""
    return Bell(
      to: ["person": JSON(id: person)], title: .title(event.title),
      body: Bell.Words(
        "You wanted to be reminded: \(when.english)\(place)",
        german: "Du wolltest erinnert werden: \(when.german)\(place)"),
      category: "event", thread: Self.topic, collapseID: Self.collapse(event),
      lifetime: Double(max(event.awaitedUntil - now, 0) + 900), path: Self.path(event))
  }

  /// - Parameters:
  ///   - persons: people who have it as a favourite, or open for it.
  ///   - isForThem: true if it is for them alone, since subscribers get a list.
  package func changed(_ change: EventChange, persons: [Int], isForThem: Bool = false) -> Bell {
    let event = change.event
    let line = self.line(change)
    let more = change.ids.count - 1
    var body = line.body
    if change.hasNewPlace, let place = event.location.map(Self.short) {
      body.english += " " + Self.sentence("Place: \(place)")
      body.german += " " + Self.sentence("Ort: \(place)")
    }
    if more > 0 {
      body.english += more == 1 ? " And another date." : " And \(more) other dates."
      body.german += more == 1 ? " Und ein weiterer Termin." : " Und \(more) weitere Termine."
    }
    return Bell(
      to: change.isDetail || isForThem
        ? .array(persons.map(Self.toPerson)) : Self.everybody(event.calendar, persons),
      title: line.title, body: body, category: "event", thread: Self.topic, collapseID: Self.collapse(event),
      isUrgent: change.isUrgent(now: now),
      lifetime: Double(min(max(event.end - now, 3600), 7 * 86_400)), path: Self.path(event))
  }

  private func line(_ change: EventChange) -> (title: Bell.Words, body: Bell.Words) {
    let event = change.event
    let at = moment(event.start, event)
    switch change.kind {
    case .moved(let from, let wasAllDay):
      var (now, before) = (at, Bell.Words.moment(from, now: self.now, zone: zone, isAllDay: wasAllDay))
      if wasAllDay, !event.isAllDay { before = Self.allDay(before) }
      if !wasAllDay, event.isAllDay { now = Self.allDay(now) }
      return (
        Self.title("Moved", german: "Verschoben", event),
        Self.sentence("Now \(now.english) instead of \(before.english)", "Jetzt \(now.german) statt \(before.german)")
      )
    case .cancelled:
      return (
        Self.title("Cancelled", german: "Fällt aus", event),
        Self.sentence("It was planned for \(at.english)", "Geplant war \(at.german)")
      )
    case .back:
      return (
        Self.title("Takes place after all", german: "Findet doch statt", event),
        Self.sentence("Planned for \(at.english)", "Geplant ist \(at.german)")
      )
    case .altered(let former): return altered(event, former)
    }
  }

  /// Another place or end, and when it begins as before.
  private func altered(_ event: KnownEvent, _ former: KnownEvent) -> (title: Bell.Words, body: Bell.Words) {
    let (end, before) = (lastMoment(event), lastMoment(former))
    let until = Self.sentence(
      "Now until \(end.english) instead of \(before.english)", "Jetzt bis \(end.german) statt \(before.german)")
    if event.location == former.location {
      let words =
        event.end > former.end
        ? Self.title("Ends later", german: "Endet später", event)
        : Self.title("Ends earlier", german: "Endet früher", event)
      return (words, until)
    }
    var body = places(event, former)
    if event.hasOtherEnd(than: former) {
      body.english += " " + until.english
      body.german += " " + until.german
    }
    return (Self.title("Place changed", german: "Ort geändert", event), body)
  }

  private func places(_ event: KnownEvent, _ former: KnownEvent) -> Bell.Words {
    let at = moment(event.start, event)
    let was = former.location.map(Self.short)
    guard let place = event.location.map(Self.short) else {
      let last = was ?? ""
      return Bell.Words(
        "The place is no longer given; it was \(last) (\(at.english)).",
        german: "Der Ort steht nicht mehr dabei, bisher: \(last) (\(at.german)).")
    }
    guard let was else {
      return Bell.Words("Now \(place) (\(at.english)).", german: "Jetzt \(place) (\(at.german)).")
    }
    return Bell.Words(
      "Now \(place) instead of \(was) (\(at.english)).", german: "Jetzt \(place) statt \(was) (\(at.german)).")
  }

  // MARK: Several

  /// Changes that are too many to be rung one by one.
  package func changed(_ changes: [EventChange], _ scope: Scope, persons: [Int]) -> Bell {
    list(
      scope, persons, Bell.Words("Changes in the programme", german: "Änderungen im Programm"),
      changes.map(listed), collapse: nil, isUrgent: changes.contains { $0.isUrgent(now: now) },
      lifetime: 2 * 86_400)
  }

  /// One of several changes, with when it begins: "Moved: Soldering, now Mon 18:40 (and 2 other dates)".
  private func listed(_ change: EventChange) -> Bell.Words {
    var line = self.line(change).title
    let at = moment(change.event.start, change.event)
    let isMoved = if case .moved = change.kind { true } else { false }
    line.english += isMoved ? ", now \(at.english)" : ", \(at.english)"
    line.german += isMoved ? ", jetzt \(at.german)" : ", \(at.german)"
    let more = change.ids.count - 1
    if more > 0 {
      line.english += more == 1 ? " (and another date)" : " (and \(more) other dates)"
      line.german += more == 1 ? " (und ein weiterer Termin)" : " (und \(more) weitere Termine)"
    }
    return line
  }

  package func new(_ events: [KnownEvent], _ scope: Scope) -> Bell {
    list(
      scope, [], Bell.Words("New in the programme", german: "Neu im Programm"), events.map(dated), collapse: "new",
      lifetime: 2 * 86_400)
  }

  package func tonight(_ events: [KnownEvent], _ scope: Scope) -> Bell {
    list(
      scope, [], Bell.Words("Tonight", german: "Heute Abend"), events.map(dated), collapse: "tonight",
      lifetime: 6 * 3600)
  }

  /// The addressees of a list: it has the events of all calendars, or of one.
  package enum Scope: Equatable, Sendable {
    case all
    /// The subscribers of a calendar who have not subscribed to all.
    case calendar(String)
    /// The subscribers of all and those of the calendar, since there is no other.
    case only(String)
    /// No subscribers, but certain people.
    case people
  }

  /// The most events that a list names; the others are counted.
  private static let lines = 5

  private func list(
    _ scope: Scope, _ persons: [Int], _ title: Bell.Words, _ lines: [Bell.Words], collapse: String?,
    isUrgent: Bool = false, lifetime: Double
  ) -> Bell {
    var shown = Array(lines.prefix(Self.lines))
    let more = lines.count - shown.count
    if more > 0 { shown.append(Bell.Words("and \(more) more", german: "und noch \(more)")) }
    let to: JSON =
      switch scope {
      case .all: .array([Self.toTopic(Self.topic)] + persons.map(Self.toPerson))
      case .calendar(let id): Self.toTopic(Self.prefix + id)
      case .only(let id): Self.everybody(id, persons)
      case .people: .array(persons.map(Self.toPerson))
      }
    var except: String?
    if case .calendar = scope { except = Self.topic }
    return Bell(
      to: to, exceptTopic: except, title: title,
      body: Bell.Words(
        shown.map(\.english).joined(separator: "\n"), german: shown.map(\.german).joined(separator: "\n")),
      category: "programme", thread: Self.topic, collapseID: collapse.map { "programme-\($0)" }, isUrgent: isUrgent,
      lifetime: lifetime, path: "/programme")
  }

  // MARK: Words

  private func moment(_ instant: Int, _ event: KnownEvent) -> Bell.Words {
    .moment(instant, now: now, zone: zone, isAllDay: event.isAllDay)
  }

  /// An event of whole days ends with its last day, at the midnight after it.
  private func lastMoment(_ event: KnownEvent) -> Bell.Words {
    moment(event.isAllDay ? event.end - 1 : event.end, event)
  }

  /// "Moved: Soldering".
  private static func title(_ english: String, german: String, _ event: KnownEvent) -> Bell.Words {
    let title = Bell.Words.title(event.title)
    return Bell.Words("\(english): \(title.english)", german: "\(german): \(title.german)")
  }

  /// The texts with their full stops, unless they end in an abbreviation's: "29. Dez."
  private static func sentence(_ english: String, _ german: String) -> Bell.Words {
    Bell.Words(sentence(english), german: sentence(german))
  }

  private static func sentence(_ text: String) -> String { text.hasSuffix(".") ? text : text + "." }

  private static func allDay(_ day: Bell.Words) -> Bell.Words {
    Bell.Words("\(day.english) (all day)", german: "\(day.german) (ganztägig)")
  }

  private static func short(_ place: String) -> String { shortened(place, bytes: 200) }

  private func dated(_ event: KnownEvent) -> Bell.Words {
    let at = moment(event.start, event)
    let title = Bell.Words.title(event.title)
    return Bell.Words("\(at.english) \(title.english)", german: "\(at.german) \(title.german)")
  }

  private func place(_ event: KnownEvent) -> Bell.Words? {
    let until = moment(event.end, event)
    let place = event.location.map { ", \($0)" } ?? ""
    if event.end <= event.start { return event.location.map { Bell.Words($0, german: $0) } }
    return Bell.Words("until \(until.english)\(place)", german: "bis \(until.german)\(place)")
  }

  private static func collapse(_ event: KnownEvent) -> String { "event-\(event.id)" }
  private static func path(_ event: KnownEvent) -> String { "/programme/\(event.id)" }
}
