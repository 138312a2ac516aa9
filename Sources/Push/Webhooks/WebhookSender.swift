public import Client
package import Delivery
public import Lifecycle
import Wire

/// Posts notifications to webhooks, each attempt signed anew.
///
/// The client's `AddressPolicy` decides what may be connected to, at each connection: a name may stand for another
/// address than it did when the webhook was made.
public final class WebhookSender: Sendable {
  private let client: HTTPClient
  private let time: any TimeSource
  private let timeout: Double
  private let isGerman: Bool

  /// - Parameters:
  ///   - timeout: seconds for one request.
  ///   - isGerman: true for the hub's own words in German.
  public init(
    client: HTTPClient, time: any TimeSource, timeout: Double = WebhookLimits.sendSeconds, isGerman: Bool = false
  ) {
    self.client = client
    self.time = time
    self.isGerman = isGerman
    self.timeout = timeout
  }

  /// Sends one message, once.
  /// - Throws: when the task is cancelled; the receiver may have got the message.
  package func send(_ message: Outgoing, to webhook: Webhook) async throws(CancellationError) -> Outcome {
    let (id, timestamp) = (WebhookMessage.id(message), Int(time.now))
    let body = WebhookMessage.body(message, to: webhook.url, isGerman: isGerman).bytes
    var request = FetchRequest(
      webhook.url, method: "POST",
      fields: [
        ("Content-Type", "application/json"), ("webhook-id", id), ("webhook-timestamp", "\(timestamp)"),
        ("webhook-signature", webhook.secret.signature(id: id, timestamp: timestamp, body: body)),
      ],
      body: body, timeout: timeout, bodyLimit: WebhookLimits.answerBytes,
      // The notification is for this server alone.
      redirects: 0)
    request.countsStatusAlone = true
    do throws(FetchError) {
      let response = try await client.fetch(request)
      return Outcome(status: response.status, retryAfter: response["retry-after"], now: time.now)
    } catch {
      if error == .cancelled { throw CancellationError() }
      return Outcome(error, of: webhook.url)
    }
  }
}

extension Outcome {
  /// The outcome by a webhook's answer: 2xx is taken, 410 ends the webhook, and everything else is tried again.
  package init(status: Int, retryAfter: String?, now: Double) {
    switch status {
    case 200..<300: self = .sent()
    case 410: self = .gone(.webhookGone)
    default:
      let seconds = retryAfter.flatMap {
        RetryAfter.seconds($0, now: now, longest: WebhookLimits.retryAfterSeconds)
      }
      self = .retry(after: seconds, .webhookAnswer, detail: "\(status)")
    }
  }

  fileprivate init(_ error: FetchError, of url: String) {
    guard case .refusedAddress = error else {
      // The address itself is a secret of the owner's.
      self = .retry(.webhookUnreachable, detail: error.publicExplanation.text)
      return
    }
    // A name may lead elsewhere later: a router without a line to the Internet may answer with an address of its own.
    self = TargetAddress.hasNumericHost(url) ? .failed(.targetRefused) : .retry(.targetRefused)
  }
}
