import EventLoop

/// The body of a request, piece by piece as it arrives. While the pieces are not taken, the client is not read from: an
/// upload of any size needs the memory of a few pieces.
///
/// One task reads it, on the connection's loop, where a handler's task runs anyway.
public final class RequestBody: @unchecked Sendable {
  private let loop: EventLoop
  private var pieces: [[UInt8]] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private var ending: Result<Void, HTTPError>?
  /// Bytes that have arrived and were not taken.
  private(set) var count = 0
  /// True once the handler has asked for the body: before, it is not read, so that uploads may wait in line.
  private(set) var isWanted = false
  /// Called once, when the handler waits for the body: the client may be waiting for 100 Continue.
  var wanted: (() -> Void)?
  /// Called with the count of bytes taken, so that as many may follow.
  var taken: ((Int) -> Void)?

  init(loop: EventLoop) { self.loop = loop }

  /// The next piece; nil at the end.
  /// - Throws: when the rest will not come: the client has left, is too slow, or sends too much.
  public func next() async throws(HTTPError) -> [UInt8]? {
    loop.assertCurrent()
    let ask = wanted
    wanted = nil
    isWanted = true
    ask?()
    while pieces.isEmpty, ending == nil {
      precondition(waiting == nil, "a request's body has one reader")
      await withCheckedContinuation { waiting = $0 }
    }
    guard !pieces.isEmpty else {
      try ending?.get()
      return nil
    }
    let piece = pieces.removeFirst()
    count -= piece.count
    taken?(piece.count)
    return piece
  }

  func append(_ piece: [UInt8]) {
    guard ending == nil else { return }
    // Small pieces are joined: each would cost its reader as much as a large one.
    if let last = pieces.indices.last, pieces[last].count + piece.count <= ServerLimits.crumbBytes {
      pieces[last] += piece
    } else {
      pieces.append(piece)
    }
    count += piece.count
    wake()
  }

  func end() { end(with: .success(())) }

  /// Ends the body for its reader, who gets this error. For a client that has most likely left unnoticed, and holds what
  /// another request needs. May be called from any thread.
  public func interrupt(_ error: HTTPError) { loop.execute { [self] in fail(error) } }

  /// Ends the body with an error and drops the pieces not taken.
  func fail(_ error: HTTPError) {
    if ending == nil { pieces = [] }
    end(with: .failure(error))
  }

  private func end(with result: Result<Void, HTTPError>) {
    if ending == nil { ending = result }
    taken = nil
    wanted = nil
    wake()
  }

  private func wake() {
    let reader = waiting
    waiting = nil
    reader?.resume()
  }
}
