import Synchronization

/// Notes that a request was answered for somebody who is known: by a token, or by the cookie of a device.
///
/// The answer is then for them alone, and nobody on its way may keep it: neither a proxy nor the browser, from which
/// somebody else could read it after the person has signed out.
public final class Caller: Sendable {
  private let flag = Atomic(false)
  fileprivate let found = Mutex<(any Sendable)?>(nil)

  var isKnown: Bool { flag.load(ordering: .relaxed) }

  func note() { flag.store(true, ordering: .relaxed) }
}

extension Request {
  /// To be called where somebody was found to be behind the request, whatever they may do.
  public func noteCaller() { caller?.note() }

  /// What was found out of who asks, for what asks again while the request is on its way; nil if nothing was.
  public var foundCaller: (any Sendable)? { caller?.found.withLock { $0 } }
  public func keep(foundCaller found: any Sendable) { caller?.found.withLock { $0 = found } }
}

extension Response {
  /// The answer as it may be kept: not at all if it was made for somebody, unless its route says how.
  func kept(for caller: Caller) -> Response {
    guard caller.isKnown, cacheControl == Self.usualCacheControl else { return self }
    var response = self
    response.cacheControl = "no-store"
    return response
  }
}
