import EventLoop
import TCPClient
import WebSocketClient
import Wire

/// Small requests to the hub's API with the device's secret, one after the other, each on a connection of its own
/// (HTTP/1.0, so that the answer comes in one piece). Confined to its loop.
final class HubRequests {
  enum Answer {
    case answered(status: Int, body: [UInt8])
    /// With the reason as the end of a sentence.
    case failed(String)
  }

  private struct Request {
    var bytes: [UInt8]
    var done: (Answer) -> Void
  }

  private let loop: EventLoop
  private let connector: WebSocketConnector
  private let home: AgentOptions.Home?
  private var waiting: [Request] = []
  private var current: Request?
  private var socket: ClientConnection?
  private var received: [UInt8] = []
  private var timer: LoopTimer?

  /// - Parameter home: nil for an agent without a hub, whose requests fail.
  init(_ connector: WebSocketConnector, _ home: AgentOptions.Home?, loop: EventLoop) {
    (self.loop, self.connector, self.home) = (loop, connector, home)
  }

  /// The path before the API's, of a hub that is below another server's path; the gateway is beside the API.
  private func base(_ address: WebSocketAddress) -> String {
    address.target.hasSuffix("/gateway") ? String(address.target.dropLast(8)) : ""
  }

  /// - Parameters:
  ///   - path: begins with a slash.
  ///   - json: nil for a GET, else the body of a POST.
  ///   - at: seconds since 1970 by the clock of what is told, as the request's date; nil for none.
  ///   - done: called once, unless `close` is called first.
  func send(_ path: String, json: JSON? = nil, at: Double? = nil, _ done: @escaping (Answer) -> Void) {
    guard let home else { return done(.failed("there is no hub")) }
    guard waiting.count < ClockLimits.requests else { return done(.failed("too many requests wait")) }
    let body = json?.bytes ?? []
    let address = home.address
    var head = "\(json == nil ? "GET" : "POST") \(base(address))\(path) HTTP/1.0\r\nHost: \(address.hostField)\r\n"
    head += "Authorization: Bearer \(home.secret)\r\nUser-Agent: \(connector.userAgent)\r\nConnection: close\r\n"
    if json != nil { head += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    if let at { head += "Date: \(ResponseHead.date(Int(at)))\r\n" }
    waiting.append(Request(bytes: Array(head.utf8) + [13, 10] + body, done: done))
    next()
  }

  func close() {
    waiting = []
    current = nil
    finish()
  }

  private func next() {
    guard current == nil, !waiting.isEmpty, let address = home?.address else { return }
    let request = waiting.removeFirst()
    current = request
    received = []
    let socket = ClientConnection(
      loop: loop, names: connector.names, host: address.host, port: address.port,
      trust: address.isSecure ? connector.trust : nil)
    self.socket = socket
    watchForSilence()
    socket.open { [weak self, weak socket] event in
      guard let self, let socket, self.socket === socket else { return }
      switch event {
      case .opened: socket.write(request.bytes)
      case .bytes(let bytes): take(bytes)
      case .drained: break
      case .failed(let reason): end(HubAnswer(received, isWhole: true).map(Self.answer) ?? .failed(reason))
      }
    }
  }

  /// A long answer takes its time on a slow line.
  private func watchForSilence() {
    timer?.cancel()
    timer = loop.schedule(after: ClockLimits.requestSeconds) { [weak self] in
      self?.end(.failed("it said nothing for \(Int(ClockLimits.requestSeconds)) s"))
    }
  }

  private func take(_ bytes: UnsafeBufferPointer<UInt8>) {
    watchForSilence()
    received += bytes
    if let whole = HubAnswer(received, isWhole: false) { return end(Self.answer(whole)) }
    if received.count > ClockLimits.answerBytes {
      end(.failed("its answer has more than \(ClockLimits.answerBytes >> 10) KB"))
    }
  }

  private static func answer(_ answer: HubAnswer) -> Answer { .answered(status: answer.status, body: answer.body) }

  private func end(_ answer: Answer) {
    guard let done = current?.done else { return }
    finish()
    current = nil
    // Called last, since it may send another one.
    done(answer)
    next()
  }

  private func finish() {
    timer?.cancel()
    socket?.close()
    socket = nil
    received = []
  }
}

/// An answer in HTTP/1.0: a status, and a body to the end of the connection, or of the length that it names.
package struct HubAnswer: Equatable, Sendable {
  package var status: Int
  package var body: [UInt8]

  /// Nil while it is not complete.
  /// - Parameter isWhole: true if the connection has ended.
  package init?(_ received: [UInt8], isWhole: Bool) {
    guard let end = received.firstEnd else { return nil }
    let lines = String(decoding: received[..<end], as: UTF8.self).split(separator: "\r\n")
    let words = lines.first?.split(separator: " ") ?? []
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]), (200...599).contains(status)
    else { return nil }
    var length: Int?
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
      length = Int(parts[1].drop { $0 == " " })
    }
    let body = received[end...]
    if let length {
      guard length >= 0, body.count >= length else { return nil }
      self.body = Array(body.prefix(length))
    } else {
      guard isWhole else { return nil }
      self.body = Array(body)
    }
    self.status = status
  }
}

extension HubAnswer {
  private static let refusals = [400, 404, 405, 410, 413, 422]

  /// True of a hub that has not what is reported to, or does not take the report: sent again, it would never go. A
  /// proxy that stands before a hub while that starts answers 404 too, but without a hub's code.
  package static func isRefusal(_ status: Int, _ body: [UInt8]) -> Bool {
    refusals.contains(status) && (try? JSON(parsing: body))?["code"]?.int != nil
  }
}

extension [UInt8] {
  /// The index after the empty line that ends a head.
  fileprivate var firstEnd: Int? {
    guard count >= 4 else { return nil }
    return (4...count).first { self[$0 - 4] == 13 && self[$0 - 3] == 10 && self[$0 - 2] == 13 && self[$0 - 1] == 10 }
  }
}
