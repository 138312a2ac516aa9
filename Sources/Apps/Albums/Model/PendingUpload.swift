import Hub
import Receiving
import Imaging
import Store
import Uploads

/// An upload to an album that has begun.
struct PendingUpload: Sendable {
  /// Its outcome is the id of a picture.
  let open: OpenUpload
  let album: Int
  let guest: Int
  let details: SentDetails
  /// The sender's own preview, as the picture program has written it anew.
  var preview: SentPreview?
}

/// A small JPEG that is shown until there are our own.
struct SentPreview: Sendable {
  var bytes: [UInt8]
  var width: Int
  var height: Int
  var placeholder: [UInt8]
}

/// The sender's words about a file, all of it optional.
struct SentDetails: Sendable {
  var name: String?
  /// "2026-11-21T18:04:00".
  var taken: String?
  var pair: String?
  /// Bytes of the whole file.
  var digest: BlobDigest?
  /// The id of the picture that this is the sound of.
  var soundOf: String?

  /// - Throws: for a digest or an id that cannot be one; other wrong values are left out.
  init(_ metadata: UploadMetadata) throws(UploadRefusal) {
    name = metadata["filename"].map { String($0.filter { $0 != "\0" }.prefix(ReceivingLimits.name)) }
    taken = metadata["taken"].flatMap { isCameraTime($0) ? $0 : nil }
    pair = metadata["pair"].flatMap { $0.count <= UploadLimits.pair ? $0 : nil }
    digest = try metadata.announcedDigest()
    if let id = metadata["sound_of"] {
      guard RandomID.accepts(id) else {
        throw UploadRefusal(
          .malformed, "sound_of in Upload-Metadata is no id.", help: "Send the id of a picture of yours.")
      }
      soundOf = id
    }
  }
}
