import Hub
import Server
import Wire

/// An answer about pictures, compressed for a client that takes gzip: of hundreds it has hundreds of kilobytes.
struct PackedJSON: Sendable {
  private let bytes: [UInt8]
  private let isPacked: Bool
  private let etag: String

  init(_ json: JSON, for request: Request) {
    let plain = json.bytes
    let tag = Response.etag(of: plain)
    let takesGzip = request.head.acceptsGzip
    // Whoever has it already is sent nothing.
    isPacked = takesGzip && request.head.fields["if-none-match"]?.contains(tag) != true
    bytes = isPacked ? Gzip.compress(plain) : plain
    etag = tag + (takesGzip ? "-gz" : "")
  }

  var response: Response {
    var fields = [Response.Field("Vary", "Accept-Encoding")]
    if isPacked { fields.append(Response.Field("Content-Encoding", "gzip")) }
    return Response(contentType: "application/json", body: .bytes(bytes), etag: etag, fields: fields).notStored()
  }
}
