import EventLoop

/// The body of a request, piece by piece as it comes. While nobody takes what is there, the client is not read from:
/// an upload of any size needs the memory of a few pieces.
///
/// One task reads it. It belongs to the connection's loop, on which a handler's task runs anyway.
public final class RequestBody: @unchecked Sendable {
  private let loop: EventLoop
  private var pieces: [[UInt8]] = []
  private var waiting: CheckedContinuation<Void, Never>?
  private var ending: Result<Void, HTTPError>?
  /// Bytes that have come and were not taken.
  private(set) var count = 0
  /// Told once, when somebody waits for the body: a client may be waiting to be asked for it.
  var wanted: (() -> Void)?
  /// Told how many bytes were taken, so that as many may follow.
  var taken: ((Int) -> Void)?

  init(loop: EventLoop) { self.loop = loop }

  /// The next piece, nil at the end.
  /// - Throws: when the rest will not come: the client is gone, too slow, or sends too much.
  public func next() async throws(HTTPError) -> [UInt8]? {
    loop.assertCurrent()
    let ask = wanted
    wanted = nil
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
    // Crumbs are put together: each would cost its reader as much as a whole piece.
    if let last = pieces.indices.last, pieces[last].count + piece.count <= ServerLimits.crumbBytes {
      pieces[last] += piece
    } else {
      pieces.append(piece)
    }
    count += piece.count
    wake()
  }

  func end() { end(with: .success(())) }

  /// What has come is of no use without the rest.
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
