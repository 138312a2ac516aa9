import Crypto
package import Lifecycle
import Synchronization
import Wire

/// Counts what failed, for each address and over all, and says when it is enough. An address of IPv6 counts with its
/// network (/64), which one household has for itself.
///
/// It is kept in memory: as many entries as failures are let in, and none while nothing fails.
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

  /// Counts an attempt before its outcome is known, so that many at once do not slip by.
  /// - Returns: seconds to wait for the next one, nil for one that may be made.
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

  /// An attempt that was counted did not fail.
  package func succeeded(_ address: String) {
    let address = Self.network(of: address)
    window.withLock { window in
      guard let made = window.addresses[address] else { return }
      window.addresses[address] = made > 1 ? made - 1 : nil
      window.count -= 1
    }
  }

  /// What one household has for itself: an address, of IPv6 its network.
  package static func network(of address: String) -> String {
    guard let known = IPAddress(address), known.family == .v6 else { return address }
    return Digest.hex(known.bytes.prefix(8))
  }
}
