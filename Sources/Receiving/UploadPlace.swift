public import Server
public import Store
public import Uploads

/// An upload that has begun, as its room knows it.
public struct OpenUpload: Sendable {
  /// The id in addresses.
  public var address: String
  /// The name of what has come, in the store.
  public var blob: BlobName
  /// Bytes that were announced.
  public var size: Int
  public var metadata: UploadMetadata
  /// The SHA-256 of the whole file, if its sender has announced it.
  public var digest: BlobDigest?
  /// The id of what it has become; nil while it goes on.
  public var outcome: String?
  /// Seconds since 1970.
  public var expires: Double

  public init(
    address: String, blob: BlobName, size: Int, metadata: UploadMetadata, digest: BlobDigest?, outcome: String?,
    expires: Double
  ) {
    (self.address, self.blob, self.size, self.metadata) = (address, blob, size, metadata)
    (self.digest, self.outcome, self.expires) = (digest, outcome, expires)
  }
}

/// Whoever sends to a room, and what the room makes of it: made for each request.
public protocol UploadPlace: Sendable {
  /// The sender's key, for their share of the lines.
  var sender: Int { get }

  /// Begins an upload, if it fits.
  /// - Returns: its id and its address.
  func begin(_ creation: UploadCreation) async throws(HTTPError) -> (upload: OpenUpload, location: String)

  /// The sender's upload, unfinished or just finished; nil if there is none.
  func find(_ address: String) async throws(HTTPError) -> OpenUpload?

  /// - Throws: if the disk has no room for so many bytes more.
  func demandDisk(_ bytes: Int) throws(HTTPError)

  /// - Throws: if others have taken the room since this upload began, or the sender may not send any more.
  func demandRoom() async throws(HTTPError)

  /// Keeps what has come completely, in one commit with `Database.endUpload`.
  /// - Returns: the id of what it has become.
  func finish(_ upload: OpenUpload, _ finished: FinishedUpload) async throws(HTTPError) -> String

  /// Gives an upload up, with what has come of it.
  func end(_ address: String) async throws(HTTPError)
}

extension UploadMetadata {
  /// The SHA-256 of the whole file, from the key `sha256`.
  /// - Throws: for a text that is no digest.
  public func announcedDigest() throws(UploadRefusal) -> BlobDigest? {
    guard let text = self["sha256"] else { return nil }
    guard let digest = BlobDigest(hex: text.lowercased()) else {
      throw UploadRefusal(
        .malformed, "sha256 in Upload-Metadata is no digest.", help: "64 hexadecimal digits are accepted.")
    }
    return digest
  }
}
