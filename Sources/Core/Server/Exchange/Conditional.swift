import Wire

extension Response {
  /// The response after the request's conditions and ranges are applied (RFC 9110 sections 13 and 14): all, a part,
  /// 304, 412 or 416. The same for every version of HTTP. Only needed where `Fields.hasCondition` is true.
  /// - Parameter now: seconds since 1970.
  func conditional(_ head: RequestHead, now: Int) -> Response {
    guard status == 200, head.method == .get || head.method == .head else { return self }
    switch head.precondition(etag: etag, lastModified: nil, now: now) {
    case .proceed: return partial(head, now: now)
    case .notModified:
      var response = self
      response.status = 304
      response.body = .bytes([])
      return response
    case .failed:
      return HTTPError(
        .preconditionFailed, "It has changed since: the condition of the request does not hold.",
        help: "Get it again without a condition."
      ).response
    }
  }

  /// A part of the response, if its body has parts that can be had.
  private func partial(_ head: RequestHead, now: Int) -> Response {
    guard let size = body.count else { return self }
    switch head.range(of: size, etag: etag, now: now) {
    case .whole: return self
    case .part(let range):
      guard let part = body.part(range.start..<(range.start + range.count)) else { return self }
      var response = self
      response.status = 206
      response.body = part
      response.fields.append(Field("Content-Range", range.contentRange(of: size)))
      return response
    case .unsatisfiable:
      return HTTPError(
        .rangeNotSatisfiable, "There is nothing in the range that was asked for.",
        help: "There are \(size) bytes.", fields: [Field("Content-Range", ByteRange.unsatisfied(of: size))]
      ).response
    }
  }
}

extension Response.Body {
  /// This range of the body; nil if only the whole can be sent. For a single byte of what is kept compressed all before
  /// it would be decompressed, and requests for it cost their sender nothing.
  fileprivate func part(_ range: Range<Int>) -> Response.Body? {
    switch self {
    case .bytes(let bytes): .bytes(Array(bytes[range]))
    case .fixed(let fixed): .fixed(.init(UnsafeBufferPointer(rebasing: fixed.bytes[range])))
    case .packed: nil
    case .file(let file, let whole): .file(file, range.moved(by: whole.lowerBound))
    case .stream(let stream): stream.part(range).map { .stream($0) }
    }
  }
}

extension Range<Int> {
  fileprivate func moved(by offset: Int) -> Range<Int> { (lowerBound + offset)..<(upperBound + offset) }
}
