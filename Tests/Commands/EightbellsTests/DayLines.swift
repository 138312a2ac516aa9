import Testing
import Wire
import World

/// What comes to the day's hub over real sockets: one request on a connection of its own.
struct DayExchange {
  let status: Int
  /// The header, in which fields are looked up.
  let head: String
  let body: [UInt8]

  /// The limit of each wait, in seconds of real time.
  static let seconds = 30.0

  init(
    _ port: Int, _ method: String, _ path: String, token: String, _ fields: [String] = [], _ body: [UInt8] = []
  ) throws {
    let peer = Peer(port: port)
    let lines =
      [
        "\(method) \(path) HTTP/1.1", "Host: hub", "Connection: close", "Authorization: Bearer \(token)",
        "Content-Length: \(body.count)",
      ] + fields
    peer.push(Array("\(lines.joined(separator: "\r\n"))\r\n\r\n".utf8) + body)
    var (bytes, isOver): ([UInt8], Bool) = ([], false)
    while !isOver {
      peer.wait(atMost: Self.seconds)
      let (more, isClosed) = peer.receivedBytes()
      bytes += more
      isOver = isClosed || more.isEmpty
    }
    let end = try #require(bytes.firstRange(of: Array("\r\n\r\n".utf8)), "no answer")
    head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
    status = Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    self.body = Array(bytes[end.upperBound...])
  }

  /// The value of a field; nil if there is none.
  subscript(name: String) -> String? {
    head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("\(name.lowercased()): ") }
      .map { String($0.dropFirst(name.count + 2)) }
  }
}

/// A live query on an app's objects: it hears of each new one, in their order.
final class DayListener {
  private let peer: Peer
  private var parser = WebSocketParser(from: .server)
  private var unparsed: [UInt8] = []
  private var waiting: [JSON] = []
  private var isOpen = false

  init(_ port: Int, _ className: String, applicationID: String, key: String) throws {
    peer = Peer(port: port)
    peer.send(
      """
      GET /parse HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n
      """)
    send(["op": "connect", "applicationId": .string(applicationID), "restAPIKey": .string(key)])
    try #require(try next()["op"] == "connected")
    send(["op": "subscribe", "requestId": 1, "query": ["className": .string(className), "where": [:]]])
    try #require(try next()["op"] == "subscribed")
  }

  private func send(_ message: JSON) { peer.push(WebSocketFrame.masked(.text, message.bytes, mask: 0)) }

  /// The number of the object that was made next.
  func hear() throws -> Int? {
    let message = try next()
    // A sign of life, as the hub pings those that are silent for two minutes.
    peer.push(WebSocketFrame.masked(.ping, [], mask: 0))
    return message["op"] == "create" ? message["object"]?["number"]?.int : nil
  }

  private func next() throws -> JSON {
    while waiting.isEmpty {
      peer.wait(atMost: DayExchange.seconds)
      let (bytes, _) = peer.receivedBytes()
      try #require(!bytes.isEmpty, "the connection was closed, or nothing has come")
      take(bytes)
    }
    return waiting.removeFirst()
  }

  private func take(_ bytes: [UInt8]) {
    unparsed += bytes
    if !isOpen {
      guard let end = unparsed.firstRange(of: Array("\r\n\r\n".utf8)) else { return }
      isOpen = true
      unparsed.removeSubrange(..<end.upperBound)
    }
    let input = unparsed
    unparsed = []
    input.withUnsafeBufferPointer { buffer in
      var position = 0
      while let message = try? parser.next(buffer, &position) {
        if case .text(let text) = message, let json = try? JSON(parsing: text) { waiting.append(json) }
      }
    }
  }
}
