public import Wire

/// The addresses that a client may connect to. A user who can make the server fetch an address must not reach what only
/// the server can reach: other programs on its machine, the router, a cloud's secrets at 169.254.169.254.
///
/// It is applied to the numeric address of each connection just before it is made, so redirects, DNS answers and
/// unusual spellings cannot get around it.
public enum AddressPolicy: Sendable {
  /// Every address; for a command, whose user types the address.
  case anywhere
  /// The public Internet, and the networks that the owner allows.
  case publicInternet(and: [AddressRange] = [])

  func allows(_ address: IPAddress) -> Bool {
    switch self {
    case .anywhere: true
    case .publicInternet(let ranges): address.isPublic || ranges.contains { $0.contains(address) }
    }
  }
}
