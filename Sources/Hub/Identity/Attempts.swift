import Crypto
package import Lifecycle
import Synchronization
import Wire

/// Limits failed attempts, per address and overall. An IPv6 address counts by its network (/64), which belongs to one
/// household.
///
/// Kept in memory: as many entries as failures are permitted, and none while nothing fails.
package final class Attempts: Sendable {
  package struct Limit: Sendable {
    var perAddress: Int
    var overAll: Int
    var seconds: Double

    package init(perAddress: Int, overAll: Int, seconds: Double) {
      self.perAddress = perAddress
      self.overAll = overAll
      self.seconds = seconds
    }
  }
  private struct Window {
    var addresses: [String: Int] = [:]
    var count = 0
    /// Uptime.
    var end = 0.0
  }
  private let limit: Limit
  private let time: any TimeSource
  private let window = Mutex(Window())

  package init(_ limit: Limit, time: any TimeSource) {
    self.limit = limit
    self.time = time
  }

  /// Counts an attempt before its outcome is known, so that many at once cannot exceed the limit.
  /// - Returns: the seconds to wait; nil if the attempt may be made.
  package func begin(_ address: String) -> Int? {
    let (address, now) = (Self.network(of: address), time.uptime)
    return window.withLock { window in
      if now >= window.end { window = Window(end: now + limit.seconds) }
      let made = window.addresses[address, default: 0]
      guard made < limit.perAddress, window.count < limit.overAll else {
        return max(1, Int((window.end - now).rounded(.up)))
      }
      window.addresses[address] = made + 1
      window.count += 1
      return nil
    }
  }

  /// Takes back the count of an attempt that succeeded.
  package func succeeded(_ address: String) {
    let address = Self.network(of: address)
    window.withLock { window in
      guard let made = window.addresses[address] else { return }
      window.addresses[address] = made > 1 ? made - 1 : nil
      window.count -= 1
    }
  }

  /// The network that belongs to one household: an IPv4 address, or an IPv6 address' /64.
  package static func network(of address: String) -> String {
    guard let known = IPAddress(address), known.family == .v6 else { return address }
    return Digest.hex(known.bytes.prefix(8))
  }
}
