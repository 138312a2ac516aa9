public import Wire

/// The reason why a fetch has no response.
public enum FetchError: Error, Equatable, Sendable {
  /// The address cannot be used: its text is wrong or its scheme is not http or https.
  case address(String)
  /// The request's method, or a field's name or value, has characters that are not allowed there.
  case malformed(String)
  /// The address, or one that it redirects to, is not allowed by the client's `AddressPolicy`.
  case refusedAddress(IPAddress)
  /// The server could not be reached or understood; libcurl's message in `words` may name its host.
  case transfer(Failure, words: String)
  /// The whole exchange took too long.
  case timeout(seconds: Double)
  /// Hardly any bytes came for so many seconds.
  case stalled(seconds: Double)
  case tooLarge(limit: Int)
  case tooManyFields
  /// The task was cancelled, or the client was closed.
  case cancelled

  public enum Failure: Sendable {
    case unknownHost, unreachable, insecure, redirects, broken
  }

  /// The full explanation, for people who may know the address.
  public var explanation: Reason {
    if let words { return Reason(.inOthersWords, ["reason": .reason(publicExplanation), "words": .text(words)]) }
    if case .refusedAddress(let address) = self { return Reason(.addressRefused, ["address": .text("\(address)")]) }
    return publicExplanation
  }

  /// libcurl's message or the faulty input; it may name the address.
  public var words: String? {
    switch self {
    case .address(let words), .malformed(let words), .transfer(_, let words): words
    default: nil
    }
  }

  /// The explanation for everyone: without the address, which may itself be a secret.
  public var publicExplanation: Reason {
    switch self {
    case .address: Reason(.addressUnusable)
    case .malformed: Reason(.questionUnusable)
    case .refusedAddress: Reason(.notPublic)
    case .transfer(.unknownHost, _): Reason(.unknownHost)
    case .transfer(.unreachable, _): Reason(.unreachable)
    case .transfer(.insecure, _): Reason(.insecure)
    case .transfer(.redirects, _): Reason(.redirects)
    case .transfer(.broken, _): Reason(.answerBroken)
    case .timeout(let seconds): Reason(.answerLate, ["seconds": .number(Int(seconds))])
    case .stalled(let seconds): Reason(.answerStalled, ["seconds": .number(Int(seconds))])
    case .tooLarge(let limit) where limit < 1_000_000:
      Reason(.answerTooLong, ["kilobytes": .number((limit + 1023) >> 10)])
    case .tooLarge(let limit): Reason(.answerTooLarge, ["megabytes": .number(limit / 1_000_000)])
    case .tooManyFields: Reason(.headerTooLarge, ["kilobytes": .number(ClientLimits.headerBytes >> 10)])
    case .cancelled: Reason(.transferCancelled)
    }
  }
}

extension Reason.Kind {
  /// For callers that do not accept this status: the server is there, but answered something else than was requested.
  public static let serverAnswered = Self("server-answered", "the server answered {status}")
  static let addressUnusable = Self("address-unusable", "its address cannot be used")
  static let questionUnusable = Self("question-unusable", "it cannot be asked for in this way")
  static let notPublic = Self(
    "not-public",
    "it is not on the public Internet; elsewhere the hub looks only where reachable_networks allows it, and only for "
      + "what the owner has entered")
  static let addressRefused = Self(
    "address-refused",
    "{address} is no address of the public Internet; the setting reachable_networks allows others, such as "
      + "reachable_networks = {address}")
  static let unknownHost = Self("unknown-host", "its host name is not known")
  static let unreachable = Self("unreachable", "the server cannot be reached")
  static let insecure = Self("insecure", "no secure connection to the server comes about")
  static let redirects = Self("redirects", "the server sends on and on to other addresses")
  static let answerBroken = Self("answer-broken", "the server's answer breaks off or cannot be understood")
  static let answerLate = Self("answer-late", "no complete answer within {seconds} s")
  static let answerStalled = Self("answer-stalled", "for {seconds} s, hardly a byte has come")
  static let answerTooLarge = Self("answer-too-large", "the answer is larger than {megabytes} MB")
  static let answerTooLong = Self("answer-too-long", "the answer is larger than {kilobytes} KB")
  static let headerTooLarge = Self("header-too-large", "the answer's header is larger than {kilobytes} KB")
  static let transferCancelled = Self("transfer-cancelled", "the transfer was cancelled")
}
