import Glibc
public import Server
public import Store

extension Hub {
  /// The content of a blob, for an answer; nil if there is none.
  public func content(of name: BlobName) async throws(HTTPError) -> BlobContent? {
    try await stored { () throws(StoreError) in try await store.blobs.content(of: name) }
  }
}

extension Blobs {
  /// Keeps bytes that are all there; without a name, they go again.
  public func keep(_ bytes: [UInt8]) async throws(StoreError) -> Blob {
    let upload = upload(limit: bytes.count)
    try await upload.append(bytes)
    return try await upload.finish()
  }
}

extension BlobContent {
  /// Some of its bytes, read in place: as many as are asked for, or as are left; none if its file cannot be read.
  public func piece(from offset: Int, atMost most: Int = 1 << 20) -> [UInt8] {
    let wanted = min(most, size - offset)
    switch body {
    case .bytes(let bytes): return Array(bytes[offset..<offset + wanted])
    case .file(let file):
      return [UInt8](unsafeUninitializedCapacity: wanted) { buffer, count in
        var read = 0
        repeat { read = pread(file.descriptor, buffer.baseAddress, wanted, offset) } while read < 0 && errno == EINTR
        count = max(0, read)
      }
    }
  }
}
