import Server
import Wire

/// A ready, compressed answer: events compress to a tenth or less, and the few clients without gzip can wait for
/// decompression.
struct PackedAnswer: Sendable {
  let compressed: [UInt8]
  /// Bytes before compression.
  let plainCount: Int
  let etag: String

  init(_ bytes: [UInt8]) {
    compressed = Gzip.compress(bytes)
    plainCount = bytes.count
    etag = Response.etag(of: bytes)
  }

  var plain: [UInt8] {
    let bytes = compressed.withUnsafeBufferPointer { Gzip.decompress($0, count: plainCount) }
    guard let bytes else { preconditionFailure("an answer was compressed wrongly") }
    return bytes
  }

  func response(to request: Request, type: String, fields: [Response.Field]) -> Response {
    let fields = fields + [Response.Field("Vary", "Accept-Encoding")]
    guard request.head.acceptsGzip else {
      let packed = PackedBytes(compressed, count: plainCount)
      return Response(contentType: type, body: .packed(packed), etag: etag, fields: fields)
    }
    return Response(
      contentType: type, body: .bytes(compressed), etag: etag + "-gz",
      fields: fields + [Response.Field("Content-Encoding", "gzip")])
  }
}
