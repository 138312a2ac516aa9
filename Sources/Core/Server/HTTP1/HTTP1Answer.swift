import Wire

/// How an answer's head is written for HTTP/1.1 (RFC 9112 section 4).
extension Listener {
  enum Framing {
    case length(Int)
    case chunked
    /// The answer has no body, and the head does not speak of one.
    case none
    /// The end of the connection is the end of the body.
    case untilClosed
  }

  /// Writes the head into `scratch`, whose contents before are gone.
  func writeHead(_ response: Response, _ framing: Framing, closes: Bool) {
    scratch.removeAll(keepingCapacity: true)
    ResponseHead.appendStatus(response.status, to: &scratch)
    scratch += dateLine
    switch framing {
    case .length(let count):
      ResponseHead.appendField("Content-Type", response.contentType, to: &scratch)
      ResponseHead.append("Content-Length: ", to: &scratch)
      ResponseHead.appendNumber(count, to: &scratch)
      ResponseHead.append("\r\n", to: &scratch)
    case .chunked:
      ResponseHead.appendField("Content-Type", response.contentType, to: &scratch)
      ResponseHead.append("Transfer-Encoding: chunked\r\n", to: &scratch)
    case .untilClosed: ResponseHead.appendField("Content-Type", response.contentType, to: &scratch)
    case .none: break
    }
    if let etag = response.etag {
      ResponseHead.append("ETag: \"", to: &scratch)
      scratch += etag.utf8
      ResponseHead.append("\"\r\n", to: &scratch)
    }
    ResponseHead.appendField("Cache-Control", response.cacheControl, to: &scratch)
    ResponseHead.append("X-Content-Type-Options: nosniff\r\n", to: &scratch)
    for field in response.fields {
      scratch += field.name.utf8
      ResponseHead.append(": ", to: &scratch)
      // A line break in a value would begin a field, or a body, of somebody else's making.
      scratch += field.value.utf8.lazy.filter { $0 != 13 && $0 != 10 }
      ResponseHead.append("\r\n", to: &scratch)
    }
    if closes { ResponseHead.append("Connection: close\r\n", to: &scratch) }
    ResponseHead.append("\r\n", to: &scratch)
  }
}
