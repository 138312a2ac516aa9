import HubWorld
import Testing
import Wire

/// A client of live queries over a real socket.
final class LivePeer {
  private let peer: JSONPeer

  init(_ port: Int, path: String = "/parse") { peer = JSONPeer(port: port, path: path) }

  func send(_ message: JSON) { peer.send(message) }

  func subscribe(_ id: Int, _ className: String, _ condition: JSON = [:], _ more: JSON.Member...) throws {
    let query: [JSON.Member] = [.init("className", .string(className)), .init("where", condition)]
    send(["op": "subscribe", "requestId": .int(id), "query": .object(query + more)])
    let answer = try next()
    try #require(answer["op"] == "subscribed" && answer["requestId"] == .int(id), "\(answer.text)")
  }

  /// The next message.
  func next() throws -> JSON { try #require(peer.next(), "the connection was closed, or nothing has come") }

  /// True once the hub has closed the connection, before another message.
  func hasEnded() -> Bool { peer.next() == nil }

  /// The object of the next message, which must be this event.
  @discardableResult
  func expect(_ event: String, _ id: Int = 1) throws -> JSON {
    let message = try next()
    try #require(message["op"] == .string(event) && message["requestId"] == .int(id), "\(message.text)")
    return message["object"] ?? nil
  }

  /// Fails if something has come: a wrong message is answered first.
  func expectNothing() throws {
    send(["op": "unsubscribe", "requestId": -1])
    let message = try next()
    try #require(message["op"] == "error" && message["requestId"] == -1, "\(message.text)")
  }
}
