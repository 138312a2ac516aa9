import Galleries
import Imaging
import Store
import Wire

/// One picture of a portfolio, with what was made of it.
struct PortfolioPicture: Sendable {
  var id = 0
  let portfolio: Int
  /// The id in addresses.
  let address: String
  var source: SourcePicture
  /// The version of the source that the files were made of; nil if there are none yet.
  var made: String?
  /// The SHA-256 of the file that they were made of.
  var digest: [UInt8] = []
  /// The title and the caption in that file; nil if it was not looked at for them. Sources with words of their own have
  /// theirs instead.
  var words: PictureWords?
  /// The version in addresses: changes with the files.
  var tag = ""
  /// As it is seen, in pixels; 0 until that is known.
  var width = 0
  var height = 0
  /// ThumbHash; empty until it is made.
  var placeholder: [UInt8] = []
  /// The length of a video.
  var seconds: Double?
  /// The reason why the version that the source has now is not here; nil if nothing went wrong.
  var failure: Reason?
  /// Tries that ended without a word about the picture.
  var tries = 0
  var files: [File] = []
  /// The file as it was uploaded; nil if the source has it.
  var original: Original?

  /// A file as it was uploaded.
  struct Original: Equatable, Sendable {
    let bytes: Int
    /// By its first bytes.
    let type: String
    /// The name that it had on its owner's device; may be empty.
    let name: String
  }

  /// A file that was made.
  struct File: Equatable, Sendable {
    /// As in addresses: "320", "2048" or "video".
    let name: String
    let bytes: Int
    /// The SHA-256, 64 digits.
    let sha256: String
  }

  static let fileNames = PortfolioLimits.sizes.map { "\($0)" } + ["video"]

  /// The name of what was uploaded, beside those of `fileNames`.
  static let originalName = "original"

  static func blob(_ file: String, _ address: String) -> BlobName {
    BlobName(room: PortfolioRoom.id, "\(file)/\(address)")
  }

  /// Its title: of its file, or of its source, where that is the file's name in folders. May be empty.
  var title: String { words.map(\.title).flatMap { $0.isEmpty ? nil : $0 } ?? source.title }

  /// Its name for people: the title, or the last part of its id.
  var name: String { title.isEmpty ? String(source.id.split(separator: "/").last ?? "") : title }

  /// The name of its file, where it has another title; nil where the source knows no files, such as Flickr.
  var file: String? {
    let name = original?.name ?? source.id.split(separator: "/").last.map { String($0) } ?? ""
    return !name.isEmpty && FileEnding.stem(name) == source.title && title != source.title ? name : nil
  }

  var caption: String { words.map(\.caption).flatMap { $0.isEmpty ? nil : $0 } ?? source.caption }
}

/// A gallery of a portfolio.
struct PortfolioGallery: Equatable, Sendable {
  var id = 0
  let portfolio: Int
  let address: String
  var sourceID: String
  var title: String
  var text: String
  /// The source's tag when all its pictures were listed last.
  var tag: String?
  /// The keys of its pictures that are the cover, by the choice of the portfolio's owner, and by the source.
  var chosenCover: Int?
  var sourceCover: String?
  var isHidden = false
  /// The name of what it stands in with others; empty if it stands alone.
  var group = ""
  /// The reason why some of it is left out; nil if all of it is there.
  var notice: Reason?
  /// The number of the commit that has changed it last.
  var changed = 0
}

/// The result of a sync, as `portfolio sync` tells it.
struct SyncReport: Sendable {
  var photos = 0
  var new = 0
  var changed = 0
  var gone = 0
  /// They go if the next look does not find them either.
  var missing = 0
  var failed: [FailedPicture] = []

  struct FailedPicture: Sendable {
    let picture: String
    let title: String
    let gallery: String
    let why: Reason

    var json: JSON {
      ["picture": .string(picture), "title": .string(title), "gallery": .string(gallery), "why": why.json]
    }
  }
}
