import Crypto
package import Lifecycle
package import Server
import Synchronization
import Wire

/// Limits failed attempts, per address and overall. An IPv6 address counts by its network (/64), which belongs to one
/// household.
package final class Attempts: Sendable {
  package struct Limit: Sendable {
    var perAddress: Rate
    var overAll: Rate

    package init(perAddress: Rate, overAll: Rate) {
      self.perAddress = perAddress
      self.overAll = overAll
    }
  }
  private let limit: Limit
  private let time: any TimeSource
  private let addresses: TokenBuckets<String>
  private let all: Mutex<TokenBucket>

  package init(_ limit: Limit, time: any TimeSource) {
    self.limit = limit
    self.time = time
    addresses = TokenBuckets(
      most: IdentityLimits.failingAddresses, for: IdentityLimits.failureSeconds, time: time)
    all = Mutex(TokenBucket(limit.overAll, now: time.uptime))
  }

  /// Counts an attempt before its outcome is known, so that many at once cannot exceed the limit.
  /// - Returns: the seconds to wait; nil if the attempt may be made.
  package func begin(_ address: String) -> Int? {
    let address = Self.network(of: address)
    if let seconds = addresses.take(address, limit.perAddress) { return Self.whole(seconds) }
    guard let seconds = all.withLock({ $0.take(limit.overAll, now: time.uptime) }) else { return nil }
    addresses.putBack(address, limit.perAddress)
    return Self.whole(seconds)
  }

  /// Takes back the count of an attempt that succeeded.
  package func succeeded(_ address: String) {
    addresses.putBack(Self.network(of: address), limit.perAddress)
    all.withLock { $0.putBack(limit.overAll) }
  }

  private static func whole(_ seconds: Double) -> Int { max(1, Int(seconds.rounded(.up))) }

  /// The network that belongs to one household: an IPv4 address, or an IPv6 address' /64.
  package static func network(of address: String) -> String {
    guard let known = peerAddress(address), known.family == .v6 else { return address }
    return Digest.hex(known.bytes.prefix(8))
  }
}
