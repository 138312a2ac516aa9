import Synchronization
import Wire

/// Notes that a web server stands in front of the hub whose word does not count: it sends X-Forwarded fields, and
/// `trusted_proxies` does not list it. All seems to work then, but everybody counts as one client, and over plain HTTP.
///
/// Anybody can send these fields, so only what comes from this machine or its network counts as a web server's: nobody
/// on the Internet makes the owner look for what is not there.
public final class UnbelievedProxy: Sendable {
  private let address = Mutex<String?>(nil)
  private let isNoted = Atomic(false)

  public init() {}

  /// Its address, once one was met.
  public var seen: String? { address.withLock { $0 } }

  /// Looks at a request's fields. It costs nothing once there was one.
  /// - Parameter peer: the other end of the connection, without its port.
  /// - Returns: the address that is now noted for the first time.
  func look(_ fields: Fields, peer: String, trusted: [AddressRange]) -> String? {
    guard !isNoted.load(ordering: .relaxed), fields.count(of: "x-forwarded-proto") > 0,
      let found = IPAddress(peer.prefix { $0 != "%" }), !found.isPublic,
      !trusted.contains(where: { $0.contains(found) })
    else { return nil }
    isNoted.store(true, ordering: .relaxed)
    return address.withLock { address in
      guard address == nil else { return nil }
      address = found.description
      return address
    }
  }
}
