import Receiving
import Server
import Store
import Uploads

/// An upload to a gallery that has begun.
struct PortfolioUpload: Sendable {
  /// Its outcome is the id of a picture.
  let open: OpenUpload
  /// The keys of its portfolio and gallery, and of whoever sends it.
  let portfolio: Int
  let gallery: Int
  let person: Int
  let file: SentFile
}

/// The sender's words about a file.
struct SentFile: Sendable {
  /// The name of the file, without folders; empty if it has none.
  let name: String
  /// The id of the gallery that it is for.
  let gallery: String
  /// Of the whole file.
  let digest: BlobDigest?

  /// - Throws: for a digest that cannot be one, and without a gallery.
  init(_ metadata: UploadMetadata) throws(UploadRefusal) {
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
