import HubWorld
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
  private let peer: JSONPeer

  init(_ port: Int, _ className: String, applicationID: String, key: String) throws {
    peer = JSONPeer(port: port, path: "/parse")
    peer.send(["op": "connect", "applicationId": .string(applicationID), "restAPIKey": .string(key)])
    try #require(peer.next()?["op"] == "connected")
    peer.send(["op": "subscribe", "requestId": 1, "query": ["className": .string(className), "where": [:]]])
    try #require(peer.next()?["op"] == "subscribed")
  }

  /// A sign of life: nobody here answers when the hub pings those that are silent.
  func live() { peer.ping() }

  /// The number of the object that was made next.
  func hear() throws -> Int? {
    let message = try #require(peer.next(), "the connection was closed, or nothing has come")
    return message["op"] == "create" ? message["object"]?["number"]?.int : nil
  }
}
