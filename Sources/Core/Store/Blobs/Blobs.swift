/// The content of a blob.
public struct BlobContent: Sendable {
  public var digest: BlobDigest
  /// Bytes.
  public var size: Int
  public var body: Body

  public enum Body: Sendable {
    case bytes([UInt8])
    case file(BlobFile)
  }
}

/// A large blob's file, open for reading. It stays readable while this is referenced, also when the blob is removed
/// meanwhile.
public final class BlobFile: Sendable {
  private let file: OpenFile
  /// The descriptor at the file's beginning. Its position is shared by all users, so read with `pread` or `sendfile`.
  public var descriptor: Int32 { file.descriptor }
  /// Bytes.
  public let size: Int

  init(_ file: OpenFile, size: Int) {
    self.file = file
    self.size = size
  }
}

/// The number of blobs, and their bytes in all.
public struct BlobTotals: Equatable, Sendable {
  public var count: Int
  public var bytes: Int

  package init(count: Int, bytes: Int) {
    self.count = count
    self.bytes = bytes
  }
}

/// Pictures, recordings and other content of any size, addressed by its SHA-256, so that equal content is kept once.
/// Rooms name blobs with `Database.name`; a blob without a name is removed.
public struct Blobs: Sendable {
  let store: Store
  let folder: BlobFolder

  /// The id of the place of large blobs, a folder or a bucket: no other place has the same.
  public func placeID() async throws(StoreError) -> String {
    guard store.bucket != nil else { return try folder.id() }
    return try await store.read { database throws(StoreError) in try database.bucketNote() ?? "" }
  }

  /// Starts an upload of at most so many bytes.
  public func upload(limit: Int) -> BlobUpload {
    BlobUpload(folder: folder, limit: limit, discard: discard) { [self] blob throws(StoreError) in try await send(blob)
    }
  }

  /// Removes an upload that never got a name.
  var discard: @Sendable (BlobDigest, String) -> Void {
    { [writer = store.writer, folder] digest, mark in
      writer.submit(FileCleanup { database throws(StoreError) in try database.discard(digest, mark: mark, folder) })
    }
  }

  /// The content of the blob with this name; nil if there is none.
  public func content(of name: BlobName) async throws(StoreError) -> BlobContent? {
    try await content { database throws(StoreError) in try database.digest(of: name) }
  }

  /// The content of the blob with this digest; nil if there is none.
  public func content(of digest: BlobDigest) async throws(StoreError) -> BlobContent? {
    try await content { _ throws(StoreError) in digest }
  }

  public func totals() async throws(StoreError) -> BlobTotals {
    try await store.read { database throws(StoreError) in
      try database.first("SELECT count, bytes FROM blob_totals") { BlobTotals(count: $0.int(0), bytes: $0.int(1)) }
        ?? BlobTotals(count: 0, bytes: 0)
    }
  }

  private func content(
    _ find: @escaping @Sendable (Database) throws(StoreError) -> BlobDigest?
  ) async throws(StoreError) -> BlobContent? {
    let folder = folder
    var isSecondLook = false
    while true {
      let found = try await store.read { [isSecondLook] database throws(StoreError) -> Found in
        guard let digest = try find(database), let content = try database.content(digest, folder) else {
          return .nothing
        }
        if let content { return .content(content) }
        if let object = try database.wantedObject(of: digest) { return .away(object) }
        guard isSecondLook else { return .lookAgain }
        throw Self.missing(digest)
      }
      switch found {
      case .nothing: return nil
      case .content(let content): return content
      case .away(let object):
        guard let bucket = store.bucket else { throw Self.missing(object.digest) }
        let file = try await bucket.fetch(object)
        return BlobContent(digest: object.digest, size: object.size, body: .file(file))
      // The blob may have been removed between reading the row and opening the file; then its row is gone now.
      case .lookAgain: isSecondLook = true
      }
    }
  }

  private static func missing(_ digest: BlobDigest) -> StoreError {
    StoreError(
      .damaged, "A blob's file is missing or has another size; eightbells store verify says more", context: digest.hex)
  }

  private enum Found: Sendable {
    case nothing, lookAgain
    case away(BlobObject)
    case content(BlobContent)
  }
}

extension Database {
  /// Nil without a row; an inner nil if the row's file is missing.
  fileprivate func content(_ digest: BlobDigest, _ folder: BlobFolder) throws(StoreError) -> BlobContent?? {
    let row = try first("SELECT size, bytes FROM blobs WHERE digest = ?", .blob(digest.bytes)) { row in
      (size: row.int(0), bytes: row.optionalBlob(1))
    }
    guard let row else { return nil }
    if let bytes = row.bytes { return BlobContent(digest: digest, size: row.size, body: .bytes(bytes)) }
    guard let file = try folder.file(digest, size: row.size) else { return .some(nil) }
    return BlobContent(digest: digest, size: row.size, body: .file(file))
  }
}
