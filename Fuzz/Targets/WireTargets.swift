import CivilTime
import Wire
import World

/// The parsers of data from network connections.
nonisolated(unsafe) let wireTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "deflate": { bytes in
    // The same frames as for "websocket", with compression.
    require(webSocketOutcome(bytes, whole, agreed) == webSocketOutcome(bytes, oneByOne, agreed))
    // Compressed payloads are the same after decompression.
    let payload = Array(bytes.prefix(WireLimits.messageBytes))
    let sent = WebSocketFrame.encodeDeflated(.binary, payload)
    require(sent.count <= WebSocketFrame.encode(.binary, payload).count)
    masked(sent).withUnsafeBufferPointer { sent in
      var (parser, position) = (WebSocketParser(deflate: agreed), 0)
      let message = try? parser.next(sent, &position)
      require(message == .binary(payload) && position == sent.count)
    }
  },
  "extensions": { bytes in
    guard let head = head(with: "Sec-WebSocket-Extensions", bytes) else { return }
    guard let answer = (try? PerMessageDeflate.negotiate(head.fields))?.answer else { return }
    // The answer is also a valid offer.
    let again = try? PerMessageDeflate.negotiate(Fields(["Sec-WebSocket-Extensions": answer]))
    require(again?.answer == answer, answer)
  },
  "http2": { bytes in
    // As it is, and after a valid beginning.
    for opening in [[], HTTP2Bytes.opening] {
      let input = opening + bytes
      let (first, second) = (HTTP2Listener(), HTTP2Listener())
      input.withUnsafeBufferPointer { first.receive($0) }
      for index in input.indices {
        input.withUnsafeBufferPointer { second.receive(.init(rebasing: $0[index...index])) }
      }
      // Output is taken at the end only, since it affects how later input is handled.
      first.drain()
      second.drain()
      // nghttp2 counts the pieces in which CONTINUATION frames come, so detecting that flood may depend on them.
      if first.isFlooded || second.isFlooded { continue }
      // In an incomplete compressed block, nghttp2 finds a fault only at the end of each piece: the connection fed byte
      // by byte may end earlier, and close its streams by itself.
      let isAgreed =
        first.isAlive && second.isAlive
        ? first.bodies == second.bodies && first.said == second.said
        : !second.isAlive && (first.said.hasPrefix(second.said) || second.said.hasPrefix(first.said))
      guard isAgreed else {
        fatalError("whole: \(first.isAlive), \(first.said)\none by one: \(second.isAlive), \(second.said)")
      }
    }
  },
  "http2frames": { bytes in
    // Frames with valid headers, so that more of them is parsed: type, flags, stream, length, payload.
    let listener = HTTP2Listener()
    HTTP2Bytes.opening.withUnsafeBufferPointer(listener.receive)
    var rest = bytes[...]
    while rest.count >= 4 {
      let (type, flags, stream, length) = (
        rest.removeFirst(), rest.removeFirst(), rest.removeFirst(), rest.removeFirst()
      )
      let payload = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(payload.count)
      HTTP2Bytes.frame(type % 12, flags, stream % 16, payload).withUnsafeBufferPointer(listener.receive)
      listener.answer(Int(flags))
    }
  },
  "conditions": { bytes in
    // Lines are field names, selected by their first character, and values.
    let names = ["If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range", "Range"]
    var text = "GET / HTTP/1.1\r\nHost: a\r\n"
    for line in bytes.split(separator: 10).prefix(20) {
      let name = names[Int(line.first!) % names.count]
      text += "\(name): \(String(decoding: line.dropFirst().filter { $0 >= 32 && $0 != 127 }, as: UTF8.self))\r\n"
    }
    guard let head = parsedHead(Array((text + "\r\n").utf8)) else { return }
    for (etag, lastModified) in [("a", 784_111_777), (nil, nil)] as [(String?, Int?)] {
      _ = head.precondition(etag: etag, lastModified: lastModified, now: 1_800_000_000)
      for size in [0, 1, 1000, Int.max] {
        guard case .part(let part) = head.range(of: size, etag: etag, lastModified: lastModified, now: 1_800_000_000)
        else { continue }
        require(part.start >= 0 && part.count > 0 && part.start <= size - part.count, "\(part) of \(size)")
      }
    }
  },
  "date": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let second = parseTimestamp(text) { require(parseTimestamp(timestamp(second, in: .utc)) == second, text) }
    guard let second = HTTPDate.seconds(text, now: 1_800_000_000) else { return }
    require(HTTPDate.seconds(ResponseHead.date(second), now: 1_800_000_000) == second, text)
  },
  "addresses": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    if let address = IPAddress(text) {
      require(IPAddress(address.description) == address && IPAddress(bytes: address.bytes) == address, text)
      _ = address.isPublic
    }
    if let range = try? AddressRange(text), let slash = text.split(separator: "/").first {
      require(range.contains(IPAddress(slash)!), text)
    }
    // Only a trusted proxy's value becomes an address, and it is a valid one.
    let client = clientAddress(peer: "10.0.0.1", forwardedFor: text, trusted: private10)
    require(IPAddress(client)?.description == client, client)
    require(clientAddress(peer: "192.0.2.1", forwardedFor: text, trusted: private10) == "192.0.2.1")
    guard let head = head(with: "X-Forwarded-Host", bytes) else { return }
    if let host = Forwarding(head.fields, peer: "10.0.0.1", trusted: private10).host {
      require(!host.utf8.contains { $0 <= 32 || $0 > 126 || "/?#@\\\"<>".utf8.contains($0) }, host)
    }
  },
  "events": { bytes in
    // Three lines and data: a browser parses what was sent.
    let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3 else { return }
    let event = ServerSentEvent(event: parts[0], id: parts[1], data: parts[2])
    let stream = EventStream(ServerSentEvent.comment(parts[0]) + event.bytes + ServerSentEvent(data: "next").bytes)
    require(stream.events.count == 2 && stream.events[1].data == "next", "\(stream.events)")
    require(stream.events[1].type == "message" && stream.lastID.utf8.elementsEqual(oneLine(parts[1])))
    require(stream.events[0].data.utf8.elementsEqual(lines(parts[2])), parts[2])
  },
]

func whole(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] { [0..<bytes.count] }
func oneByOne(_ bytes: UnsafeBufferPointer<UInt8>) -> [Range<Int>] { bytes.indices.map { $0..<($0 + 1) } }

private let agreed: PerMessageDeflate? = {
  try? PerMessageDeflate.negotiate(Fields(["Sec-WebSocket-Extensions": "permessage-deflate"]))
}()

private let private10: [AddressRange] = {
  guard let range = try? AddressRange("10.0.0.0/8") else { fatalError("10.0.0.0/8 is a range") }
  return [range]
}()

func webSocketOutcome(
  _ bytes: UnsafeBufferPointer<UInt8>, _ cut: (UnsafeBufferPointer<UInt8>) -> [Range<Int>],
  _ deflate: PerMessageDeflate?
) -> String {
  var parser = WebSocketParser(deflate: deflate)
  var said = ""
  for piece in cut(bytes) {
    let input = UnsafeBufferPointer(rebasing: bytes[piece])
    var position = 0
    do throws(WebSocketParser.Fault) {
      while let message = try parser.next(input, &position) { said += "\(message)" }
    } catch {
      return said + "F\(error.code)"
    }
  }
  return said
}

/// A server's frame in the form in which a client would send it.
private func masked(_ frame: [UInt8]) -> [UInt8] {
  var frame = frame
  let header = frame[1] == 127 ? 10 : frame[1] == 126 ? 4 : 2
  frame[1] |= 0x80
  frame.insert(contentsOf: [0, 0, 0, 0], at: header)
  return frame
}

private func parsedHead(_ bytes: [UInt8]) -> RequestHead? {
  bytes.withUnsafeBufferPointer { input in
    var (parser, position) = (RequestParser(), 0)
    guard case .head(let head)? = try? parser.next(input, &position) else { return nil }
    return head
  }
}

private func head(with name: String, _ value: UnsafeBufferPointer<UInt8>) -> RequestHead? {
  parsedHead(Array("GET / HTTP/1.1\r\nHost: a\r\n\(name): ".utf8) + value + Array("\r\n\r\n".utf8))
}

private func oneLine(_ text: String) -> [UInt8] { text.utf8.filter { $0 != 10 && $0 != 13 && $0 != 0 } }

/// The text with LF for every line break.
private func lines(_ text: String) -> [UInt8] {
  var (bytes, before): ([UInt8], UInt8) = ([], 0)
  for byte in text.utf8 {
    if byte == 13 || (byte == 10 && before != 13) { bytes.append(10) } else if byte != 10 { bytes.append(byte) }
    before = byte
  }
  return bytes
}
