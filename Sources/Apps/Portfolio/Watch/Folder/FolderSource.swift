import Crypto
import Galleries
import Wire

/// A folder of the hub's machine: each of its subfolders is a gallery, with all pictures below it; pictures that lie in
/// the folder itself are a gallery of their own. Symbolic links below it are not followed.
struct FolderSource: GallerySource {
  /// The id of the gallery of what lies in the folder itself.
  private static let top = "."
  private let path: String
  private let reader: FolderReader

  init(_ path: String) {
    self.path = path
    reader = FolderReader(path)
  }

  func galleries() async throws(SourceFault) -> [SourceGallery] {
    let content = try await reader.content(of: "")
    let entries = content.entries
    var galleries: [SourceGallery] = []
    // What cannot be named is told by a gallery, though it may be the only thing there.
    if content.unnamed > 0 || entries.contains(where: \.isPicture) {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      galleries.append(try await gallery(Self.top, name))
    }
    for folder in entries where folder.isFolder { galleries.append(try await gallery(folder.name, folder.name)) }
    return galleries
  }

  /// The tag is a digest of all names, sizes and times, and of what is left out, so that nothing is noted anew where
  /// nothing has changed.
  private func gallery(_ id: String, _ title: String) async throws(SourceFault) -> SourceGallery {
    var gallery = SourceGallery(id: id, title: String(title.prefix(GalleryLimits.title)))
    let found: Found
    do {
      found = try await all(of: gallery)
    } catch {
      // The listing says what is wrong, of this gallery alone.
      guard case .broken = error else { throw error }
      return gallery
    }
    let text = found.pictures.map { "\($0.id)\n\($0.version)\n" }.joined() + "\(found.tooDeep) \(found.unnamed)"
    gallery.tag = Digest.hex(Digest.sha256(text.utf8))
    return gallery
  }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    let found = try await all(of: gallery)
    try await page(
      SourcePage(found.pictures, notice: Reason.unnamed(found.unnamed) ?? Reason.tooDeep(found.tooDeep)))
  }

  /// What lies in a gallery.
  private struct Found {
    var pictures: [SourcePicture] = []
    /// Folders that lie too deep to be read.
    var tooDeep = 0
    /// Files and folders whose names are no UTF-8.
    var unnamed = 0
  }

  private func all(of gallery: SourceGallery) async throws(SourceFault) -> Found {
    var found = Found()
    guard gallery.id != Self.top else {
      let content = try await reader.content(of: "")
      found.pictures = content.entries.filter(\.isPicture).map { $0.picture(in: "") }
      found.unnamed = content.unnamed
      return found
    }
    try await add(gallery.id, to: &found, level: 0)
    return found
  }

  private func add(_ folder: String, to found: inout Found, level: Int) async throws(SourceFault) {
    guard level < PortfolioLimits.depth else {
      found.tooDeep += 1
      return
    }
    let content = try await reader.content(of: folder)
    found.unnamed += content.unnamed
    for entry in content.entries {
      if entry.isPicture { found.pictures.append(entry.picture(in: folder)) }
      if entry.isFolder { try await add(entry.path, to: &found, level: level + 1) }
      try SourceFault.demand(found.pictures.count, atMost: GalleryLimits.pictures)
    }
  }

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    let open = try await reader.open(picture.file)
    guard open.version == picture.version else { throw .broken(Reason(.fileChanges)) }
    var offset = 0
    while true {
      let piece = try await reader.read(open, from: offset)
      guard !piece.isEmpty else { break }
      try await file.append(piece)
      offset += piece.count
    }
    // Somebody may be writing it at this moment: half a picture is none.
    guard try await reader.version(of: open) == picture.version else { throw .broken(Reason(.fileChanges)) }
  }
}

extension Reason.Kind {
  static let fileChanges = Self("portfolio-file-changes", "its file is being changed at the moment")
}
