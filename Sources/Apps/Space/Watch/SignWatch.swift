import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Server
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

  /// Looks at what was kept: while the hub was off, the contact may have fallen silent. Called once, on the loop.
  func begin() {
    Task {
      do throws(StoreError) { try await change { _, _ in } } catch { keepFailed(error) }
    }
  }

  /// Somebody turns the sign.
  func turn(_ turn: SignTurn, _ principal: Principal) async throws(HTTPError) -> Outcome {
    let board = board
    let outcome = try await hub.write(as: principal) { database, now throws(StoreError) in
      let outcome = try database.change(board, now: now, token: principal.token, isTurn: true) {
        $0.turn(turn, now: Int($1))
      }
      try database.audit(principal, "sign.turned", about: outcome.kept.sign.state, now: now)
      return .success(outcome)
    }
    show(outcome)
    return outcome
  }

  /// The contact on the door has spoken.
  func hear(_ report: ContactReport, _ principal: Principal) async throws(HTTPError) -> Outcome {
    let board = board
    let outcome = try await hub.write(as: principal) { database, now throws(StoreError) in
      .success(
        try database.change(board, now: now, token: principal.token) {
          $0.hear(open: report.open, heartbeat: report.heartbeat, now: $1)
        })
    }
    show(outcome)
    return outcome
  }

  /// What nobody does, but the time that passes.
  private func change(_ work: @escaping @Sendable (inout SignState, Double) -> Void) async throws(StoreError) {
    let (time, board) = (hub.time, board)
    show(
      try await hub.store.write { database throws(StoreError) in
        try database.change(board, now: time.now, token: nil, work)
      })
  }

  /// Takes a turn back, if it is the last one.
  /// - Returns: what the sign says then; the same again for a turn that was already taken back.
  func undo(turn: Int, _ principal: Principal) async throws(HTTPError) -> Outcome {
    let board = board
    let outcome = try await hub.write(as: principal) { database, now throws(StoreError) in
      var last = try database.sign()
      let contact = try database.doorContact()
      if last.number != turn {
        // The answer to the first try may have been lost.
        if try database.undone(turn: turn) != nil {
          return .success(Outcome(kept: last, contact: contact, past: nil, write: board.numberWrite()))
        }
        return .failure(turn > 0 && turn < last.number ? .turnedSince(turn) : .noSuchTurn(turn))
      }
      guard last.sign.source == .person else { return .failure(turn > 0 ? .notByPerson(turn) : .noSuchTurn(turn)) }
      guard now - Double(last.setAt) <= Double(SpaceLimits.undoSeconds) else { return .failure(.tooLate(turn)) }
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
    show(outcome)
    return outcome
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
      try await change { $0.fallSilent(since: report, now: $1) }
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
  /// Lets something happen to the sign, behind the contact's silence if its time is over.
  /// - Parameter isTurn: whether somebody turns it: it is written down even when the sign says the same as before.
  fileprivate func change(
    _ board: Board, now: Double, token: Int?, isTurn: Bool = false, _ work: (inout SignState, Double) -> Void
  ) throws(StoreError) -> SignWatch.Outcome {
    let before = try sign()
    let contact = try doorContact()
    var state = SignState(sign: before.sign, contact: contact)
    // The silence came first, even if nobody has looked.
    if let contact, state.isOverdue(now: now) { state.fallSilent(since: contact.report, now: now) }
    var kept = try keep(state.sign, after: before, now: now, token: nil)
    work(&state, now)
    kept = try keep(state.sign, after: kept, now: now, token: token, isTurn: isTurn)
    if let heard = state.contact, heard != contact { try save(contact: heard, token: token) }
    let past = kept.number == before.number ? nil : try pastEvents(limit: SpaceLimits.pastEvents)
    return SignWatch.Outcome(kept: kept, contact: state.contact, past: past, write: board.numberWrite())
  }

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

/// Why a turn is not taken back.
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
