import Receiving
import Server
import Store
import Uploads

/// An upload to a gallery that has begun.
struct PortfolioUpload: Sendable {
  /// The id in addresses; also the name of what has come (`blob`).
  let address: String
  /// The keys of its portfolio and gallery, and of whoever sends it.
  let portfolio: Int
  let gallery: Int
  let person: Int
  /// Bytes that were announced.
  let size: Int
  let file: SentFile
  /// The id of the picture that it has become.
  var picture: String?
  /// Seconds since 1970.
  var expires: Double

  var blob: BlobName { PortfolioUploadTables.rows.blob(address) }

  var open: OpenUpload {
    OpenUpload(
      address: address, blob: blob, size: size, metadata: file.metadata, digest: file.digest, outcome: picture,
      expires: expires)
  }
}

/// The sender's words about a file.
struct SentFile: Sendable {
  let metadata: UploadMetadata
  /// The name of the file, without folders; empty if it has none.
  let name: String
  /// The id of the gallery that it is for.
  let gallery: String
  /// Of the whole file.
  let digest: BlobDigest?

  /// - Throws: for a digest that cannot be one, and without a gallery.
  init(_ metadata: UploadMetadata) throws(UploadRefusal) {
    self.metadata = metadata
    name = Self.safe(metadata["filename"] ?? "")
    digest = try metadata.announcedDigest()
    guard let gallery = metadata["gallery"] else {
      throw UploadRefusal(
        .malformed, "Upload-Metadata names no gallery.", help: "Send gallery, the id of one of this portfolio.")
    }
    self.gallery = gallery
  }

  /// A file's name without folders, and without what could mean something else to another system.
  static func safe(_ name: String) -> String {
    let last = name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last ?? ""
    let scalars = last.unicodeScalars.filter {
      !$0.properties.isDefaultIgnorableCodePoint && $0.value >= 32 && $0.value != 127
    }
    return String(
      String(String.UnicodeScalarView(scalars)).drop { $0 == "." || $0 == " " }.prefix(ReceivingLimits.name))
  }
}

/// The limits of one's own uploads, each with its reason.
enum PortfolioUploadLimits {
  /// Unfinished uploads of one person: a phone begins what it sends next, and what was cut waits.
  static let ofPerson = 50
  /// A camera's card is sent in pieces of some megabytes, two pictures at a time.
  static let rate = RouteRate(
    "portfolio uploads", strangers: Rate(burst: 60, perSecond: 2), known: Rate(burst: 1_000, perSecond: 40))
}
