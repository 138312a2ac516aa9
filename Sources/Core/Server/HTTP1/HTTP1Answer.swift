import Wire

/// The way in which HTTP/1.1 marks the end of a body (RFC 9112 section 6.3).
enum HTTP1Framing {
  case length(Int)
  case chunked
  /// There is no body, and the head does not mention one.
  case none
  /// The end of the connection is the end of the body.
  case untilClosed
}

extension Response {
  /// The fields of Protection.swift, encoded for HTTP/1.1.
  private static let typeOptionsLine = lines(typeOptions)
  private static let referrerPolicyLine = lines(referrerPolicy)
  private static let permissionsLine = lines(permissions)
  private static let contentPolicyLine = lines(contentPolicy)
  private static func lines(_ field: Field) -> [UInt8] { Array("\(field.name): \(field.value)\r\n".utf8) }

  /// Appends the fields that follow the Date.
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
    bytes += Self.typeOptionsLine
    if !has(Self.referrerPolicy) { bytes += Self.referrerPolicyLine }
    bytes += has(Self.contentPolicy) ? Self.permissionsLine : Self.contentPolicyLine
    for field in fields {
      bytes += field.name.utf8
      ResponseHead.append(": ", to: &bytes)
      // A line break in a value would let whoever supplied it add fields or a body.
      bytes += field.value.utf8.lazy.filter { $0 != 13 && $0 != 10 }
      ResponseHead.append("\r\n", to: &bytes)
    }
  }
}

extension Listener {
  /// Writes the head into `scratch`, replacing its contents (RFC 9112 section 4).
  func writeHead(_ response: Response, _ framing: HTTP1Framing, closes: Bool) {
    beginHead(response.status)
    response.appendFields(framing, to: &scratch)
    if closes { ResponseHead.append("Connection: close\r\n", to: &scratch) }
    ResponseHead.append("\r\n", to: &scratch)
  }

  /// Writes head and body of a response that was made by `ready()`.
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
