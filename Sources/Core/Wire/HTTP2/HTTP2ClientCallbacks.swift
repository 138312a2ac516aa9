import CNghttp2

// nghttp2 calls C functions: each of these finds its session and calls it.

private func owner(_ data: UnsafeMutableRawPointer?) -> HTTP2ClientSession {
  Unmanaged<HTTP2ClientSession>.fromOpaque(data!).takeUnretainedValue()
}

/// Made once and never changed: nghttp2 copies the callbacks into each session.
nonisolated(unsafe) let http2ClientCallbacks: OpaquePointer = {
  var made: OpaquePointer?
  guard nghttp2_session_callbacks_new(&made) == 0, let made else { preconditionFailure("nghttp2 has no memory") }
  nghttp2_session_callbacks_set_on_header_callback(made) { _, frame, name, nameCount, value, valueCount, _, data in
    guard let frame else { return 0 }
    let isTaken = owner(data).field(
      UnsafeBufferPointer(start: name, count: nameCount), UnsafeBufferPointer(start: value, count: valueCount),
      stream: frame.pointee.hd.stream_id)
    return isTaken ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made) { _, _, stream, bytes, count, data in
    owner(data).data(UnsafeBufferPointer(start: bytes, count: count), stream: stream)
    return 0
  }
  nghttp2_session_callbacks_set_on_frame_recv_callback(made) { _, frame, data in
    guard let frame else { return 0 }
    let header = frame.pointee.hd
    switch nghttp2_frame_type(rawValue: UInt32(header.type)) {
    case NGHTTP2_HEADERS, NGHTTP2_DATA:
      if header.has(NGHTTP2_FLAG_END_STREAM) { owner(data).answerEnds(stream: header.stream_id) }
    case NGHTTP2_SETTINGS: if !header.has(NGHTTP2_FLAG_ACK) { owner(data).settingsCame() }
    case NGHTTP2_PING: if header.has(NGHTTP2_FLAG_ACK) { owner(data).pingAnswered() }
    case NGHTTP2_GOAWAY:
      let goaway = frame.pointee.goaway
      owner(data).wentAway(
        code: goaway.error_code,
        debugData: UnsafeBufferPointer(start: goaway.opaque_data, count: goaway.opaque_data_len))
    default: break
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_frame_not_send_callback(made) { _, frame, _, data in
    if let header = frame?.pointee.hd, header.type == UInt8(NGHTTP2_HEADERS.rawValue) {
      owner(data).notSent(stream: header.stream_id)
    }
    return 0
  }
  nghttp2_session_callbacks_set_on_stream_close_callback(made) { _, stream, code, data in
    owner(data).closed(stream: stream, code: code)
    return 0
  }
  return made
}()

/// Reads the bytes of a request's body.
let http2ReadRequestBody: nghttp2_data_source_read_callback = { _, stream, buffer, count, flags, _, data in
  let (read, isLast) = owner(data).readBody(
    stream: stream, into: UnsafeMutableBufferPointer(start: buffer, count: count))
  if isLast { flags?.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue) }
  return read
}

/// The options of every session.
nonisolated(unsafe) let http2ClientOptions = limitedHTTP2Options()
