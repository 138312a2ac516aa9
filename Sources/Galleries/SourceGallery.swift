public import Wire

/// A gallery as its source tells it.
public struct SourceGallery: Equatable, Sendable {
  /// Its id in the source; it stays when the title changes.
  public var id: String
  public var title: String
  public var text: String
  /// The same tag as last time means that no picture in it has changed, so its pictures are not asked for. Nil if the
  /// source has none: they are asked for each time.
  public var tag: String?
  /// The id of the picture that its owner has chosen for the cover.
  public var cover: String?
  /// The name of what it stands in with others, such as a collection of sets; empty if it stands alone.
  public var group: String

  public init(
    id: String, title: String, text: String = "", tag: String? = nil, cover: String? = nil, group: String = ""
  ) {
    (self.id, self.title, self.text) = (id, title, text)
    (self.tag, self.cover, self.group) = (tag, cover, group)
  }
}

/// Some of a gallery's pictures.
public struct SourcePage: Sendable {
  /// In the owner's order, after those of the page before.
  public var pictures: [SourcePicture]
  /// The reason why some of the gallery is left out of its pages; nil if all of it is there.
  public var notice: Reason?

  public init(_ pictures: [SourcePicture], notice: Reason? = nil) {
    (self.pictures, self.notice) = (pictures, notice)
  }
}

/// A picture or video as its source tells it. A picture with the same id may be in several galleries.
public struct SourcePicture: Equatable, Sendable {
  public enum Kind: String, Sendable {
    case picture, video
  }

  /// Its id in the source, the same in all its galleries.
  public var id: String
  /// Changes with the file's content; words about the picture may change without it.
  public var version: String
  public var kind: Kind
  public var title: String
  public var caption: String
  /// Local time of taking, such as 2026-11-21T18:04:00.
  public var taken: String?
  /// Seconds since 1970.
  public var uploaded: Double?
  /// In pixels as it is seen, if the source tells it.
  public var width: Int?
  public var height: Int?
  public var place: SourcePlace?
  /// True if not everybody may see it at its source.
  public var isPrivate: Bool
  /// The address of its page at its source.
  public var page: String?
  /// The name of its license.
  public var license: String?
  /// The source's own words, from which `fetch` finds the file. They are kept, so that a sync that was cut off goes on
  /// without asking again. No secrets.
  public var file: String
  /// The file's size, if the source tells it.
  public var bytes: Int?

  public init(
    id: String, version: String, kind: Kind = .picture, title: String = "", caption: String = "", taken: String? = nil,
    uploaded: Double? = nil, width: Int? = nil, height: Int? = nil, place: SourcePlace? = nil, isPrivate: Bool = false,
    page: String? = nil, license: String? = nil, file: String, bytes: Int? = nil
  ) {
    (self.id, self.version, self.kind, self.title, self.caption) = (id, version, kind, title, caption)
    (self.taken, self.uploaded, self.width, self.height, self.place) = (taken, uploaded, width, height, place)
    (self.isPrivate, self.page, self.license, self.file, self.bytes) = (isPrivate, page, license, file, bytes)
  }
}

/// The place where a picture was taken.
public struct SourcePlace: Equatable, Sendable {
  public var name: String?
  /// Degrees north, and degrees east.
  public var latitude: Double?
  public var longitude: Double?

  public init(name: String? = nil, latitude: Double? = nil, longitude: Double? = nil) {
    (self.name, self.latitude, self.longitude) = (name, latitude, longitude)
  }
}
