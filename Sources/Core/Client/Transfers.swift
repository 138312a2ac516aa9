import CCurl
import EventLoop
import Glibc
import Synchronization

/// All exchanges under way, and the timers and descriptors that libcurl needs for them. Confined to its loop.
final class Transfers: @unchecked Sendable {
  private let loop: EventLoop
  private let userAgent: String
  private let addresses: AddressPolicy
  private let multi: UnsafeMutableRawPointer
  private var transfers: [UnsafeMutableRawPointer: Transfer] = [:]
  private var sockets: [Int32: Socket] = [:]
  private var timer: LoopTimer?
  private var isClosed = false

  /// libcurl takes the letters of a host beyond ASCII for those of the process' locale, which is C without this.
  private static let readsUTF8 = setlocale(LC_CTYPE, "C.UTF-8") != nil
  static func readUTF8() { _ = readsUTF8 }

  init(loop: EventLoop, userAgent: String, addresses: AddressPolicy) {
    self.loop = loop
    self.userAgent = userAgent
    self.addresses = addresses
    Self.readUTF8()
    curl_global_init(Int(CURL_GLOBAL_DEFAULT))
    guard let multi = curl_multi_init() else { preconditionFailure("libcurl cannot start") }
    self.multi = multi
    let context = Unmanaged.passUnretained(self).toOpaque()
    ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, ClientLimits.connections)
    ccurl_multi_set_pointer(multi, CURLMOPT_SOCKETDATA, context)
    ccurl_multi_set_socket_function(multi) { _, descriptor, what, context, _ in
      Transfers.from(context).watch(descriptor, what)
      return 0
    }
    ccurl_multi_set_pointer(multi, CURLMOPT_TIMERDATA, context)
    ccurl_multi_set_timer_function(multi) { _, milliseconds, context in
      Transfers.from(context).wait(milliseconds)
      return 0
    }
  }

  deinit {
    guard !isClosed else { return }
    // The loop ended before it could close this: no descriptor is watched any more, and libcurl must not call back.
    ccurl_multi_set_socket_function(multi, nil)
    ccurl_multi_set_timer_function(multi, nil)
    for handle in transfers.keys { curl_multi_remove_handle(multi, handle) }
    curl_multi_cleanup(multi)
  }

  func start(
    _ request: FetchRequest, _ ticket: Ticket, _ done: @escaping (Result<FetchResponse, FetchError>) -> Void
  ) {
    guard !isClosed, !ticket.isCancelled.load(ordering: .relaxed) else { return done(.failure(.cancelled)) }
    let transfer = Transfer(request, ticket, userAgent: userAgent, addresses: addresses, done: done)
    do throws(FetchError) {
      try transfer.prepare()
    } catch {
      return done(.failure(error))
    }
    transfers[transfer.handle] = transfer
    curl_multi_add_handle(multi, transfer.handle)
  }

  func cancel(_ ticket: Ticket) {
    guard let transfer = transfers.values.first(where: { $0.ticket === ticket }) else { return }
    remove(transfer.handle)?.fail(.cancelled)
  }

  /// Ends all exchanges.
  func close() {
    loop.assertCurrent()
    guard !isClosed else { return }
    for handle in Array(transfers.keys) { remove(handle)?.fail(.cancelled) }
    isClosed = true
    // Closes the connections; for each, libcurl asks to end the watch over its descriptor.
    curl_multi_cleanup(multi)
    timer?.cancel()
    timer = nil
  }

  private func remove(_ handle: UnsafeMutableRawPointer) -> Transfer? {
    curl_multi_remove_handle(multi, handle)
    return transfers.removeValue(forKey: handle)
  }

  // MARK: libcurl's callbacks

  private final class Socket: Watcher {
    unowned let transfers: Transfers
    let descriptor: Int32
    init(_ transfers: Transfers, _ descriptor: Int32) {
      self.transfers = transfers
      self.descriptor = descriptor
    }
    func ready(_ readiness: Readiness) {
      var events: Int32 = 0
      if readiness.contains(.readable) { events |= CURL_CSELECT_IN }
      if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
      if !readiness.isDisjoint(with: .closed) { events |= CURL_CSELECT_IN }
      transfers.act(descriptor, events)
    }
  }

  private static func from(_ context: UnsafeMutableRawPointer?) -> Transfers {
    Unmanaged<Transfers>.fromOpaque(context!).takeUnretainedValue()
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
    guard !isClosed else { return }
    var running: Int32 = 0
    curl_multi_socket_action(multi, descriptor, events, &running)
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
      let code = ccurl_result(message)
      remove(handle)?.finish(code)
    }
  }
}
