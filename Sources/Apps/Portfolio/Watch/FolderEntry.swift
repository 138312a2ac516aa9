import Galleries
import Wire

/// A file or a folder within a source that has some.
struct FolderEntry: Sendable {
  let name: String
  /// By which it is asked for.
  let path: String
  let isFolder: Bool
  /// Changes with a file's content.
  let version: String
  let bytes: Int?
  /// The entity tag, if the source has them.
  var etag: String?

  var isPicture: Bool { !isFolder && FileEnding.isKnown(name) }

  /// True for what may be the picture or the film of a live photo.
  fileprivate var isStill: Bool { !isFolder && FileEnding.isStill(name) }
  fileprivate var isMoment: Bool {
    !isFolder && FileEnding.isMoment(name) && bytes ?? .max <= PortfolioLimits.momentBytes
  }

  /// Folders of storage boxes and of systems for themselves, in each folder or in the topmost one.
  private static let owned: Set = [
    "@eaDir", "@tmp", "@Recycle", "@Recently-Snapshot", "#recycle", "#snapshot", "$RECYCLE.BIN",
    "System Volume Information", "lost+found", "__MACOSX",
  ]

  /// True for what a source does not show to people either.
  static func isHidden(_ name: String) -> Bool { name.hasPrefix(".") || owned.contains(name) }

  /// - Parameter folder: the names of the folders that it is in, from the source's own on; empty for that one.
  func picture(in folder: String) -> SourcePicture {
    SourcePicture(
      id: folder.isEmpty ? name : "\(folder)/\(name)", version: version,
      kind: FileEnding.isVideo(name) ? .video : .picture, title: FileEnding.stem(name), file: path, bytes: bytes)
  }
}

extension [FolderEntry] {
  /// The entries that count, in the order of names. A live photo is its picture alone, as in albums, by their rule: one
  /// picture and one short film of a name.
  var listed: [FolderEntry] {
    let halves = Dictionary(grouping: filter { $0.isStill || $0.isMoment }) { FileEnding.stem($0.name).lowercased() }
    let pairs = halves.values.filter { $0.count == 2 && $0[0].isStill != $0[1].isStill }
    let films = Set(pairs.joined().filter(\.isMoment).map(\.name))
    return filter { !films.contains($0.name) }
      .map { (NameOrder.key($0.name), $0) }.sorted { $0.0 < $1.0 }.map { $0.1 }
  }
}

/// The order of files' names, as people have it.
enum NameOrder {
  /// By which names are compared: 2 before 10, and a before B.
  static func key(_ name: String) -> String {
    var (key, digits) = ("", "")
    for character in name.lowercased() {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        key += pad(digits)
        digits = ""
        key.append(character)
      }
    }
    return key + pad(digits) + "\u{0}" + name
  }

  private static func pad(_ digits: String) -> String {
    digits.isEmpty ? "" : String(repeating: "0", count: max(0, 20 - digits.count)) + digits
  }
}

/// The endings of files that are taken for pictures and videos; what they are, the program for pictures finds out.
enum FileEnding {
  private static let pictures: Set = [
    "jpg", "jpeg", "jfif", "png", "webp", "heic", "heif", "hif", "avif", "tif", "tiff", "gif",
  ]
  private static let videos: Set = ["mp4", "mov", "m4v", "webm", "avi", "mkv", "3gp", "3g2", "mts", "m2ts"]

  private static func ending(_ name: String) -> String {
    name.lastIndex(of: ".").map { name[name.index(after: $0)...].lowercased() } ?? ""
  }
  static func isVideo(_ name: String) -> Bool { videos.contains(ending(name)) }
  static func isKnown(_ name: String) -> Bool { pictures.contains(ending(name)) || isVideo(name) }
  /// The two files of a live photo.
  static func isStill(_ name: String) -> Bool { ["heic", "heif", "jpg", "jpeg"].contains(ending(name)) }
  static func isMoment(_ name: String) -> Bool { ending(name) == "mov" }

  /// A file's name without its ending.
  static func stem(_ name: String) -> String {
    String((name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]).prefix(GalleryLimits.title))
  }
}

extension Reason {
  /// The notice of a gallery of which folders are left out; nil if none are.
  static func tooDeep(_ count: Int) -> Reason? {
    count == 0 ? nil : Reason(.tooDeep, ["count": .number(count), "levels": .number(PortfolioLimits.depth)])
  }

  /// The notice of a gallery of which files and folders are left out since their names are no UTF-8; nil if none are.
  static func unnamed(_ count: Int) -> Reason? {
    count == 0 ? nil : Reason(.unnamed, ["count": .number(count)])
  }
}

extension Reason.Kind {
  static let unnamed = Self(
    "portfolio-unnamed",
    "Files and folders whose names are not in UTF-8, as old archives leave them, are left out ({count}); rename them")
  static let tooDeep = Self(
    "portfolio-too-deep", "Folders that lie deeper than {levels} levels are left out ({count}); move them up")
}
