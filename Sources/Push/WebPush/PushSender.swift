public import Client
public import Lifecycle

/// Sends messages to push services (RFC 8030).
///
/// The client's `AddressPolicy` decides what may be connected to, at each connection: endpoints are chosen by clients.
public final class PushSender: Sendable {
  private let client: HTTPClient
  private let tokens: ServerTokens
  private let time: any TimeSource
  private let timeout: Double

  /// - Parameter timeout: seconds for one message.
  public init(
    client: HTTPClient, tokens: ServerTokens, time: any TimeSource, timeout: Double = WebPushLimits.sendSeconds
  ) {
    self.client = client
    self.tokens = tokens
    self.time = time
    self.timeout = timeout
  }

  /// Sends one message, once.
  /// - Throws: when the task is cancelled; the push service may have got the message.
  public func send(
    _ message: PushMessage, to subscription: PushSubscription
  ) async throws(CancellationError) -> PushOutcome {
    guard message.payload.count <= WebPushLimits.plaintextBytes else { return .failed(.tooLarge) }
    guard let timeToLive = message.timeToLive(now: time.now) else { return .failed(.expired) }
    let origin = subscription.endpoint.origin
    var fields = [
      ("TTL", "\(timeToLive)"), ("Urgency", message.urgency.rawValue), ("Content-Encoding", "aes128gcm"),
      ("Content-Type", "application/octet-stream"), ("Authorization", tokens.authorization(for: origin)),
    ]
    if let topic = message.topic { fields.append(("Topic", topic)) }
    var request = FetchRequest(
      subscription.endpoint.url, method: "POST", fields: fields,
      body: PushEncryption.encrypt(message.payload, for: subscription), timeout: timeout,
      bodyLimit: WebPushLimits.answerBytes,
      // The token is for this origin alone, and another address would be one that nobody has checked.
      redirects: 0)
    request.countsStatusAlone = true
    do throws(FetchError) {
      let response = try await client.fetch(request)
      if [401, 403].contains(response.status) { tokens.forget(origin) }
      return PushOutcome(status: response.status, retryAfter: response["retry-after"], now: time.now)
    } catch {
      if error == .cancelled { throw CancellationError() }
      if case .refusedAddress = error, !TargetAddress.hasNumericHost(subscription.endpoint.url) { return .ledInside }
      return PushOutcome(error)
    }
  }
}
