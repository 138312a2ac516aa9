public import Lifecycle
import Wire

/// The rate at which one caller may use all routes that name it together.
public struct RouteRate: Hashable, Sendable {
  public let name: String
  /// For an address, as connections are counted: an IPv6 /64 is one. A whole club may share it.
  public let strangers: Rate
  /// For a signed-in person or program.
  public let known: Rate

  /// A burst that takes longer than `ServerLimits.rateSeconds` to come back traps, at the hub's start.
  public init(_ name: String, strangers: Rate, known: Rate) {
    for rate in [strangers, known] {
      precondition(rate.fillSeconds <= ServerLimits.rateSeconds, "\(name): a burst comes back too slowly")
    }
    self.name = name
    self.strangers = strangers
    self.known = known
  }

  /// For changes, and for signing in by a link, a code or a passkey: every POST, PUT, PATCH and DELETE route that names
  /// no other rate.
  public static let writes = ServerLimits.writes
  /// For answers that are computed for the caller, or whose address is a secret.
  public static let questions = ServerLimits.questions
}

/// Counts requests by their callers, in a bounded table; a caller above its rate is told when to come again.
public final class RequestRates: Sendable {
  /// A caller: the identity of one who is signed in, or else the address.
  enum Caller: Hashable {
    case known(String)
    case address(IPAddress)
    /// All callers without a readable address together.
    case nowhere
  }
  private struct Key: Hashable {
    var rate: String
    var caller: Caller
  }
  private let buckets: TokenBuckets<Key>
  private let isLimiting: Bool
  private let identify: @Sendable (Request) async -> String?

  /// - Parameters:
  ///   - isLimiting: false to tell only who is signed in.
  ///   - identify: returns a name for the sender of a request if signed in, the same each time.
  public init(
    time: any TimeSource, isLimiting: Bool = true, identify: @escaping @Sendable (Request) async -> String?
  ) {
    buckets = TokenBuckets(most: ServerLimits.rateCallers, for: ServerLimits.rateSeconds, time: time)
    self.isLimiting = isLimiting
    self.identify = identify
  }

  /// - Returns: true for a caller who is signed in.
  /// - Throws: 429 if the rate is exceeded.
  func admit(_ request: Request, _ rate: RouteRate) async throws(HTTPError) -> Bool {
    let (caller, limit): (Caller, Rate)
    if let name = await identify(request) {
      (caller, limit) = (.known(name), rate.known)
    } else {
      let address = peerAddress(request.peer).map { Caller.address($0.subscriber) }
      (caller, limit) = (address ?? .nowhere, rate.strangers)
    }
    if isLimiting, let seconds = buckets.take(Key(rate: rate.name, caller: caller), limit) {
      throw .tooOften(seconds, signingInHelps: limit != rate.known)
    }
    if case .known = caller { return true }
    return false
  }
}

extension HTTPError {
  /// - Parameter seconds: the time until the next request is accepted.
  static func tooOften(_ seconds: Double, signingInHelps: Bool) -> HTTPError {
    let wait = max(1, Int(seconds.rounded(.up)))
    return HTTPError(
      .tooOften, "Too many requests have come from you just now.",
      help: "Wait \(wait) s, then send it again; nothing was done."
        + (signingInHelps ? " Who is signed in may ask more often." : ""),
      fields: [Response.Field("Retry-After", "\(wait)")])
  }
}
