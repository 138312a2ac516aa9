import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Store
import Wire

/// Keeps the sign: everything that changes it goes through here, one after the other, and the silence of the contact on
/// the door is one of these things.
///
/// The timer belongs to the hub's loop; all else may be called from anywhere.
final class SignWatch: @unchecked Sendable {
  private let hub: Hub
  private let board: Board
  private var timer: LoopTimer?

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
  }

  /// What became of the sign.
  struct Outcome: Sendable {
    var kept: KeptTurn
    var contact: DoorContact?
    /// The last changes; nil where the sign is as it was.
    var past: [SpaceAPI.PastEvent]?
    var write: Int
  }

  /// Why a turn is not taken back.
  enum UndoRefusal: Error {
    case noSuchTurn
    case turnedSince
    case tooLate
    case notByPerson
  }

  /// Looks at what was kept: while the hub was off, the contact may have fallen silent. Called once, on the loop.
  func begin() {
    Task {
      do throws(StoreError) { try await change(token: nil, turnedBy: nil) { _, _ in } } catch { keepFailed(error) }
    }
  }

  /// Somebody turns the sign.
  func turn(_ turn: SignTurn, _ principal: Principal) async throws(StoreError) -> Outcome {
    try await change(token: principal.token, turnedBy: principal) { $0.turn(turn, now: Int($1)) }
  }

  /// The contact on the door has spoken.
  func hear(_ report: ContactReport, token: Int?) async throws(StoreError) -> Outcome {
    try await change(token: token, turnedBy: nil) { $0.hear(open: report.open, heartbeat: report.heartbeat, now: $1) }
  }

  /// - Parameter turnedBy: who turns it: it is written down even when the sign says the same as before.
  @discardableResult
  private func change(
    token: Int?, turnedBy principal: Principal?, _ work: @escaping @Sendable (inout SignState, Double) -> Void
  ) async throws(StoreError) -> Outcome {
    let (time, board) = (hub.time, board)
    let outcome = try await hub.store.write { database throws(StoreError) in
      let now = time.now
      let before = try database.sign()
      let contact = try database.doorContact()
      var state = SignState(sign: before.sign, contact: contact)
      // The silence came first, even if nobody has looked.
      if let contact, state.isOverdue(now: now) { state.fallSilent(since: contact.report, now: now) }
      var kept = try database.keep(state.sign, after: before, now: now, token: nil)
      work(&state, now)
      kept = try database.keep(state.sign, after: kept, now: now, token: token, isTurn: principal != nil)
      if let principal { try database.audit(principal, "sign.turned", about: state.sign.state, now: now) }
      if let heard = state.contact, heard != contact { try database.save(contact: heard, token: token) }
      let past = kept.number == before.number ? nil : try database.pastEvents(limit: SpaceLimits.pastEvents)
      return Outcome(kept: kept, contact: state.contact, past: past, write: board.numberWrite())
    }
    show(outcome)
    return outcome
  }

  /// Takes a turn back, if it is the last one.
  /// - Returns: what the sign says then; the same again for a turn that was already taken back.
  func undo(turn: Int, _ principal: Principal) async throws(StoreError) -> Result<Outcome, UndoRefusal> {
    let (time, board) = (hub.time, board)
    let result = try await hub.store.write { database throws(StoreError) -> Result<Outcome, UndoRefusal> in
      let now = time.now
      var last = try database.sign()
      let contact = try database.doorContact()
      if last.number != turn {
        // The answer to the first try may have been lost.
        if try database.undone(turn: turn) != nil {
          return .success(Outcome(kept: last, contact: contact, past: nil, write: board.numberWrite()))
        }
        return .failure(turn > 0 && turn < last.number ? .turnedSince : .noSuchTurn)
      }
      guard last.sign.source == .person else { return .failure(turn > 0 ? .notByPerson : .noSuchTurn) }
      guard now - Double(last.setAt) <= Double(SpaceLimits.undoSeconds) else { return .failure(.tooLate) }
      try database.undo(turn: turn, now: Int(now))
      try database.audit(principal, "sign.undone", about: last.sign.state, now: now)
      last = try database.sign()
      var state = SignState(sign: last.sign, contact: contact)
      state.restore(last.sign, now: now)
      if let contact, state.isOverdue(now: now) { state.fallSilent(since: contact.report, now: now) }
      let kept = try database.keep(state.sign, after: last, now: now, token: nil)
      let past = try database.pastEvents(limit: SpaceLimits.pastEvents)
      return .success(Outcome(kept: kept, contact: contact, past: past, write: board.numberWrite()))
    }
    if case .success(let outcome) = result { show(outcome) }
    return result
  }

  /// As the API and the live channel tell it now.
  func json(_ kept: KeptTurn) -> JSON {
    kept.sign.json(turn: kept.number, zone: board.zone, asOf: Int(hub.time.now))
  }

  // MARK: What follows

  private func show(_ outcome: Outcome) {
    if let past = outcome.past {
      let news = json(outcome.kept)
      // Two turns at once: nobody hears of the older one after the newer.
      board.set(outcome.kept, past: past, write: outcome.write) {
        hub.channels.publish(SpaceChannel.state, on: SpaceChannel.name, news)
      }
    }
    hub.loop.perform { self.wait(for: outcome) }
  }

  private var waitsFor = 0

  /// Waits for as long as the contact may take.
  private func wait(for outcome: Outcome) {
    guard outcome.write >= waitsFor else { return }
    waitsFor = outcome.write
    timer?.cancel()
    let state = SignState(sign: outcome.kept.sign, contact: outcome.contact)
    guard let contact = outcome.contact, let patience = state.patience(now: hub.time.now) else { return timer = nil }
    timer = hub.loop.schedule(after: patience) { [self] in
      Task { await silence(since: contact.report, of: outcome) }
    }
  }

  private func silence(since report: Int, of outcome: Outcome) async {
    do throws(StoreError) {
      try await change(token: nil, turnedBy: nil) { $0.fallSilent(since: report, now: $1) }
      hub.log.warning("the contact on the door is silent", ["report": "\(report)"])
    } catch {
      keepFailed(error)
      // What cannot be kept is true all the same.
      var state = SignState(sign: outcome.kept.sign, contact: outcome.contact)
      state.fallSilent(since: report, now: hub.time.now)
      var kept = outcome.kept
      kept.sign = state.sign
      let news = json(kept)
      board.set(kept, past: nil, write: outcome.write) {
        hub.channels.publish(SpaceChannel.state, on: SpaceChannel.name, news)
      }
    }
  }

  private func keepFailed(_ error: StoreError) {
    hub.log.error("the contact's silence could not be kept", ["error": error.description])
  }
}

extension Database {
  /// Writes down what the sign says now, if it is another than before.
  fileprivate func keep(
    _ sign: Sign, after before: KeptTurn, now: Double, token: Int?, isTurn: Bool = false
  ) throws(StoreError) -> KeptTurn {
    guard isTurn || sign != before.sign else { return before }
    let number = try save(
      sign: sign, before: before.sign.open, setAt: Int(now), isChange: sign.open != before.sign.open, token: token)
    return KeptTurn(sign: sign, number: number, setAt: Int(now))
  }
}
