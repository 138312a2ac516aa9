import CCurl
public import EventLoop

/// An HTTP client: libcurl's multi interface on an event loop, so a slow server costs no thread.
///
/// `fetch` may be called from anywhere; the transfers run on the loop.
public final class HTTPClient: @unchecked Sendable {
  private let loop: EventLoop
  private let userAgent: String
  private let multi: UnsafeMutableRawPointer
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var sockets: [Int32: Socket] = [:]
  private var timer: LoopTimer?

  /// - Parameter userAgent: names the program to the servers it asks, such as "Eightbells/0.1".
  public init(loop: EventLoop, userAgent: String) {
    self.loop = loop
    self.userAgent = userAgent
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl cannot start") }
    self.multi = multi
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, ClientLimits.connections)
    ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
    ccurl_multi_set_socket_function(multi) { _, descriptor, what, context, _ in
      HTTPClient.from(context).watch(descriptor, what)
      return 0
    }
    ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    ccurl_multi_set_timer_function(multi) { _, milliseconds, context in
      HTTPClient.from(context).wait(milliseconds)
      return 0
    }
  }

  deinit { curl_multi_cleanup(multi) }

  /// Asks, follows redirects, and answers with whatever status came.
  public func fetch(_ request: FetchRequest) async throws(FetchError) -> FetchResponse {
    let result = await withCheckedContinuation { continuation in
      loop.execute { [self] in start(request) { continuation.resume(returning: $0) } }
    }
    return try result.get()
  }

  private func start(_ request: FetchRequest, _ done: @escaping (Result<FetchResponse, FetchError>) -> Void) {
    let transfer = Transfer(request, userAgent: userAgent, done: done)
    do throws(FetchError) {
      try transfer.prepare()
    } catch {
      return done(.failure(error))
    }
    transfers[transfer.handle] = transfer
    curl_multi_add_handle(multi, transfer.handle)
  }

  // MARK: What libcurl asks of the loop

  private final class Socket: Watcher {
    unowned let client: HTTPClient
    let descriptor: Int32
    init(_ client: HTTPClient, _ descriptor: Int32) {
      self.client = client
      self.descriptor = descriptor
    }
    func ready(_ readiness: Readiness) {
      var events: Int32 = 0
      if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
      if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
      if !readiness.isDisjoint(with: .closed) { events |= CURL_CSELECT_IN }
      client.act(descriptor, events)
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> HTTPClient {
    Unmanaged<HTTPClient>.fromOpaque(context!).takeUnretainedValue()
  }

  private func watch(_ descriptor: Int32, _ what: Int32) {
    if what == CURL_POLL_REMOVE {
      if sockets.removeValue(forKey: descriptor) != nil { loop.unwatch(descriptor) }
      return
    }
    let interest: Readiness =
      switch what {
      case CURL_POLL_IN: .readable
      case CURL_POLL_OUT: .writable
      default: [.readable, .writable]
      }
    if sockets[descriptor] != nil {
      loop.change(descriptor, to: interest, edge: false)
    } else {
      let socket = Socket(self, descriptor)
      sockets[descriptor] = socket
      loop.watch(descriptor, for: interest, edge: false, socket)
    }
  }

  private func wait(_ milliseconds: Int) {
    timer?.cancel()
    timer = nil
    guard milliseconds >= 0 else { return }
    timer = loop.schedule(after: Double(milliseconds) / 1000) { [weak self] in
      self?.act(ccurl_socket_timeout(), 0)
    }
  }

  private func act(_ descriptor: Int32, _ events: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(multi, descriptor, events, &running)
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let code = ccurl_result(message)
      curl_multi_remove_handle(multi, handle)
      transfers.removeValue(forKey: handle)?.finish(code)
    }
  }
}
