import Synchronization

/// Records that a request came from a signed-in caller, by a token or a device's cookie.
///
/// The response is then for that caller alone and must not be cached: neither by a proxy nor by the browser, where
/// somebody else could read it after the person has signed out.
public final class Caller: Sendable {
  private let flag = Atomic(false)
  private let called = Mutex<String?>(nil)
  fileprivate let found = Mutex<(any Sendable)?>(nil)

  var isKnown: Bool { flag.load(ordering: .relaxed) }

  /// The caller's name, the same in all their requests; nil for a stranger.
  var name: String? { called.withLock { $0 } }

  func note(_ name: String) {
    flag.store(true, ordering: .relaxed)
    called.withLock { $0 = name }
  }
}

extension Request {
  /// To be called when the request's caller is identified, whatever they may do.
  /// - Parameter name: the same in all requests of this caller, such as "person 7".
  public func noteCaller(_ name: String) { caller?.note(name) }

  /// The result of identifying the caller, kept for the rest of the request; nil before.
  public var foundCaller: (any Sendable)? { caller?.found.withLock { $0 } }
  public func keep(foundCaller found: any Sendable) { caller?.found.withLock { $0 = found } }
}

extension Response {
  /// The response with its caching rule: `no-store` if it was made for a signed-in caller, unless its route says
  /// otherwise.
  func kept(for caller: Caller) -> Response {
    guard caller.isKnown, cacheControl == Self.usualCacheControl else { return self }
    var response = self
    response.cacheControl = "no-store"
    return response
  }
}
