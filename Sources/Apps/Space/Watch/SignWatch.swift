import EventLoop
import Hub
import Lifecycle
import Observe
import Server
import Store
import Synchronization
import Wire

/// Keeps the sign: all of its changes pass here, among them the silence of the contact on the door.
final class SignWatch: Sendable {
  private let hub: Hub
  private let board: Board
  private let poller: Poller
  /// Called after each change between open, closed and unknown, and of when that is meant to end.
  private let turned: @Sendable () -> Void
  /// The contact's report that the sign depends on, and the uptimes at which the contact is shown as silent and counts
  /// as that if no other comes; nil while the sign does not depend on the contact. The latter is later after a start:
  /// while the hub was off, reports reached nobody.
  private struct Patience {
    var report: Int
    var due: Double
    var counts: Double
  }
  private let patience = Mutex<Patience?>(nil)
  /// The uptime of the start.
  private let began: Double

  init(_ hub: Hub, _ board: Board, turned: @escaping @Sendable () -> Void) {
    self.turned = turned
    self.hub = hub
    self.board = board
    began = hub.time.uptime
    poller = Poller(hub.loop)
  }

  /// The result of a change of the sign.
  struct Outcome: Sendable {
    var kept: KeptTurn
    var contact: DoorContact?
    /// True if the sign's state has changed, or was set anew.
    var isNews: Bool
    /// True if it says open or closed, and did not before.
    var isTurned = false
  }

  /// A person turns the sign.
  func turn(_ turn: SignTurn, in change: Change) throws(StoreError) -> Outcome {
    let outcome = try happens(in: change, isTurn: true) { $0.turn(turn, now: Int($1)) }
    try change.audit(outcome.isTurned ? "sign.turned" : "sign.renewed", about: outcome.kept.sign.state)
    return outcome
  }

  /// The contact on the door reports.
  func hear(_ report: ContactReport, in change: Change) throws(StoreError) -> Outcome {
    try happens(in: change) { $0.hear(open: report.open, heartbeat: report.heartbeat, now: $1) }
  }

  /// Undoes a turn, if it is the last one.
  /// - Returns: the sign after that; the same again for a turn that was already undone.
  func undo(turn: Int, in change: Change) throws -> Outcome {
    let (database, now) = (change.database, change.now)
    var last = try database.sign()
    let contact = try database.doorContact()
    let before = last.sign
    if last.number != turn {
      // The answer to the first attempt may have been lost.
      if try database.undone(turn: turn) != nil { return Outcome(kept: last, contact: contact, isNews: false) }
      throw turn > 0 && turn < last.number ? HTTPError.turnedSince(turn) : .noSuchTurn(turn)
    }
    guard last.sign.source == .person else { throw turn > 0 ? HTTPError.notByPerson(turn) : .noSuchTurn(turn) }
    guard now - Double(last.setAt) <= Double(SpaceLimits.undoSeconds) else { throw HTTPError.tooLate(turn) }
    try database.undo(turn: turn, now: Int(now))
    try change.audit("sign.undone", about: last.sign.state)
    last = try database.sign()
    var state = SignState(sign: last.sign, contact: contact)
    state.restore(last.sign, now: now)
    if let contact, state.isOverdue(now: now) { state.fallSilent(since: contact.report, now: now) }
    let kept = try database.keep(state.sign, after: last, now: now, token: nil)
    try ring(kept.sign, after: before, in: change)
    let outcome = Outcome(kept: kept, contact: contact, isNews: true)
    let past = try database.pastEvents(limit: SpaceLimits.pastEvents)
    show(outcome, in: change) { _ in past }
    return outcome
  }

  private func ring(_ sign: Sign, after before: Sign, in change: Change) throws(StoreError) {
    if (sign.open, sign.until) != (before.open, before.until) { change.then { [turned] in turned() } }
    guard sign.open != before.open else { return }
    let (now, zone) = (Int(change.now), hub.place.zone)
    var opens = board.opens(sign, now: now, zone: zone)
    // Somebody may open for an event before the next usual hour.
    if sign.open == false, let event = try hub.offers[.plannedEvents]?.nextOpening(after: now, in: change.database) {
      opens = min(event, opens ?? event)
    }
    try SignBell.ring(sign, opens: opens, zone: zone, here: hub.place.current?.coordinates, in: change)
  }

  /// The form for the API and the live channel.
  /// - Parameter now: the time it is for, in seconds since 1970; nil for the present.
  func json(_ kept: KeptTurn, asOf now: Double? = nil) -> JSON {
    let (now, zone) = (Int(now ?? hub.time.now), hub.place.zone)
    return kept.sign.json(
      turn: kept.number, zone: zone, asOf: now, opens: board.opens(kept.sign, now: now, zone: zone))
  }

  // MARK: Silence

  /// Waits for silence, also for one that has begun while the hub was off.
  func run() async throws {
    if patience.withLock({ $0 == nil }) {
      let (sign, contact) = try await hub.store.read { database throws(StoreError) in
        (try database.sign().sign, try database.doorContact())
      }
      wait(for: contact, sign, now: hub.time.now)
    }
    try await poller.run { [self] in
      let uptime = hub.time.uptime
      guard let waited = patience.withLock({ $0 }) else { return nil }
      if waited.due > uptime { return waited.due - uptime }
      if waited.counts > uptime {
        showSilence()
        return waited.counts - uptime
      }
      do throws(HTTPError) {
        try await commitSilence(since: waited.report)
        hub.log.warning("the contact on the door is silent", ["report": "\(waited.report)"])
        return patience.withLock { $0 }.map { $0.due - uptime }
      } catch {
        showSilence()
        return SpaceLimits.retrySeconds
      }
    }
  }

  /// - Parameter report: no other report has come since.
  private func commitSilence(since report: Int) async throws(HTTPError) {
    try await hub.commit(as: .room(SpaceRoom.id)) { [self] change in
      _ = try happens(in: change) { $0.fallSilent(since: report, now: $1) }
    }
  }

  /// Shows the silence, even if it is not stored.
  private func showSilence() {
    var turn = board.turn
    guard turn.sign.open != nil else { return }
    turn.sign = Sign(lastChange: max(Int(hub.time.now), turn.sign.lastChange ?? 0), source: .contact)
    board.set(turn, commit: hub.commits.number) { $0 }
    let shown = turn
    hub.publish(SpaceChannel.state, on: SpaceChannel.channel, self.json(shown))
  }

  // MARK: Changes

  /// Applies an event to the sign, after the contact's silence if that is due.
  /// - Parameter isTurn: true for a person's turn, which is stored even if the state is the same.
  private func happens(
    in change: Change, isTurn: Bool = false, _ work: (inout SignState, Double) -> Void
  ) throws(StoreError) -> Outcome {
    let (database, now, token) = (change.database, change.now, change.principal.token)
    let before = try database.sign()
    let contact = try database.doorContact()
    var state = SignState(sign: before.sign, contact: contact)
    // The silence came first, even if it was not noticed.
    if let contact, isOverdue(state, now: now) { state.fallSilent(since: contact.report, now: now) }
    let silent = try database.keep(state.sign, after: before, now: now, token: nil)
    work(&state, now)
    let kept = try database.keep(state.sign, after: silent, now: now, token: token, isTurn: isTurn)
    if before.number == 0, kept.number != 0 { try hub.show(SpaceRoom.id, in: change) }
    try ring(kept.sign, after: before.sign, in: change)
    if let heard = state.contact, heard != contact { try database.save(contact: heard, token: token) }
    // Computed, since a query would cost more than the turn itself; changes to unknown are not part of the history.
    let isChange = kept.sign.open != nil && kept.sign.open != silent.sign.open
    let outcome = Outcome(
      kept: kept, contact: state.contact, isNews: kept.number != before.number, isTurned: isChange)
    let event = isChange ? [SpaceAPI.PastEvent(open: kept.sign.open, at: kept.setAt, by: kept.sign.by)] : []
    show(outcome, in: change) { Array((event + $0).prefix(SpaceLimits.pastEvents)) }
    return outcome
  }

  /// By uptime since the contact's report, since the clock may have been set meanwhile.
  private func isOverdue(_ state: SignState, now: Double) -> Bool {
    guard let waited = patience.withLock({ $0 }), waited.report == state.contact?.report else {
      return state.isOverdue(now: now)
    }
    return state.restsOnContact && waited.counts <= hub.time.uptime
  }

  /// - Parameter past: computes the last changes from the earlier ones.
  private func show(
    _ outcome: Outcome, in change: Change, past: @escaping ([SpaceAPI.PastEvent]) -> [SpaceAPI.PastEvent]
  ) {
    let (now, number) = (change.now, change.number)
    // A silence that is not stored may be shown.
    let isNews = outcome.isNews || board.turn.sign.open != outcome.kept.sign.open
    change.database.touch(.sign)
    change.then { [self] in
      if isNews { board.set(outcome.kept, commit: number, past: past) }
      wait(for: outcome.contact, outcome.kept.sign, now: now)
    }
    if isNews {
      change.publish(SpaceChannel.state, on: SpaceChannel.channel, self.json(outcome.kept, asOf: now))
    }
  }
}

extension SignWatch {
  /// Another hub has turned the sign, or heard the contact.
  func refresh(from database: Database, commit: Int) throws(StoreError) {
    let (kept, contact) = (try database.sign(), try database.doorContact())
    let past = try database.pastEvents(limit: SpaceLimits.pastEvents)
    board.set(kept, commit: commit) { _ in past }
    wait(for: contact, kept.sign, now: hub.time.now)
    turned()
  }

  /// Waits for the contact's silence while the sign depends on it.
  private func wait(for contact: DoorContact?, _ sign: Sign, now: Double) {
    var next: Patience?
    if let contact, let left = SignState(sign: sign, contact: contact).patience(now: now) {
      let (due, start) = (hub.time.uptime + left, began + min(contact.patience, SpaceLimits.startSeconds))
      next = Patience(report: contact.report, due: due, counts: max(due, start))
    }
    let isAwaited = patience.withLock { [next] patience in
      defer { patience = next }
      return patience != nil || next != nil
    }
    if isAwaited { poller.wake() }
  }
}

extension Database {
  /// Stores the sign if it has changed.
  fileprivate func keep(
    _ sign: Sign, after before: KeptTurn, now: Double, token: Int?, isTurn: Bool = false
  ) throws(StoreError) -> KeptTurn {
    guard isTurn || sign != before.sign else { return before }
    let number = try save(
      sign: sign, before: before.sign.open, setAt: Int(now), isChange: sign.open != before.sign.open, token: token)
    return KeptTurn(sign: sign, number: number, setAt: Int(now))
  }
}

/// The reasons why a turn cannot be undone.
extension HTTPError {
  private static let undoHelp = "GET /api/v1/space/state tells what the sign says; turn it to change that."

  fileprivate static func noSuchTurn(_ turn: Int) -> HTTPError {
    HTTPError(.noSuchTurn, "There is no turn \(turn).", help: undoHelp)
  }
  fileprivate static func turnedSince(_ turn: Int) -> HTTPError {
    HTTPError(.turnedSince, "The sign was turned again since turn \(turn).", help: undoHelp)
  }
  fileprivate static func notByPerson(_ turn: Int) -> HTTPError {
    HTTPError(.notUndoable, "Turn \(turn) was not a person's but the door's.", help: undoHelp)
  }
  fileprivate static func tooLate(_ turn: Int) -> HTTPError {
    HTTPError(.notUndoable, "Turn \(turn) is more than \(SpaceLimits.undoSeconds) s ago.", help: undoHelp)
  }
}
