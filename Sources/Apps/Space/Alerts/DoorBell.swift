package import CivilTime
package import Hub
package import Wire

/// The bells about the door besides the sign's, with their words.
package enum DoorBell {
  /// The topic of other spaces that are followed for everybody.
  static let followed = BellTopic(
    followedTopic, Bell.Words("Other spaces", german: "Andere Spaces"), isForAll: true)
  private static let followedTopic = "space.followed"

  /// The answers to the question who opens.
  package enum Answer: String, Sendable {
    case opening
    case notToday = "not-today"
  }
  private static let question = "opener-"

  /// The event that a question with this collapse id is about.
  static func event(ofQuestion collapseID: String?) -> String? {
    guard let id = collapseID, id.hasPrefix(question) else { return nil }
    return String(id.dropFirst(question.count))
  }

  /// Asks a keykeeper whether they open.
  package static func ask(_ person: Int, about event: PlannedEvent, isOpener: Bool, now: Int) -> Bell {
    let why =
      isOpener
      ? Bell.Words("You wanted to open. Are you on your way?", german: "Du wolltest aufschließen. Bist du unterwegs?")
      : Bell.Words("Can you open?", german: "Kannst du aufschließen?")
    let title = Bell.Words.title(event.title)
    return Bell(
      to: ["person": JSON(id: person)],
      title: Bell.Words(
        "\(title.english) begins, the space is closed", german: "\(title.german) beginnt, und der Space ist zu"),
      body: why,
      actions: [
        Bell.Action(Answer.opening.rawValue, Bell.Words("I am opening", german: "Ich schließe auf")),
        Bell.Action(Answer.notToday.rawValue, Bell.Words("Not today", german: "Heute nicht")),
      ], category: "opener", thread: "space", collapseID: question + event.id, level: .timeSensitive,
      lifetime: lifetime(event, now: now), path: "/space")
  }

  /// Seconds for which somebody is wanted who opens.
  private static func lifetime(_ event: PlannedEvent, now: Int) -> Double {
    Double(max(0, OpenerQuestion.last(start: event.start, end: event.end) - now))
  }

  /// Tells the others who were asked that somebody opens, in place of the question.
  package static func found(_ name: String, _ persons: [Int], for event: PlannedEvent, now: Int) -> Bell {
    answered(
      event, persons, Bell.Words("\(name) is opening", german: "\(name) schließt auf"), level: .active, now: now)
  }

  /// Tells those who were asked that the space is open, in place of the question: nobody needs to answer it any more.
  package static func opened(_ persons: [Int], for event: PlannedEvent, now: Int) -> Bell {
    answered(
      event, persons, Bell.Words("The space is open", german: "Der Space ist offen"), level: .passive, now: now)
  }

  /// Tells those who were asked that the event was called off or moved, in place of the question. It says only what is
  /// known: some calendars drop events that have begun.
  package static func calledOff(_ persons: [Int], for event: PlannedEvent, now: Int) -> Bell {
    let title = Bell.Words.title(event.title)
    return answered(
      event, persons,
      Bell.Words(
        "\(title.english) is no longer in the calendar", german: "\(title.german) steht nicht mehr im Kalender"),
      body: Bell.Words("Nobody else is asked to open.", german: "Niemand sonst wird gebeten aufzuschließen."),
      level: .active, now: now)
  }

  /// - Parameter body: nil for the event's title.
  private static func answered(
    _ event: PlannedEvent, _ persons: [Int], _ title: Bell.Words, body: Bell.Words? = nil, level: Bell.Level, now: Int
  ) -> Bell {
    Bell(
      to: .array(persons.map { ["person": JSON(id: $0)] }),
      title: title, body: body ?? .title(event.title), category: "opener", thread: "space",
      collapseID: question + event.id, level: level, isUrgent: false, lifetime: lifetime(event, now: now),
      path: "/space")
  }

  /// Tells that "open until" has passed and the sign still says open: reminds those who may turn it, and lets others
  /// know, without a sound, that it is doubtful.
  /// - Parameter mayTurn: those of the sign's subscribers who may turn it, and loudspeakers, as `BellTopics` has them.
  package static func untilPassed(
    _ until: Int, _ mayTurn: [(to: JSON, person: Int?)], now: Int, zone: Zone
  ) -> [Bell] {
    let clock = Bell.Words.moment(until, now: now, zone: zone)
    let others = Bell(
      to: ["topic": "space"], exceptPersons: mayTurn.compactMap { $0.person },
      title: Bell.Words(
        "Open until \(clock.english): that has passed", german: "„Offen bis \(clock.german)“ ist vorbei"),
      body: Bell.Words(
        "The sign still says open; it may be closed.", german: "Auf dem Schild steht noch „offen“; vielleicht ist zu."),
      category: "sign", thread: "space", collapseID: "sign", level: .passive, isUrgent: false, lifetime: 6 * 3600,
      path: "/space")
    guard !mayTurn.isEmpty else { return [others] }
    var reminder = others
    reminder.to = .array(mayTurn.map { $0.to })
    (reminder.exceptPersons, reminder.level) = ([], .active)
    reminder.body = Bell.Words(
      "The sign still says open. Whoever leaves last turns it.",
      german: "Auf dem Schild steht noch „offen“. Wer zuletzt geht, dreht es um.")
    return [others, reminder]
  }

  /// Tells that another space has opened or closed.
  /// - Parameter persons: those who follow it for themselves.
  package static func other(
    _ name: String, isOpen: Bool, id: Int, isForAll: Bool, persons: [Int]
  ) -> Bell {
    let topic: [JSON] = isForAll ? [["topic": .string(followedTopic)]] : []
    return Bell(
      to: .array(topic + persons.map { ["person": JSON(id: $0)] }),
      title: isOpen
        ? Bell.Words("\(name) is open", german: "\(name) ist offen")
        : Bell.Words("\(name) is closed", german: "\(name) ist zu"), category: "followed", thread: "spaces",
      collapseID: "followed-\(id)", isUrgent: false, lifetime: 6 * 3600, path: "/space")
  }
}
