import Realtime
import Testing
import Wire
import World

/// A client of the Pusher protocol over a real socket.
final class PusherPeer {
  private let peer: Peer
  private var parser = WebSocketParser(from: .server)
  private var unparsed: [UInt8] = []
  private var waiting: [JSON] = []
  private var isOpen = false
  private var isGone = false
  /// The code with which the hub has closed.
  private(set) var closed: Int?
  private(set) var socketID = ""
  let app: RealtimeApp
  private let answersPings: Bool

  /// The limit of each wait, in seconds: generous, since nothing else is waited for.
  private static let seconds = 30.0

  /// - Parameters:
  ///   - agent: names the program, by which it is recognised when it comes back.
  ///   - isWelcome: false for one that is sent away.
  init(
    _ port: Int, _ app: RealtimeApp, agent: String = "test", isWelcome: Bool = true, answersPings: Bool = true
  ) throws {
    peer = Peer(port: port)
    self.app = app
    self.answersPings = answersPings
    peer.send(
      """
      GET /app/\(app.key)?protocol=7 HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r
      Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nUser-Agent: \(agent)\r\n\r\n
      """)
    if isWelcome {
      let data = try expect("pusher:connection_established")
      socketID = try #require(data["socket_id"]?.string)
    }
  }

  // MARK: Sending

  func send(_ message: JSON) { peer.push(WebSocketFrame.masked(.text, message.bytes, mask: 0)) }
  func send(text: String) { peer.push(WebSocketFrame.masked(.text, Array(text.utf8), mask: 0)) }

  func sign(_ text: String) -> String { AppSignature.make(text, key: app.key, secret: app.secrets[0]) }

  /// Subscribes, with a signature where the channel needs one.
  /// - Returns: the data of the hub's answer.
  @discardableResult
  func subscribe(_ channel: String, _ member: String? = nil, since: Int? = nil) throws -> JSON {
    ask(channel, member, since: since)
    return try expect("pusher_internal:subscription_succeeded")
  }

  /// - Parameter session: that of a user, for whom the hub itself has signed.
  func ask(_ channel: String, _ member: String? = nil, since: Int? = nil, session: String? = nil) {
    var data: [JSON.Member] = [.init("channel", .string(channel))]
    let suffix = member.map { ":\($0)" } ?? ""
    let auth = session.map { session in
      AppSignature.make(
        for: session, socketID: socketID, channel: channel, channelData: member, key: app.key, secret: app.secrets[0])
    }
    data.append(.init("auth", .string(auth ?? sign("\(socketID):\(channel)\(suffix)"))))
    if let member { data.append(.init("channel_data", .string(member))) }
    if let since { data.append(.init("since", .int(since))) }
    send(["event": "pusher:subscribe", "data": .object(data)])
  }

  func signIn(_ userData: String) throws {
    let auth = sign(AppSignature.text(socketID, userData: userData))
    send(["event": "pusher:signin", "data": ["auth": .string(auth), "user_data": .string(userData)]])
    _ = try expect("pusher:signin_success")
  }

  /// Closes the sending side, as a program does that ends, and reads what still comes.
  func leave() {
    peer.finish()
    while !isGone { read() }
  }

  /// Closes with a reset, as a machine does that has forgotten the connection.
  func vanish() { peer.vanish() }

  // MARK: Receiving

  /// The next message; its data is decoded.
  func next() throws -> JSON {
    while waiting.isEmpty, !isGone { read() }
    try #require(!waiting.isEmpty, "the connection was closed, or nothing has come")
    return waiting.removeFirst()
  }

  /// The data of the next message, which must be this event.
  @discardableResult
  func expect(_ event: String) throws -> JSON {
    let message = try next()
    try #require(message["event"]?.string == event, "\(message.text)")
    return message["data"] ?? nil
  }

  /// Fails if something has come: a ping is answered first.
  func expectNothing() throws {
    send(["event": "pusher:ping", "data": [:]])
    try expect("pusher:pong")
  }

  /// Waits for the hub to close.
  func closing() -> Int? {
    while !isGone { read() }
    return closed
  }

  private func read() {
    peer.wait(atMost: Self.seconds)
    let (bytes, isClosed) = peer.receivedBytes()
    if bytes.isEmpty { isGone = true }
    unparsed += bytes
    if !isOpen {
      let end = Array("\r\n\r\n".utf8)
      guard let range = unparsed.firstRange(of: end) else { return }
      isOpen = true
      unparsed.removeSubrange(..<range.upperBound)
    }
    let input = unparsed
    unparsed = []
    input.withUnsafeBufferPointer { buffer in
      var position = 0
      while let message = try? parser.next(buffer, &position) { take(message) }
    }
    if isClosed { isGone = true }
  }

  private func take(_ message: WebSocketParser.Message) {
    switch message {
    case .text(let text):
      guard case .object(var members)? = try? JSON(parsing: text) else { return }
      for index in members.indices where members[index].name == "data" {
        if let text = members[index].value.string, let data = try? JSON(parsing: text) { members[index].value = data }
      }
      waiting.append(.object(members))
    case .close(let code, _): closed = Int(code.rawValue)
    case .ping(let payload): if answersPings { peer.push(WebSocketFrame.masked(.pong, payload, mask: 0)) }
    default: break
    }
  }
}
