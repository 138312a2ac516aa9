public import EventLoop
import Synchronization

/// An HTTP client: libcurl's multi interface on an event loop, so a slow server costs no thread.
///
/// `fetch` may be called from anywhere; the transfers run on the loop. A client that goes away ends its transfers.
/// Proxies of the environment (`http_proxy`) are not used: to the address policy, all would lie behind them.
public final class HTTPClient: Sendable {
  private let loop: EventLoop
  private let userAgent: String
  private let transfers: Transfers

  /// - Parameters:
  ///   - userAgent: names the program to the servers it asks, such as "Eightbells/0.1".
  ///   - addresses: where it may connect to.
  public init(loop: EventLoop, userAgent: String, addresses: AddressPolicy = .publicInternet()) {
    self.loop = loop
    self.userAgent = userAgent
    transfers = Transfers(loop: loop, userAgent: userAgent, addresses: addresses)
  }

  /// Another client for addresses that others may name, with connections of its own: one that this client has open
  /// would be used again, also behind a redirect, and no address be asked about.
  public func restricted(to addresses: AddressPolicy) -> HTTPClient {
    HTTPClient(loop: loop, userAgent: userAgent, addresses: addresses)
  }

  // Whoever lets go of the client last may be on any thread.
  deinit { close() }

  /// Ends what is under way, soon; what is asked afterwards fails.
  public func close() {
    loop.execute { [transfers] in transfers.close() }
  }

  /// Asks, follows redirects, and answers with whatever status came. Ends early when its task is cancelled.
  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let ticket = Ticket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.execute { [self] in transfers.start(request, ticket) { continuation.resume(returning: $0) } }
      }
    } onCancel: {
      ticket.isCancelled.store(true, ordering: .relaxed)
      // It may come before the start, which then sees the mark.
      loop.execute { [transfers] in transfers.cancel(ticket) }
    }
    return try result.get()
  }
}

/// Stands for one call of `fetch`.
final class Ticket: Sendable {
  let isCancelled = Atomic(false)
}
