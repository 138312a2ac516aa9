/// The types that an attachment may have (UserNotifications, table of the supported types).
public enum MediaType: Sendable, Equatable {
  case aiff, wav, mp3, mpeg4Audio
  case jpeg, gif, png
  case mpeg, mpeg2, mpeg4, avi
  /// A file that only devices with the key can open.
  case sealed

  public enum Kind: Sendable {
    case audio, image, video, sealed

    /// The most bytes of a file.
    public var bytes: Int {
      switch self {
      case .audio: NotificationLimits.audioBytes
      case .image: NotificationLimits.imageBytes
      case .video: NotificationLimits.videoBytes
      case .sealed: NotificationLimits.sealedBytes
      }
    }
  }

  public var kind: Kind {
    switch self {
    case .aiff, .wav, .mp3, .mpeg4Audio: .audio
    case .jpeg, .gif, .png: .image
    case .mpeg, .mpeg2, .mpeg4, .avi: .video
    case .sealed: .sealed
    }
  }

  /// The media type to serve it as.
  var mime: StaticString {
    switch self {
    case .aiff: "audio/aiff"
    case .wav: "audio/wav"
    case .mp3: "audio/mpeg"
    case .mpeg4Audio: "audio/mp4"
    case .jpeg: "image/jpeg"
    case .gif: "image/gif"
    case .png: "image/png"
    case .mpeg, .mpeg2: "video/mpeg"
    case .mpeg4: "video/mp4"
    case .avi: "video/x-msvideo"
    case .sealed: "application/vnd.eightbells.sealed"
    }
  }

  public var name: String { String(decoding: utf8(mime), as: UTF8.self) }
}

/// A type as a sender names it; several names are in use for some.
public enum MediaHint: Sendable, Named {
  case aiff, wav, mp3, mpeg4Audio, jpeg, gif, png, mpeg, mpeg4, avi, sealed

  static var names: [(StaticString, Self)] {
    [
      ("image/png", .png), ("image/jpeg", .jpeg), ("image/gif", .gif),
      ("audio/mpeg", .mp3), ("audio/mp3", .mp3), ("audio/mp4", .mpeg4Audio), ("audio/x-m4a", .mpeg4Audio),
      ("audio/wav", .wav), ("audio/x-wav", .wav), ("audio/wave", .wav), ("audio/vnd.wave", .wav),
      ("audio/aiff", .aiff), ("audio/x-aiff", .aiff),
      ("video/mp4", .mpeg4), ("video/mpeg", .mpeg), ("video/mp2t", .mpeg),
      ("video/x-msvideo", .avi), ("video/avi", .avi), ("video/vnd.avi", .avi),
      ("application/vnd.eightbells.sealed", .sealed),
    ]
  }
  static var accepted: StaticString {
    """
    audio/aiff, audio/wav, audio/mpeg, audio/mp4, image/jpeg, image/gif, image/png, video/mpeg, video/mp4 or \
    video/x-msvideo is accepted
    """
  }

  var types: [MediaType] {
    switch self {
    case .aiff: [.aiff]
    case .wav: [.wav]
    case .mp3: [.mp3]
    case .mpeg4Audio: [.mpeg4Audio]
    case .jpeg: [.jpeg]
    case .gif: [.gif]
    case .png: [.png]
    case .mpeg: [.mpeg, .mpeg2]
    case .mpeg4: [.mpeg4]
    case .avi: [.avi]
    case .sealed: [.sealed]
    }
  }
}
