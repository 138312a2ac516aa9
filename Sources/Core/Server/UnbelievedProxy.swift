import Synchronization
import Wire

/// Detects a web server in front of the hub that is not trusted: it sends X-Forwarded fields, and `trusted_proxies`
/// does not list it. All seems to work then, but everybody counts as one client, and over plain HTTP.
///
/// Anybody can send these fields, so only senders on this machine or in its network count as a web server: nobody on
/// the Internet can raise a false alarm.
public final class UnbelievedProxy: Sendable {
  private let address = Mutex<String?>(nil)
  private let isNoted = Atomic(false)

  public init() {}

  /// The address of the first one detected.
  public var seen: String? { address.withLock { $0 } }

  /// Checks a request's fields. It costs nothing after the first detection.
  /// - Parameter peer: the connection's peer, without its port.
  /// - Returns: the address, if it was detected for the first time.
  func look(_ fields: Fields, peer: String, trusted: [AddressRange]) -> String? {
    guard !isNoted.load(ordering: .relaxed), fields.count(of: "x-forwarded-proto") > 0,
      let found = peerAddress(peer), !found.isPublic,
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
