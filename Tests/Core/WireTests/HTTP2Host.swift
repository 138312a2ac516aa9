import Wire

/// A server's delegate that records events, and answers as the test demands.
final class HTTP2Host: HTTP2SessionDelegate {
  private(set) var session: HTTP2Session!
  /// The events, a line each; pieces of a body are joined.
  var said: [String] = []
  var heads: [Int32: RequestHead] = [:]
  var received: [Int32: Int] = [:]
  var refused: [Int32: WireFault] = [:]
  var closed: [Int32: UInt32] = [:]
  var fault: HTTP2Fault?
  /// Called when a request is complete.
  var answer: (HTTP2Host, Int32) -> Void = { _, _ in }
  /// True if bodies are consumed as they come.
  var consumes = true
  /// Bodies of answers: the results of the next reads of each.
  var bodies: [Int32: [HTTP2BodyRead]] = [:]

  init(answer: @escaping (HTTP2Host, Int32) -> Void = { _, _ in }) {
    self.answer = answer
    session = HTTP2Session(delegate: self)
  }

  func requestHead(_ head: RequestHead, stream: Int32, hasBody: Bool) {
    heads[stream] = head
    let fields = head.fields.all.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    said.append(
      "head \(stream) \(head.method.name) \(head.target) \(head.version) \(fields) \(head.framing) \(hasBody)")
  }

  func requestRefused(_ fault: WireFault, stream: Int32) {
    refused[stream] = fault
    said.append("refused \(stream) \(fault)")
    session.respond(stream: stream, status: fault.status, fields: FieldBlock(), hasBody: false)
  }

  func bodyBytes(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32) {
    received[stream, default: 0] += bytes.count
    let text = String(decoding: bytes.prefix(1000), as: UTF8.self)
    if let last = said.last, last.hasPrefix("body \(stream) ") {
      said[said.count - 1] = last + text
    } else {
      said.append("body \(stream) \(text)")
    }
    if consumes { session.consumed(stream: stream, bytes.count) }
  }

  func requestEnd(stream: Int32) {
    said.append("end \(stream)")
    answer(self, stream)
  }

  func streamClosed(stream: Int32, code: UInt32) {
    closed[stream] = code
    said.append("closed \(stream) \(code)")
  }

  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    guard let next = bodies[stream]?.first else { return .later }
    bodies[stream]?.removeFirst()
    switch next {
    case .bytes(let count), .last(let count): buffer[..<count].initialize(repeating: UInt8(ascii: "x"))
    case .later, .failed: break
    }
    return next
  }

  /// Answers 200 with so many bytes, or without a body.
  func respond(_ stream: Int32, _ body: [HTTP2BodyRead]? = nil) {
    var fields = FieldBlock()
    fields.append("content-type", "text/plain")
    bodies[stream] = body
    session.respond(stream: stream, status: 200, fields: fields, hasBody: body != nil)
  }

  func receive(_ bytes: [UInt8]) {
    guard fault == nil else { return }
    bytes.withUnsafeBufferPointer { bytes in
      do throws(HTTP2Fault) { try session.receive(bytes) } catch { fault = error }
    }
  }

  func output() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      let next = session.nextOutput()
      if next.isEmpty { return all }
      all += next
    }
  }

  /// Exchanges bytes until both sides have nothing more to send.
  func talk(_ peer: HTTP2Peer) {
    while true {
      let (up, down) = (peer.output(), output())
      if up.isEmpty, down.isEmpty { return }
      receive(up)
      peer.receive(down)
    }
  }
}

/// Frames made by hand, valid or invalid (RFC 9113 section 4.1).
enum HTTP2Frames {
  static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
  static let settings = frame(4, 0, 0, [])
  static let opening = preface + settings

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt32, _ payload: [UInt8], length: Int? = nil) -> [UInt8]
  {
    let count = length ?? payload.count
    return [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255), type, flags]
      + (0..<4).map { UInt8(stream >> (24 - 8 * UInt32($0)) & 255) } + payload
  }

  /// Literal fields without indexing or Huffman coding (RFC 7541 section 6.2.2).
  static func block(_ fields: [(String, String)]) -> [UInt8] {
    var bytes: [UInt8] = []
    func text(_ text: String) {
      var rest = text.utf8.count
      if rest < 127 {
        bytes.append(UInt8(rest))
      } else {
        bytes.append(127)
        rest -= 127
        while rest >= 128 {
          bytes.append(UInt8(rest & 127) | 128)
          rest >>= 7
        }
        bytes.append(UInt8(rest))
      }
      bytes += text.utf8
    }
    for (name, value) in fields {
      bytes.append(0)
      text(name)
      text(value)
    }
    return bytes
  }

  static let get: [(String, String)] = [
    (":method", "GET"), (":scheme", "https"), (":authority", "a"), (":path", "/"),
  ]

  /// A HEADERS frame with CONTINUATIONs as needed.
  static func headers(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = true) -> [UInt8] {
    let block = block(fields)
    var pieces = stride(from: 0, to: block.count, by: 16_384).map { Array(block[$0..<min($0 + 16_384, block.count)]) }
    let last = pieces.removeLast()
    let end: UInt8 = ends ? 1 : 0
    guard let first = pieces.first else { return frame(1, 4 | end, stream, last) }
    return frame(1, end, stream, first) + pieces.dropFirst().flatMap { frame(9, 0, stream, $0) }
      + frame(9, 4, stream, last)
  }
}
