public import Lifecycle
import Wire

/// How often one caller may use the routes that name it, all of these together.
public struct RouteRate: Hashable, Sendable {
  public let name: String
  /// Of an address, as connections are counted: an IPv6 /64 is one. Behind it may be a whole club.
  public let strangers: Rate
  /// Of a person or a program that is signed in.
  public let known: Rate

  public init(_ name: String, strangers: Rate, known: Rate) {
    self.name = name
    self.strangers = strangers
    self.known = known
  }

  /// For what changes something, and for who wants to come in by a link, a code or a passkey: every POST, PUT, PATCH
  /// and DELETE that names no other.
  public static let writes = ServerLimits.writes
  /// For questions that are worked out for whoever asks, or whose address is a secret.
  public static let questions = ServerLimits.questions
}

/// Counts requests by who sends them. Its table is bounded; who asks too often is told when to come again.
public final class RequestRates: Sendable {
  /// Who asks: those who are signed in by what they are called here, everybody else by their address.
  enum Caller: Hashable {
    case known(String)
    case address(IPAddress)
    /// Without an address that can be read there is one for all.
    case nowhere
  }
  private struct Key: Hashable {
    var rate: String
    var caller: Caller
  }
  private let buckets: TokenBuckets<Key>
  private let identify: @Sendable (Request) async -> String?

  /// - Parameter identify: what a request's sender is called, if it is signed in: the same name each time.
  public init(time: any TimeSource, identify: @escaping @Sendable (Request) async -> String?) {
    buckets = TokenBuckets(most: ServerLimits.rateCallers, for: ServerLimits.rateSeconds, time: time)
    self.identify = identify
  }

  /// - Throws: 429 for a request too many.
  func admit(_ request: Request, _ rate: RouteRate) async throws(HTTPError) {
    let (caller, limit): (Caller, Rate)
    if let name = await identify(request) {
      (caller, limit) = (.known(name), rate.known)
    } else {
      let address = IPAddress(request.peer).map { Caller.address($0.subscriber) }
      (caller, limit) = (address ?? .nowhere, rate.strangers)
    }
    guard let seconds = buckets.take(Key(rate: rate.name, caller: caller), limit) else { return }
    throw .tooOften(seconds)
  }
}

extension HTTPError {
  /// - Parameter seconds: until one more is accepted.
  static func tooOften(_ seconds: Double) -> HTTPError {
    let wait = max(1, Int(seconds.rounded(.up)))
    return HTTPError(
      .tooOften, "Too many requests have come from you just now.",
      help: "Wait \(wait) s, then send it again; nothing was done. Who is signed in may ask more often.",
      fields: [Response.Field("Retry-After", "\(wait)")])
  }
}
