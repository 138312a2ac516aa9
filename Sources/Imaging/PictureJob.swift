/// A picture or video to be looked at and made smaller.
public struct PictureJob: Sendable {
  public enum Wish: Hashable, Sendable {
    /// A sender's own small JPEG, written anew: of at most `ImagingLimits.previewBytes`.
    case preview
    /// JPEGs of these long edges in pixels; never larger than the picture is.
    case sizes([Int])
  }
  public enum Source: Sendable {
    /// A regular file, open for reading. It stays open until the job ends, and its offset does not matter.
    case descriptor(Int32)
    /// For what is small: at most `ImagingLimits.inlineBytes`.
    case bytes([UInt8])
  }
  public var source: Source
  public var wish: Wish
  /// Its file's name, whose ending tells raw files of some cameras from other TIFF files.
  public var name: String?

  public init(source: Int32, wish: Wish, name: String? = nil) {
    (self.source, self.wish, self.name) = (.descriptor(source), wish, name)
  }

  public init(bytes: [UInt8], wish: Wish, name: String? = nil) {
    (self.source, self.wish, self.name) = (.bytes(bytes), wish, name)
  }
}

/// The result of a job. Nothing in its pictures tells a place, a device, a name or a time.
public struct MadePicture: Equatable, Sendable {
  public enum Kind: String, CaseIterable, Sendable {
    case photo, video
    /// A camera's raw file: kept as it is, without sizes.
    case raw
    /// Anything else: kept as it is.
    case other
  }
  public var kind = Kind.other
  /// In pixels, as it is seen (orientation applied); 0 when unknown.
  public var width = 0
  public var height = 0
  /// The local time that the camera wrote, such as 2026-11-21T18:04:00.
  public var taken: String?
  /// The moment that a video's file says, unchecked, such as 2026-11-21T17:04:00.000000Z: many phones write no more.
  public var created: String?
  /// Apple's content identifier, which the photo and the video of a live photo share.
  public var pair: String?
  /// The title and the caption in the file.
  public var words = PictureWords()
  /// A ThumbHash of about 21 bytes; empty when there is no picture.
  public var placeholder: [UInt8] = []
  /// JPEGs by their long edge in pixels; of a video, of one of its pictures.
  public var sizes: [Int: [UInt8]] = [:]
  /// The length of a video.
  public var seconds: Double?

  public init() {}
}

/// The reason why nothing was made.
public enum PictureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is broken, or not what it says it is. With the decoder's words.
  case notAPicture(String)
  case tooLarge(String)
  case tookTooLong
  /// The decoder died or could not be started; another try may go well.
  case helperFailed(String)
  /// The program does not run at the moment; nothing was tried.
  case notRunning(String)
  /// With what has to be installed.
  case notInstalled(String)
  /// The waiting room is full, or another one had its turn.
  case full

  public var description: String {
    switch self {
    case .notAPicture(let words): "not a picture that can be read: \(words)"
    case .tooLarge(let words): "too large: \(words)"
    case .tookTooLong: "it took too long"
    case .helperFailed(let words): "the picture program failed: \(words)"
    case .notRunning(let words): "the picture program does not run: \(words)"
    case .notInstalled(let words): "not installed: \(words)"
    case .full: "too many pictures are waiting"
    }
  }
}
