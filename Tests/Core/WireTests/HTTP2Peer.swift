import CNghttp2
import Wire

/// An independent client: nghttp2's own, connected to our server in memory.
final class HTTP2Peer {
  struct Answer: Equatable {
    var interim: [String] = []
    var status = ""
    var fields: [String] = []
    var body: [UInt8] = []
    var isComplete = false
    /// The error code with which the stream was closed.
    var closed: UInt32?
  }
  private var session: OpaquePointer!
  var answers: [Int32: Answer] = [:]
  /// The order in which pieces of bodies came, by stream.
  var pieces: [Int32] = []
  /// The last stream of each GOAWAY, and its code.
  var goAways: [(last: Int32, code: UInt32)] = []
  fileprivate var uploads: [Int32: [UInt8]] = [:]
  /// True if the upload's end is sent with it; otherwise the request stays open.
  fileprivate var endsUploads = true
  fileprivate var trailers: [(String, String)] = []

  /// - Parameter window: the bytes of each answer that may come before more are requested, which nghttp2 does by
  ///   itself.
  init(window: Int = 65_535) {
    var made: OpaquePointer?
    nghttp2_session_client_new(&made, Self.callbacks, Unmanaged.passUnretained(self).toOpaque())
    session = made
    var settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(window))
    ]
    nghttp2_submit_settings(session, 0, &settings, settings.count)
  }

  deinit { nghttp2_session_del(session) }

  /// Sends a request; one with an incomplete body keeps the stream open.
  @discardableResult func request(
    _ method: String = "GET", _ path: String = "/", _ fields: [(String, String)] = [], body: [UInt8]? = nil,
    ends: Bool = true, trailers: [(String, String)] = []
  ) -> Int32 {
    let all = [(":method", method), (":scheme", "https"), (":authority", "hub.example"), (":path", path)] + fields
    endsUploads = ends
    self.trailers = trailers
    let stream = Self.withList(all) { list, count in
      var source = nghttp2_data_provider()
      source.read_callback = Self.read
      return withUnsafePointer(to: &source) { source in
        nghttp2_submit_request(session, nil, list, count, body == nil ? nil : source, nil)
      }
    }
    uploads[stream] = body
    answers[stream] = Answer()
    return stream
  }

  func reset(_ stream: Int32, code: UInt32 = 8) { nghttp2_submit_rst_stream(session, 0, stream, code) }
  func ping() { nghttp2_submit_ping(session, 0, nil) }

  /// All of the client's output.
  func output() -> [UInt8] {
    var all: [UInt8] = []
    while true {
      var start: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(session, &start)
      guard count > 0 else { return all }
      all += UnsafeBufferPointer(start: start, count: count)
    }
  }

  func receive(_ bytes: [UInt8]) { nghttp2_session_mem_recv(session, bytes, bytes.count) }

  private static func withList<T>(_ fields: [(String, String)], _ body: (UnsafePointer<nghttp2_nv>, Int) -> T) -> T {
    var bytes = fields.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
    return bytes.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress!
      let list = fields.map { name, value in
        defer { start += name.utf8.count + value.utf8.count }
        return nghttp2_nv(
          name: start, value: start + name.utf8.count, namelen: name.utf8.count, valuelen: value.utf8.count, flags: 0)
      }
      return list.withUnsafeBufferPointer { body($0.baseAddress!, $0.count) }
    }
  }

  fileprivate static func of(_ data: UnsafeMutableRawPointer?) -> HTTP2Peer {
    Unmanaged<HTTP2Peer>.fromOpaque(data!).takeUnretainedValue()
  }

  private static let read: nghttp2_data_source_read_callback = { session, stream, buffer, count, flags, _, data in
    let peer = of(data)
    let sent = peer.uploads[stream, default: []].prefix(count)
    if sent.isEmpty, !peer.endsUploads { return Int(NGHTTP2_ERR_DEFERRED.rawValue) }
    for (index, byte) in sent.enumerated() { buffer![index] = byte }
    peer.uploads[stream]?.removeFirst(sent.count)
    if peer.uploads[stream]?.isEmpty == true, peer.endsUploads {
      flags!.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue)
      if !peer.trailers.isEmpty {
        flags!.pointee |= UInt32(NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue)
        _ = withList(peer.trailers) { nghttp2_submit_trailer(session, stream, $0, $1) }
      }
    }
    return sent.count
  }

  nonisolated(unsafe) private static let callbacks: OpaquePointer = {
    var made: OpaquePointer?
    nghttp2_session_callbacks_new(&made)
    nghttp2_session_callbacks_set_on_header_callback(made) { _, frame, name, nameCount, value, valueCount, _, data in
      let name = String(decoding: UnsafeBufferPointer(start: name, count: nameCount), as: UTF8.self)
      let value = String(decoding: UnsafeBufferPointer(start: value, count: valueCount), as: UTF8.self)
      let stream = frame!.pointee.hd.stream_id
      if name != ":status" {
        of(data).answers[stream, default: Answer()].fields.append("\(name): \(value)")
      } else if value.first == "1" {
        of(data).answers[stream, default: Answer()].interim.append(value)
      } else {
        of(data).answers[stream, default: Answer()].status = value
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(made) { _, _, stream, bytes, count, data in
      of(data).answers[stream, default: Answer()].body += UnsafeBufferPointer(start: bytes, count: count)
      of(data).pieces.append(stream)
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(made) { _, frame, data in
      let header = frame!.pointee.hd
      if header.type == UInt8(NGHTTP2_GOAWAY.rawValue) {
        of(data).goAways.append((frame!.pointee.goaway.last_stream_id, frame!.pointee.goaway.error_code))
      } else if header.type <= 1, header.flags & 1 != 0 {
        of(data).answers[header.stream_id, default: Answer()].isComplete = true
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(made) { _, stream, code, data in
      of(data).answers[stream, default: Answer()].closed = code
      return 0
    }
    return made!
  }()
}
