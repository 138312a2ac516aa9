public import Wire

/// Why there is no answer.
public enum FetchError: Error, Equatable, Sendable {
  /// The address cannot be used: its text is wrong or its scheme is not http or https.
  case address(String)
  /// The request's method or a field's name or value would not stay what it is on the wire.
  case malformed(String)
  /// The address leads, at once or after a redirect, to where the client's `AddressPolicy` does not let it go.
  case refusedAddress(IPAddress)
  /// The server could not be reached or understood; libcurl's words may name its host.
  case transfer(Failure, words: String)
  /// The whole took too long.
  case timeout(seconds: Double)
  /// For so long, hardly a byte has come.
  case stalled(seconds: Double)
  case tooLarge(limit: Int)
  case tooManyFields
  /// The task that asked was cancelled, or the client is gone.
  case cancelled

  public enum Failure: String, Sendable {
    case unknownHost = "its host name is not known"
    case unreachable = "the server cannot be reached"
    case insecure = "no secure connection to the server comes about"
    case redirects = "the server sends on and on to other addresses"
    case broken = "the server's answer breaks off or cannot be understood"
  }

  /// Everything that is known, for whoever may know the address.
  public var explanation: String {
    switch self {
    case .address(let message): "the address cannot be used: \(message)"
    case .malformed(let message): message
    case .refusedAddress(let address):
      "\(address) is no address of the public Internet; the setting reachable_networks allows others, "
        + "such as reachable_networks = \(address)"
    case .transfer(_, let words): words
    default: publicExplanation
    }
  }

  /// What everyone may know: nothing of the address, which may itself be a secret.
  public var publicExplanation: String {
    switch self {
    case .address: "its address cannot be used"
    case .malformed: "it cannot be asked for in this way"
    case .refusedAddress: "it is not on the public Internet, and the setting reachable_networks does not allow it"
    case .transfer(let failure, _): failure.rawValue
    case .timeout(let seconds): "no complete answer within \(Int(seconds)) s"
    case .stalled(let seconds): "for \(Int(seconds)) s, hardly a byte has come"
    case .tooLarge(let limit): "the answer is larger than \(limit / 1_000_000) MB"
    case .tooManyFields: "the answer's header is larger than \(ClientLimits.headerBytes >> 10) KB"
    case .cancelled: "the transfer was cancelled"
    }
  }
}
