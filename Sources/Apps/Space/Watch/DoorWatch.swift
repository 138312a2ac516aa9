import EventLoop
import Hub
import Observe
import Store
import Synchronization
import Wire

/// Rings when nobody turns the sign: "open until" has passed, or an event begins and the space is closed.
///
/// One pass at a time, when something has changed and when the next moment comes. Questions and rings are noted in the
/// same commit that makes them, so nothing rings twice after a restart.
final class DoorWatch: EventListener {
  private let hub: Hub
  private let poller: Poller
  private let alarm: Alarm
  /// The events about which nobody was asked in the last pass, as the sign was unknown.
  private let held = Mutex<Set<String>>([])

  init(_ hub: Hub) {
    self.hub = hub
    poller = Poller(hub.loop)
    alarm = Alarm(hub.loop)
  }

  /// To be called when the sign was turned, somebody has answered, or a command beside the hub has changed something.
  func wake() { poller.wake() }

  func run() async throws {
    defer { alarm.set(at: nil) {} }
    try await poller.run { [self] in
      let done = try await hub.commit(as: .room(SpaceRoom.id)) { change in try self.pass(in: change) }
      held.withLock { $0 = done.held }
      if done.missed > 0 {
        hub.log.info(
          "rings about the door were missed: the hub was off, or its clock was put forward",
          ["count": "\(done.missed)"])
      }
      alarm.set(at: done.next.map { Double($0) }) { [weak self] in self?.wake() }
      return nil
    }
  }

  private struct Pass: Sendable {
    var next: Int?
    var missed = 0
    var held: Set<String> = []

    mutating func wait(until moment: Int) { next = min(next ?? moment, moment) }
  }

  private func pass(in change: Change) throws -> Pass {
    var pass = Pass()
    let sign = try change.database.sign()
    try ringUntil(sign, &pass, in: change)
    for event in try change.database.openQuestions() {
      if sign.sign.open == true {
        try takeBack(event, DoorBell.opened, in: change)
      } else {
        try ask(about: event, isClosed: sign.sign.open == false, &pass, in: change)
      }
    }
    return pass
  }

  // MARK: Open until

  private func ringUntil(_ turn: KeptTurn, _ pass: inout Pass, in change: Change) throws {
    let now = Int(change.now)
    guard turn.sign.open == true, let until = turn.sign.until, try change.database.rungTurn() != turn.number else {
      return
    }
    if until > now {
      pass.wait(until: until)
      return
    }
    try change.database.save(rungTurn: turn.number)
    // If the time was over already when the sign was turned, nobody expects a ring.
    guard until > turn.setAt else { return }
    if now - until > SpaceLimits.lateBell {
      pass.missed += 1
    } else {
      let subscribers = try hub.offers[.bellTopics]?.subscribers(of: "space", in: change.database) ?? []
      let keykeepers = try change.database.keykeepers()
      // A loudspeaker is nobody's, and reminds whoever is there.
      let mayTurn = subscribers.filter { $0.person.map(keykeepers.contains) ?? true }
      for bell in DoorBell.untilPassed(until, mayTurn, now: now, zone: hub.place.zone) {
        try change.ring("space.until", bell.json)
      }
    }
  }

  // MARK: The question who opens

  func eventBegins(_ event: PlannedEvent, in change: Change) throws {
    guard try change.database.sign().sign.open == false else { return }
    try change.database.add(question: event, now: Int(change.now))
    change.database.touch(.question)
    change.then { [self] in wake() }
  }

  /// Nobody needs to open any more: those who have not answered hear it in place of the question.
  private func takeBack(
    _ event: PlannedEvent, _ bell: ([Int], PlannedEvent, Int) -> Bell, in change: Change
  ) throws {
    try change.database.end(question: event.id)
    let asked = try change.database.asked(about: event.id).filter { !$0.isRefused }.map(\.person)
    try tell(bell(asked, event, Int(change.now)), in: change)
  }

  /// Rings, unless it is for nobody or the event is over.
  private func tell(_ bell: Bell, in change: Change) throws {
    if bell.to.array?.isEmpty == false, bell.lifetime > 0 { try change.ring("space.opener", bell.json) }
  }

  /// - Parameter isClosed: false if it is not known whether the space is open: nobody is asked then.
  private func ask(about event: PlannedEvent, isClosed: Bool, _ pass: inout Pass, in change: Change) throws {
    let (database, now) = (change.database, Int(change.now))
    let planned = hub.offers[.plannedEvents]
    if let planned, try !planned.takesPlace(event, in: database) {
      return try takeBack(event, DoorBell.calledOff, in: change)
    }
    // The programme may change at any time.
    let nextLook = now + OpenerQuestion.patience
    if !isClosed, now < OpenerQuestion.last(start: event.start, end: event.end) {
      pass.held.insert(event.id)
      return pass.wait(until: nextLook)
    }
    let openers = try planned?.openers(of: event.id, in: database) ?? []
    let question = OpenerQuestion(
      openers: openers, keykeepers: try database.keykeepers(), asked: try database.asked(about: event.id),
      start: event.start, end: event.end)
    switch question.step(now: now, wasHeld: held.withLock { $0.contains(event.id) }) {
    case .ask(let person):
      try database.save(asked: .init(person: person, at: now), about: event.id)
      try change.ring(
        "space.opener", DoorBell.ask(person, about: event, isOpener: openers.contains(person), now: now).json)
      pass.wait(until: nextLook)
    case .wait(let until): pass.wait(until: min(until, nextLook))
    case .over: try database.end(question: event.id)
    case .missed:
      pass.missed += 1
      try database.end(question: event.id)
    }
  }

  /// Takes an answer to a notification of this room.
  func answered(_ answer: BellAnswer, in change: Change) throws {
    let database = change.database
    guard let id = DoorBell.event(ofQuestion: answer.collapseID), let person = answer.person,
      let said = DoorBell.Answer(rawValue: answer.action), let event = try database.question(about: id)
    else { return }
    let now = Int(change.now)
    switch said {
    case .notToday:
      try database.save(asked: .init(person: person, at: now, isRefused: true), about: id)
    case .opening where try database.sign().sign.open == true:
      // The question was answered while it was being taken back.
      try tell(DoorBell.opened([person], for: event, now: now), in: change)
    case .opening where try hub.offers[.plannedEvents]?.takesPlace(event, in: database) == false:
      // The same, for an event that was called off.
      try tell(DoorBell.calledOff([person], for: event, now: now), in: change)
    case .opening:
      // Also when everybody was asked already, or somebody else opens: two may come. Too late is after the event.
      guard now < OpenerQuestion.last(start: event.start, end: event.end) else { return }
      // Without a room that knows openers, the answer alone counts.
      if let planned = hub.offers[.plannedEvents], try !planned.putDown(opener: person, of: event, in: change) {
        return
      }
      try database.end(question: id)
      let others = try database.asked(about: id).map(\.person).filter { $0 != person }
      if let name = try database.personName(person) {
        try tell(DoorBell.found(name, others, for: event, now: now), in: change)
      }
    }
    change.database.touch(.question)
    change.then { [self] in wake() }
  }
}
