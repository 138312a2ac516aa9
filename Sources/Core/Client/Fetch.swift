/// What to ask another server for.
public struct FetchRequest: Sendable {
  public var url: String
  public var method: String
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]
  /// Seconds for everything together, redirects included.
  public var timeout: Double
  /// Bytes of the body after decompression; more is an error.
  public var bodyLimit: Int

  public init(
    _ url: String, method: String = "GET", fields: [(name: String, value: String)] = [], body: [UInt8] = [],
    timeout: Double = ClientLimits.timeout, bodyLimit: Int = ClientLimits.bodyBytes
  ) {
    self.url = url
    self.method = method
    self.fields = fields
    self.body = body
    self.timeout = timeout
    self.bodyLimit = bodyLimit
  }
}

/// What another server answered, whatever its status.
public struct FetchResponse: Sendable {
  public var status: Int
  /// The fields of the last answer, after redirects.
  public var fields: [(name: String, value: String)]
  public var body: [UInt8]

  /// The last field of that name, without regard to case.
  public subscript(_ name: String) -> String? {
    fields.last { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// Why there is no answer.
public enum FetchError: Error, Equatable, Sendable {
  /// The address cannot be used: its text is wrong or its scheme is not http or https.
  case address(String)
  /// The server could not be reached or understood; libcurl's words may name its host.
  case transfer(Failure, words: String)
  case timeout(seconds: Double)
  case tooLarge(limit: Int)
  case tooManyFields

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
    case .transfer(_, let words): words
    default: publicExplanation
    }
  }

  /// What everyone may know: nothing of the address, which may itself be a secret.
  public var publicExplanation: String {
    switch self {
    case .address: "its address cannot be used"
    case .transfer(let failure, _): failure.rawValue
    case .timeout(let seconds): "no complete answer within \(Int(seconds)) s"
    case .tooLarge(let limit): "the answer is larger than \(limit / 1_000_000) MB"
    case .tooManyFields: "the answer's header is larger than \(ClientLimits.headerBytes >> 10) KB"
    }
  }
}

/// The limits of this module.
public enum ClientLimits {
  /// Seconds for a whole exchange.
  public static let timeout = 30.0
  /// Seconds until a connection stands.
  static let connectSeconds = 10.0
  public static let bodyBytes = 20_000_000
  /// Redirects followed, as browsers allow about 20; a calendar needs two or three.
  static let redirects = 5
  /// Bytes of all header fields of one answer.
  static let headerBytes = 256 << 10
  /// Connections kept open for later.
  static let connections = 16
}
