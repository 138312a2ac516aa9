/// The times of leases, in seconds.
package enum LeaseTimes {
  /// For so long a lease is given: after it another hub takes over from one that has died.
  package static let seconds = 4.0
  package static let renewSeconds = 1.0
  /// A holder that could not renew stops so long before the lease ends.
  package static let margin = 1.0
  /// Between two looks whether a lease has ended without an answer of the server.
  package static let watchSeconds = 0.25

  /// The uptime until which work may go on whose lease was asked for at an uptime: the server has given it later.
  package static func end(asked: Double) -> Double { asked + seconds - margin }
}

/// A lease as the database has it.
package struct KeptLease: Equatable, Sendable {
  package var hub: String
  package var token: Int
  /// Seconds since 1970 by the server's clock; 0 once it was given back.
  package var until: Double

  package init(hub: String, token: Int, until: Double) { (self.hub, self.token, self.until) = (hub, token, until) }

  /// The lease after a hub has asked for it; nil while another one has it.
  package func asked(by asker: String, now: Double, for seconds: Double) -> KeptLease? {
    let isOwn = until > 0 && hub == asker
    guard isOwn || until < now else { return nil }
    return KeptLease(hub: asker, token: isOwn ? token : token + 1, until: now + seconds)
  }
}
