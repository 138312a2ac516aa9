/// A place whose galleries a portfolio shows: a folder, a server, an account with a service.
///
/// Calls may come one after another from several tasks; `fetch` is called a few times at once. A source asks again by
/// itself only where its service says so at once; it throws `.later` for everything that takes more than a few seconds.
public protocol GallerySource: Sendable {
  /// All galleries, in their owner's order. The list is complete, or this throws: what is not in it is gone.
  func galleries() async throws(SourceFault) -> [SourceGallery]

  /// Calls `page` for each page of a gallery's pictures, in order; pages may be short, and a picture may come twice.
  /// When this returns, the pages were complete: what was in none of them is gone.
  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault)

  /// Writes a picture's file: the largest one up to 2048 pixels, or its original; of a video, the video.
  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault)
}

/// The hub's file that a source writes a picture to.
public protocol PictureFile: Sendable {
  /// The most bytes it takes.
  var limit: Int { get }

  /// Adds the next bytes.
  /// - Throws: `.broken` past the limit, `.noRoom` when the disk is nearly full.
  func append(_ bytes: [UInt8]) async throws(SourceFault)
}

/// The limits of what a source tells. What is longer is cut by whoever makes the value.
public enum GalleryLimits {
  /// The most bytes of an id, a version and a tag.
  public static let id = 1_000
  /// The most characters of a title, and of a text.
  public static let title = 300
  public static let text = 4_000
  /// The most bytes of `SourcePicture.file`.
  public static let file = 4_000
  /// Pictures of one commit, however large a source's pages are.
  public static let page = 500
  /// Galleries of a source, and pictures of a gallery.
  public static let galleries = 5_000
  public static let pictures = 50_000
}
