/// One listening WebSocket: it requests the upgrade, subscribes where that is needed, and then counts.
struct Listener {
  let descriptor: Int32
  /// The Pusher channel to subscribe to; nil where the address is sufficient.
  let channel: String?
  /// True once everything published will be counted.
  private(set) var isReady = false
  private(set) var counter = FrameCounter()

  private var headBytes = 0
  private var isUpgraded = false
  private var isSubscribing = false
  /// The number of bytes of CR LF CR LF matched so far.
  private var endBytes = 0
  private static let end: [UInt8] = [13, 10, 13, 10]

  init(port: UInt16, path: String, channel: String?) {
    descriptor = connected(to: port)
    self.channel = channel
    let head = [
      "GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Upgrade: websocket", "Connection: Upgrade",
      "Sec-WebSocket-Key: ZWlnaHQgYmVsbHMgcmluZw==", "Sec-WebSocket-Version: 13", "", "",
    ]
    send(Array(head.joined(separator: "\r\n").utf8), to: descriptor)
  }

  /// The number of messages that these bytes completed; those before it was ready do not count.
  mutating func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    var rest = bytes[...]
    while !isUpgraded, let byte = rest.popFirst() { takeHead(byte) }
    guard isUpgraded else { return 0 }
    let before = counter.messages
    counter.take(UnsafeRawBufferPointer(rebasing: rest))
    guard !counter.isClosed else { stop("the server closed a WebSocket") }
    if isReady { return counter.messages - before }
    prepare()
    return 0
  }

  private mutating func takeHead(_ byte: UInt8) {
    // "HTTP/1.1 101"
    if (9..<12).contains(headBytes), byte != Array("101".utf8)[headBytes - 9] { stop("an upgrade was refused") }
    headBytes += 1
    endBytes = byte == Self.end[endBytes] ? endBytes + 1 : byte == Self.end[0] ? 1 : 0
    isUpgraded = endBytes == Self.end.count
  }

  /// The Pusher protocol sends a greeting first, and confirms a subscription; without it there is nothing to wait for.
  private mutating func prepare() {
    guard let channel else {
      isReady = true
      return
    }
    if counter.messages >= 1, !isSubscribing {
      isSubscribing = true
      send(textFrame(#"{"event":"pusher:subscribe","data":{"channel":"\#(channel)"}}"#), to: descriptor)
    }
    isReady = counter.messages >= 2
  }
}
