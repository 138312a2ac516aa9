import Wire

/// How the length of an answer's body is told over HTTP/1.1 (RFC 9112 section 6.3).
enum HTTP1Framing {
  case length(Int)
  case chunked
  /// The answer has no body, and the head does not speak of one.
  case none
  /// The end of the connection is the end of the body.
  case untilClosed
}

extension Response {
  /// The fields of `protection`, as HTTP/1.1 sends them.
  private static let protectionLines = protection.flatMap(lines)
  private static let contentPolicyLine = lines(contentPolicy)
  private static func lines(_ field: Field) -> [UInt8] { Array("\(field.name): \(field.value)\r\n".utf8) }

  /// The fields that come behind the Date.
  func appendFields(_ framing: HTTP1Framing, to bytes: inout [UInt8]) {
    switch framing {
    case .length(let count):
      ResponseHead.appendField("Content-Type", contentType, to: &bytes)
      ResponseHead.append("Content-Length: ", to: &bytes)
      ResponseHead.appendNumber(count, to: &bytes)
      ResponseHead.append("\r\n", to: &bytes)
    case .chunked:
      ResponseHead.appendField("Content-Type", contentType, to: &bytes)
      ResponseHead.append("Transfer-Encoding: chunked\r\n", to: &bytes)
    case .untilClosed: ResponseHead.appendField("Content-Type", contentType, to: &bytes)
    case .none: break
    }
    if let etag {
      ResponseHead.append("ETag: \"", to: &bytes)
      bytes += etag.utf8
      ResponseHead.append("\"\r\n", to: &bytes)
    }
    ResponseHead.appendField("Cache-Control", cacheControl, to: &bytes)
    bytes += Self.protectionLines
    if !hasContentPolicy { bytes += Self.contentPolicyLine }
    for field in fields {
      bytes += field.name.utf8
      ResponseHead.append(": ", to: &bytes)
      // A line break in a value would begin a field, or a body, of somebody else's making.
      bytes += field.value.utf8.lazy.filter { $0 != 13 && $0 != 10 }
      ResponseHead.append("\r\n", to: &bytes)
    }
  }
}

extension Listener {
  /// Writes the head into `scratch`, whose contents before are gone (RFC 9112 section 4).
  func writeHead(_ response: Response, _ framing: HTTP1Framing, closes: Bool) {
    beginHead(response.status)
    response.appendFields(framing, to: &scratch)
    if closes { ResponseHead.append("Connection: close\r\n", to: &scratch) }
    ResponseHead.append("\r\n", to: &scratch)
  }

  /// Writes head and body of an answer that was made ready.
  func write(_ prepared: [UInt8], status: Int, closes: Bool) {
    beginHead(status)
    if closes { ResponseHead.append("Connection: close\r\n", to: &scratch) }
    scratch += prepared
  }

  private func beginHead(_ status: Int) {
    scratch.removeAll(keepingCapacity: true)
    if status == 200 {
      scratch += okLines
    } else {
      ResponseHead.appendStatus(status, to: &scratch)
      scratch += dateLine
    }
  }
}
