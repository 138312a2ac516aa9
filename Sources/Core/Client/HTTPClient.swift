public import EventLoop
import Synchronization

/// An HTTP client: libcurl's multi interface on an event loop, so a slow server costs no thread.
///
/// `fetch` may be called from any thread; the transfers run on the loop. Deallocating the client ends its transfers.
/// Proxies of the environment (`http_proxy`) are not used: the address policy would see the proxy's address only.
public final class HTTPClient: Sendable {
  private let loop: EventLoop
  private let userAgent: String
  private let transfers: Transfers

  /// - Parameters:
  ///   - userAgent: names the program to servers, such as "Eightbells/0.1".
  ///   - addresses: where it may connect to.
  public init(loop: EventLoop, userAgent: String, addresses: AddressPolicy = .publicInternet()) {
    self.loop = loop
    self.userAgent = userAgent
    transfers = Transfers(loop: loop, userAgent: userAgent, addresses: addresses)
  }

  /// A client with another policy and its own connections. With shared connections, one that is already open would be
  /// used again, also behind a redirect, without asking the policy about its address.
  /// - Parameter other: its loop, if not this one's: what it fetches then holds up nothing else.
  public func restricted(to addresses: AddressPolicy, on other: EventLoop? = nil) -> HTTPClient {
    HTTPClient(loop: other ?? loop, userAgent: userAgent, addresses: addresses)
  }

  // The last reference may be released on any thread.
  deinit { close() }

  /// Ends all transfers soon; later calls of `fetch` fail.
  public func close() {
    loop.execute { [transfers] in transfers.close() }
  }

  /// Sends the request, follows redirects, and returns the response whatever its status. Ends early when its task is
  /// cancelled.
  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let ticket = Ticket()
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        loop.execute { [self] in transfers.start(request, ticket) { continuation.resume(returning: $0) } }
      }
    } onCancel: {
      ticket.isCancelled.store(true, ordering: .relaxed)
      // The cancellation may come before the start, which then finds the ticket marked.
      loop.execute { [transfers] in transfers.cancel(ticket) }
    }
    return try result.get()
  }
}

/// The identity of one call of `fetch`.
final class Ticket: Sendable {
  let isCancelled = Atomic(false)
}
