import Galleries
import Synchronization

@testable import Portfolio

/// A source that has what a test says.
final class ScriptedSource: GallerySource {
  struct Stage: Sendable {
    /// The ids of galleries and of their pictures, in order.
    var galleries: [(id: String, pictures: [String])] = []
    var tags: [String: String] = [:]
    /// Titles of pictures; the others have their ids for it.
    var titles: [String: String] = [:]
    /// The fault of the list of galleries.
    var fault: SourceFault?
    /// Faults of galleries, after the first page.
    var faults: [String: SourceFault] = [:]
    /// Faults of pictures' files.
    var files: [String: SourceFault] = [:]
    /// Called before a gallery's pages are told.
    var before: @Sendable () async -> Void = {}
    /// The galleries whose pictures were asked for, and the pictures whose files were, since the last look.
    var listed: [String] = []
    var fetched: [String] = []
  }
  private let stage: Mutex<Stage>
  private let pageSize: Int

  init(_ galleries: [(id: String, pictures: [String])], pageSize: Int = 10) {
    stage = Mutex(Stage(galleries: galleries))
    self.pageSize = pageSize
  }

  func set(_ change: (inout Stage) -> Void) { stage.withLock { change(&$0) } }

  /// The galleries and pictures that were asked for since the last call, in order.
  func asked() -> (galleries: [String], files: [String]) {
    stage.withLock { stage in
      defer { (stage.listed, stage.fetched) = ([], []) }
      return (stage.listed, stage.fetched.sorted())
    }
  }

  func galleries() async throws(SourceFault) -> [SourceGallery] {
    let now = stage.withLock { $0 }
    if let fault = now.fault { throw fault }
    return now.galleries.map { SourceGallery(id: $0.id, title: "Gallery \($0.id)", tag: now.tags[$0.id]) }
  }

  func pictures(
    of gallery: SourceGallery, page: @Sendable (SourcePage) async throws(SourceFault) -> Void
  ) async throws(SourceFault) {
    let now = stage.withLock { stage in
      stage.listed.append(gallery.id)
      return stage
    }
    await now.before()
    let all = now.galleries.first { $0.id == gallery.id }?.pictures ?? []
    for start in stride(from: 0, to: all.count, by: pageSize) {
      let some = all[start..<min(all.count, start + pageSize)].map { Self.picture($0, titles: now.titles) }
      try await page(SourcePage(some))
      if let fault = now.faults[gallery.id] { throw fault }
    }
    if let fault = now.faults[gallery.id] { throw fault }
  }

  /// A picture's id, with a version of its file after an "@", and what is in it after an "=": without that, all of it.
  private static func picture(_ name: String, titles: [String: String]) -> SourcePicture {
    let parts = name.split(separator: "@").map(String.init)
    return SourcePicture(
      id: parts[0], version: parts.count > 1 ? parts[1] : "1", title: titles[parts[0]] ?? parts[0], file: name)
  }

  func fetch(_ picture: SourcePicture, into file: any PictureFile) async throws(SourceFault) {
    let fault = stage.withLock { stage in
      stage.fetched.append(picture.id)
      return stage.files[picture.id]
    }
    if let fault { throw fault }
    try await file.append(Array((picture.file.split(separator: "=").last ?? "").utf8))
  }
}
