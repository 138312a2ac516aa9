import Wire

/// A server's side that records its events, and answers by turns in every way there is.
final class HTTP2Listener: HTTP2SessionDelegate {
  private(set) var said = ""
  /// Bodies of streams that ended well: how much of a malformed one is reported depends on how the input is cut.
  private(set) var bodies: [Int32: [UInt8]] = [:]
  /// True while the connection goes on.
  var isAlive: Bool { session.wantsMore }
  private(set) var isFlooded = false
  private var session: HTTP2Session!
  private var streams: Set<Int32> = []
  private var answered: Set<Int32> = []
  private var unread: [Int32: Int] = [:]
  private var reads = 0

  init() { session = HTTP2Session(delegate: self) }

  func receive(_ bytes: UnsafeBufferPointer<UInt8>) {
    do throws(HTTP2Fault) {
      try session.receive(bytes)
    } catch {
      if case .failed = error { isFlooded = true }
      said += "F"
    }
  }

  /// Sends all output.
  func drain() { while !session.nextOutput().isEmpty {} }

  func requestHead(_ head: RequestHead, stream: Int32, hasBody: Bool) {
    require(streams.insert(stream).inserted, "stream \(stream) began twice")
    require(head.target == "*" || head.target.hasPrefix("/"), head.target)
    require(head.fields.count <= WireLimits.fields && head.fields.count(of: "host") == 1)
    for (name, value) in head.fields.all {
      require(!name.isEmpty && !name.utf8.contains { $0 <= 32 || ($0 >= 65 && $0 <= 90) || $0 > 126 }, name)
      require(!value.utf8.contains { $0 == 0 || $0 == 10 || $0 == 13 }, value)
    }
    said += "H\(stream)\(head.method.name)\(head.target)\(head.fields.all)\(head.framing)\(hasBody)"
  }

  func requestRefused(_ fault: WireFault, stream: Int32) {
    said += "R\(stream)\(fault)"
    session.respond(stream: stream, status: fault.status, fields: FieldBlock(), hasBody: false)
  }

  func bodyBytes(_ bytes: UnsafeBufferPointer<UInt8>, stream: Int32) {
    require(streams.contains(stream), "a body without a head")
    unread[stream, default: 0] += bytes.count
    require(unread[stream]! <= WireLimits.streamWindowBytes, "more came than the window holds")
    bodies[stream, default: []] += bytes
  }

  func requestEnd(stream: Int32) {
    require(streams.contains(stream), "an end without a head")
    said += "E\(stream)"
  }

  func streamClosed(stream: Int32, code: UInt32) {
    streams.remove(stream)
    unread[stream] = nil
    if code != 0 { bodies[stream] = nil }
    said += "C\(stream)-\(code)"
  }

  func readBody(stream: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> HTTP2BodyRead {
    reads += 1
    switch reads % 5 {
    case 0: return .later
    case 1: return .last(0)
    case 2: return .failed
    default:
      buffer.initialize(repeating: 0)
      return reads % 5 == 3 ? .bytes(buffer.count) : .last(1)
    }
  }

  /// Answers one of the open streams in a way selected by `choice`.
  func answer(_ choice: Int) {
    for stream in streams {
      switch choice % 7 {
      case 0, 1: respond(stream, hasBody: choice % 7 == 0)
      case 2: session.consumed(stream: stream, unread.removeValue(forKey: stream) ?? 0)
      case 3: session.reset(stream: stream, code: 8)
      case 4: session.inform(stream: stream, status: 100)
      case 5: session.resume(stream: stream)
      default: session.ping()
      }
    }
    if choice == 255 { session.goAway() }
    drain()
  }

  private func respond(_ stream: Int32, hasBody: Bool) {
    guard answered.insert(stream).inserted else { return }
    var fields = FieldBlock()
    fields.append("content-type", "text/plain")
    session.respond(stream: stream, status: 200, fields: fields, hasBody: hasBody)
  }
}

enum HTTP2Bytes {
  static let opening = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8) + frame(4, 0, 0, [])

  static func frame(_ type: UInt8, _ flags: UInt8, _ stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [0, UInt8(payload.count >> 8), UInt8(payload.count & 255), type, flags, 0, 0, 0, stream] + payload
  }
}
