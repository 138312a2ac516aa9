import EventLoop
import Lifecycle
import Server
import Synchronization

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
  /// The refusal of who is asked to let go, and of who waits too long.
  private let refusal: HTTPError

  init(_ loop: EventLoop, _ time: any TimeSource, refusal: HTTPError) {
    (self.loop, self.time, self.refusal) = (loop, time, refusal)
  }

  /// A held upload.
  struct Hold: Sendable {
    fileprivate let upload: String
    fileprivate let number: Int
  }

  /// Waits for the request before to end.
  /// - Parameter body: is interrupted when somebody else asks for the upload.
  /// - Throws: `refusal` if that takes too long.
  func hold(_ upload: String, _ body: RequestBody? = nil) async throws(HTTPError) -> Hold {
    let until = time.uptime + ReceivingLimits.letGoSeconds
    let poller = Poller(loop)
    while true {
      let (hold, other) = state.withLock { state -> (Hold?, RequestBody?) in
        if let place = state.places[upload] {
          state.places[upload]?.waiting.append(poller)
          return (nil, place.body)
        }
        state.last += 1
        state.places[upload] = Place(number: state.last, body: body)
        return (Hold(upload: upload, number: state.last), nil)
      }
      if let hold { return hold }
      other?.interrupt(refusal)
      let left = until - time.uptime
      guard left > 0 else { throw refusal }
      do throws(CancellationError) {
        try await poller.wait(atMost: left)
      } catch {
        throw refusal
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
