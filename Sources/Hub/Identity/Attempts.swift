import Crypto
package import Lifecycle
package import Server
import Synchronization
import Wire

/// Counts what failed, for each address and over all, and says when it is enough. An address of IPv6 counts with its
/// network (/64), which one household has for itself.
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

  /// Counts an attempt before its outcome is known, so that many at once do not slip by.
  /// - Returns: seconds to wait for the next one, nil for one that may be made.
  package func begin(_ address: String) -> Int? {
    let address = Self.network(of: address)
    if let seconds = addresses.take(address, limit.perAddress) { return Self.whole(seconds) }
    guard let seconds = all.withLock({ $0.take(limit.overAll, now: time.uptime) }) else { return nil }
    addresses.putBack(address, limit.perAddress)
    return Self.whole(seconds)
  }

  /// An attempt that was counted did not fail.
  package func succeeded(_ address: String) {
    addresses.putBack(Self.network(of: address), limit.perAddress)
    all.withLock { $0.putBack(limit.overAll) }
  }

  private static func whole(_ seconds: Double) -> Int { max(1, Int(seconds.rounded(.up))) }

  /// What one household has for itself: an address, of IPv6 its network.
  package static func network(of address: String) -> String {
    guard let known = IPAddress(address), known.family == .v6 else { return address }
    return Digest.hex(known.bytes.prefix(8))
  }
}
