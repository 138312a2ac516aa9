import CNghttp2

// nghttp2 calls C functions: each of these finds its session and calls it.

private func owner(_ data: UnsafeMutableRawPointer?) -> HTTP2Session {
  Unmanaged<HTTP2Session>.fromOpaque(data!).takeUnretainedValue()
}

private func isRequest(_ frame: UnsafePointer<nghttp2_frame>) -> Bool {
  frame.pointee.hd.type == UInt8(NGHTTP2_HEADERS.rawValue) && frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST
}

extension nghttp2_frame_hd {
  func has(_ flag: nghttp2_flag) -> Bool { flags & UInt8(flag.rawValue) != 0 }
}

/// Made once and never changed: nghttp2 copies the callbacks into each session.
nonisolated(unsafe) let http2Callbacks: OpaquePointer = {
  var made: OpaquePointer?
  guard nghttp2_session_callbacks_new(&made) == 0, let made else { preconditionFailure("nghttp2 has no memory") }
  nghttp2_session_callbacks_set_on_begin_headers_callback(made) { _, frame, data in
    if let frame, isRequest(frame) { owner(data).headBegins() }
    return 0
  }
  nghttp2_session_callbacks_set_on_header_callback(made) { _, frame, name, nameCount, value, valueCount, _, data in
    // Trailers are dropped, as over HTTP/1.1.
    if let frame, isRequest(frame) {
      owner(data).field(
        UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount))
    }
    return 0
  }
  // By default nghttp2 drops an invalid field; RFC 9113 section 8.2.1 demands that the request is refused.
  nghttp2_session_callbacks_set_on_invalid_header_callback(made) { _, frame, _, _, _, _, _, data in
    if let frame, isRequest(frame) { owner(data).invalidField() }
    return 0
  }
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made) { _, _, stream, bytes, count, data in
    owner(data).data(UnsafeBufferPointer(start: bytes, count: count), stream: stream)
    return 0
  }
  nghttp2_session_callbacks_set_on_frame_recv_callback(made) { _, frame, data in
    guard let frame else { return 0 }
    let header = frame.pointee.hd
    switch nghttp2_frame_type(rawValue: UInt32(header.type)) {
    case NGHTTP2_HEADERS where isRequest(frame):
      owner(data).headEnds(stream: header.stream_id, hasBody: !header.has(NGHTTP2_FLAG_END_STREAM))
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
      if header.has(NGHTTP2_FLAG_END_STREAM) { owner(data).bodyEnds(stream: header.stream_id) }
    case NGHTTP2_PING:
      if header.has(NGHTTP2_FLAG_ACK) {
        withUnsafeBytes(of: frame.pointee.ping.opaque_data) { owner(data).pingAnswered($0) }
      }
    default: break
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_frame_send_callback(made) { _, frame, data in
    guard let frame else { return 0 }
    let header = frame.pointee.hd
    switch nghttp2_frame_type(rawValue: UInt32(header.type)) {
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
      if header.has(NGHTTP2_FLAG_END_STREAM) { owner(data).answerEnds(stream: header.stream_id) }
    case NGHTTP2_RST_STREAM:
      owner(data).resetSent(stream: header.stream_id, code: frame.pointee.rst_stream.error_code)
    default: break
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_stream_close_callback(made) { _, stream, code, data in
    owner(data).closed(stream: stream, code: code)
    return 0
  }
  return made
}()

/// Reads the bytes of a response's body.
let http2ReadBody: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, data in
  switch owner(data).readBody(stream: stream, into: UnsafeMutableBufferPointer(start: buffer, count: count)) {
  case .bytes(let count): return count
  case .last(let count):
    flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
    return count
  case .later: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
  case .failed: return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
  }
}

/// Options with nghttp2's own limits, as of servers and clients.
func limitedHTTP2Options() -> OpaquePointer {
  var made: OpaquePointer?
  guard nghttp2_option_new(&made) == 0, let made else { preconditionFailure("nghttp2 has no memory") }
  nghttp2_option_set_max_outbound_ack(made, WireLimits.outboundAcks)
  nghttp2_option_set_max_settings(made, WireLimits.settingsEntries)
  nghttp2_option_set_max_continuations(made, WireLimits.continuationPieces)
  return made
}

/// The options of every session.
nonisolated(unsafe) let http2Options: OpaquePointer = {
  let made = limitedHTTP2Options()
  // Only HTTP2Session.consumed opens the window again.
  nghttp2_option_set_no_auto_window_update(made, 1)
  nghttp2_option_set_stream_reset_rate_limit(
    made, UInt64(WireLimits.streamResets), UInt64(WireLimits.streamResetsPerSecond))
  return made
}()
