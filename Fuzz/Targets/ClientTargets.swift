import Agent
import NATSClient
import Wire

/// Answers of servers that mean harm, to what the hub and its devices ask as clients.
nonisolated(unsafe) let clientTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "http2client": { bytes in
    // As it is, and after a valid beginning.
    for opening in [[], HTTP2Bytes.frame(4, 0, 0, [])] {
      let input = opening + bytes
      let (first, second) = (HTTP2Asker(), HTTP2Asker())
      input.withUnsafeBufferPointer { first.receive($0) }
      for index in input.indices {
        input.withUnsafeBufferPointer { second.receive(.init(rebasing: $0[index...index])) }
      }
      // A broken connection may be found out earlier or later, by the pieces: see "http2".
      if first.isAlive, second.isAlive { require(first.said == second.said, "\(first.said)\n\(second.said)") }
      first.end()
      second.end()
    }
  },
  "http2answers": { bytes in
    // Frames with valid headers, and between them the client goes on: type, flags, stream, length, payload.
    let asker = HTTP2Asker()
    HTTP2Bytes.frame(4, 0, 0, []).withUnsafeBufferPointer(asker.receive)
    var rest = bytes[...]
    while rest.count >= 4 {
      let (type, flags, stream, length) = (
        rest.removeFirst(), rest.removeFirst(), rest.removeFirst(), rest.removeFirst()
      )
      let payload = Array(rest.prefix(Int(length)))
      rest = rest.dropFirst(payload.count)
      HTTP2Bytes.frame(type % 12, flags, stream % 16, payload).withUnsafeBufferPointer(asker.receive)
      asker.goOn(Int(flags))
    }
    asker.end()
  },
  "websocketclient": { bytes in
    // As the answer to the handshake, and after it.
    for opening in [[], opened] {
      (opening + bytes).withUnsafeBufferPointer { input in
        let few = input.count <= 300 ? oneByOne(input) : pieces(input, of: 17)
        require(heard(input, whole) == heard(input) { _ in few })
      }
    }
  },
  "nats": { bytes in
    // As it is, and after a valid beginning.
    for opening in [[], Array("INFO {\"max_payload\":1000}\r\n".utf8)] {
      (opening + bytes).withUnsafeBufferPointer { require(natsHeard($0, whole) == natsHeard($0, oneByOne)) }
    }
  },
  "hubanswer": { bytes in
    let all = Array(bytes)
    guard let answer = HubAnswer(all, isWhole: true) else { return require(HubAnswer(all, isWhole: false) == nil) }
    require((200...599).contains(answer.status) && answer.body.count <= all.count)
    // What is whole before the end stays the same, whatever follows.
    guard let early = HubAnswer(all, isWhole: false) else { return }
    require(early == answer && HubAnswer(all + [13, 10], isWhole: true) == early)
  },
]

private let request = WebSocketRequest(
  host: "a", target: "/", userAgent: "Fuzz/1", nonce: [UInt8](repeating: 0, count: 16))

/// The right answer to `request`, as our server gives it.
private let opened: [UInt8] = {
  let head = request.bytes.withUnsafeBufferPointer { input in
    var (parser, position) = (RequestParser(), 0)
    guard case .head(let head)? = try? parser.next(input, &position) else { fatalError("the request is refused") }
    return head
  }
  guard let accept = try? WebSocketHandshake.accept(head) else { fatalError("the handshake is refused") }
  return Array(
    ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
      + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8)
}()

private func pieces(_ bytes: UnsafeBufferPointer<UInt8>, of count: Int) -> [Range<Int>] {
  stride(from: 0, to: bytes.count, by: count).map { $0..<min(bytes.count, $0 + count) }
}

private func natsHeard(
  _ bytes: UnsafeBufferPointer<UInt8>, _ cut: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
) -> String {
  var parser = NATSParser()
  var said = ""
  for piece in cut(bytes) {
    var position = 0
    do throws(NATSParser.Fault) {
      while let event = try parser.next(UnsafeBufferPointer(rebasing: bytes[piece]), &position) {
        said += "\(event)"
        guard case .message(_, let subject, let payload) = event else { continue }
        require(payload.count <= parser.payloadLimit && !subject.utf8.contains(32))
      }
    } catch {
      return said + "F\(error.message)"
    }
  }
  return said
}

/// What a client hears of a server's bytes, which come in these pieces.
private func heard(
  _ bytes: UnsafeBufferPointer<UInt8>, _ cut: (UnsafeBufferPointer<UInt8>) -> [Range<Int>]
) -> String {
  var parser = WebSocketParser(from: .server)
  var answer: [UInt8]? = []
  var said = ""
  for piece in cut(bytes) {
    var input = Array(bytes[piece])
    if let before = answer {
      do throws(WebSocketRefusal) {
        answer = before + input
        guard let end = try request.check(before + input) else { continue }
        require(end <= before.count + input.count)
        input = Array((before + input)[end...])
        answer = nil
        said += "open"
      } catch {
        return said + "refused"
      }
    }
    do throws(WebSocketParser.Fault) {
      try input.withUnsafeBufferPointer { input throws(WebSocketParser.Fault) in
        var position = 0
        while let message = try parser.next(input, &position) { said += "\(message)" }
      }
    } catch {
      return said + "F\(error.code)"
    }
  }
  return said
}
