import EventLoop
import Lifecycle
import Server
import Synchronization
import Uploads

/// One request at a time for each upload. Whoever comes later asks the one before to let go: it is most likely a
/// connection that has died without a word, and its client is asking how much has come.
final class UploadLocks: Sendable {
  private struct Place {
    let number: Int
    let body: RequestBody?
    var waiting: [Poller] = []
  }
  private struct State {
    var places: [String: Place] = [:]
    var last = 0
  }
  private let state = Mutex(State())
  private let loop: EventLoop
  private let time: any TimeSource

  init(_ loop: EventLoop, _ time: any TimeSource) { (self.loop, self.time) = (loop, time) }

  /// A held upload.
  struct Hold: Sendable {
    fileprivate let upload: String
    fileprivate let number: Int
  }

  /// Waits for the request before to end.
  /// - Parameter body: is interrupted when somebody else asks for the upload.
  /// - Throws: 423 if that takes too long.
  func hold(_ upload: String, _ body: RequestBody? = nil) async throws(HTTPError) -> Hold {
    let until = time.uptime + UploadLimits.letGoSeconds
    let poller = Poller(loop)
    while true {
      let (hold, other) = state.withLock { state -> (Hold?, RequestBody?) in
        if let body = state.places[upload]?.body {
          state.places[upload]?.waiting.append(poller)
          return (nil, body)
        }
        if state.places[upload] != nil {
          state.places[upload]?.waiting.append(poller)
          return (nil, nil)
        }
        state.last += 1
        state.places[upload] = Place(number: state.last, body: body)
        return (Hold(upload: upload, number: state.last), nil)
      }
      if let hold { return hold }
      other?.interrupt(UploadRefusal.locked.http)
      let left = until - time.uptime
      guard left > 0 else { throw UploadRefusal.locked.http }
      do throws(CancellationError) {
        try await poller.wait(atMost: left)
      } catch {
        throw UploadRefusal.locked.http
      }
    }
  }

  func release(_ hold: Hold) {
    let waiting = state.withLock { state -> [Poller] in
      guard state.places[hold.upload]?.number == hold.number else { return [] }
      return state.places.removeValue(forKey: hold.upload)?.waiting ?? []
    }
    for poller in waiting { poller.wake() }
  }
}

/// A line for what only so many may do at a time, in the order of coming: each guest has a share of the places.
final class UploadLine: Sendable {
  private struct Waiting {
    let guest: Int
    let continuation: CheckedContinuation<Void, Never>
  }
  private struct State {
    var inside: [Int: Int] = [:]
    var count = 0
    var waiting: [Waiting] = []
  }
  private let state = Mutex(State())
  private let most: Int
  private let ofGuest: Int

  /// - Parameter ofGuest: of all places, those of one guest.
  init(_ most: Int, ofGuest: Int) { (self.most, self.ofGuest) = (most, ofGuest) }

  /// Waits for a place. Whoever has left meanwhile gets one all the same, and gives it back at once.
  func enter(_ guest: Int) async throws(HTTPError) {
    let isFull = state.withLock { state in
      state.waiting.count >= UploadLimits.waiting
        || state.waiting.count { $0.guest == guest } >= UploadLimits.waitingOfGuest
    }
    guard !isFull else { throw HTTPError.tooManyUploads }
    await withCheckedContinuation { continuation in
      let mayEnter = state.withLock { state in
        if admits(guest, state) {
          Self.add(guest, &state)
          return true
        }
        state.waiting.append(Waiting(guest: guest, continuation: continuation))
        return false
      }
      if mayEnter { continuation.resume() }
    }
  }

  func leave(_ guest: Int) {
    let next = state.withLock { state -> [CheckedContinuation<Void, Never>] in
      state.count -= 1
      let left = (state.inside[guest] ?? 1) - 1
      state.inside[guest] = left > 0 ? left : nil
      guard let first = state.waiting.firstIndex(where: { admits($0.guest, state) }) else { return [] }
      let waiting = state.waiting.remove(at: first)
      Self.add(waiting.guest, &state)
      return [waiting.continuation]
    }
    for continuation in next { continuation.resume() }
  }

  private func admits(_ guest: Int, _ state: State) -> Bool {
    state.count < most && state.inside[guest, default: 0] < ofGuest
  }

  private static func add(_ guest: Int, _ state: inout State) {
    state.count += 1
    state.inside[guest, default: 0] += 1
  }
}

/// Lets so many in at a time, and refuses others.
final class DownloadGate: Sendable {
  private let count = Mutex(0)
  private let most: Int

  init(_ most: Int) { self.most = most }

  /// A place inside, which is free again when this goes.
  final class Place: Sendable {
    private let gate: DownloadGate

    fileprivate init(_ gate: DownloadGate) { self.gate = gate }
    deinit { gate.count.withLock { $0 -= 1 } }
  }

  /// - Throws: 503 while so many are inside.
  func enter() throws(HTTPError) -> Place {
    let mayEnter = count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
    guard mayEnter else { throw HTTPError.tooManyDownloads }
    return Place(self)
  }
}
