public import Wire

/// Where a client may connect to. Whoever may name an address to a server of ours must not reach through it what only
/// the server can reach: other programs on its machine, the router, a cloud's secrets at 169.254.169.254.
///
/// It is asked about the numeric address of each connection just before it is made, so neither redirects nor DNS nor
/// another spelling lead around it.
public enum AddressPolicy: Sendable {
  /// For whoever types the address: a command.
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
