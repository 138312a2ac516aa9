import CivilTime
import Galleries
import Hub
import Imaging
import Store
import Wire

/// The changes that a sync makes. Each is one commit, so a sync that is cut off anywhere goes on from there.
enum SyncChange {
  /// Begins a sync. - Returns: its portfolio and its number; nil if the portfolio is gone.
  static func begin(_ id: Int, in change: Change) throws -> (portfolio: Portfolio, run: Int)? {
    try change.database.portfolio(key: id).map { ($0, try change.database.beginRun(of: id)) }
  }

  /// Notes a complete list of galleries.
  /// - Returns: those whose pictures have to be listed.
  static func note(
    _ galleries: [SourceGallery], of portfolio: Portfolio, run: Int, in change: Change
  ) throws -> [(gallery: SourceGallery, id: Int)] {
    // It may have been deleted meanwhile.
    guard try change.database.portfolio(key: portfolio.id) != nil else { return [] }
    var toList: [(gallery: SourceGallery, id: Int)] = []
    for (position, gallery) in galleries.enumerated() {
      let (noted, isNews) = try change.database.note(
        gallery, position: position, in: portfolio.id, run: run, commit: change.number)
      if gallery.tag == nil || gallery.tag != noted.tag { toList.append((gallery, noted.id)) }
      if isNews { try PortfolioChange.tell(noted, of: portfolio, in: change) }
    }
    try change.database.endList(of: portfolio.id, run: run)
    return toList
  }

  /// Notes a page of a gallery's pictures.
  static func note(
    _ pictures: ArraySlice<SourcePicture>, in gallery: Int, from position: Int, of portfolio: Int, run: Int,
    in change: Change
  ) throws {
    // It may have been deleted meanwhile.
    guard try change.database.portfolio(key: portfolio) != nil else { return }
    var isNews = false
    for (index, picture) in pictures.enumerated() {
      let noted = try change.database.note(picture, in: portfolio)
      let isMoved = try change.database.place(noted.id, in: gallery, position: position + index, run: run)
      if noted.isNews || isMoved { isNews = true }
      // Other galleries have it too; when their turn comes, nothing of it is new any more.
      guard noted.isNews else { continue }
      for other in try change.database.galleries(withPicture: noted.id) where other.id != gallery {
        try change.database.noteChanged(gallery: other.id, commit: change.number)
      }
    }
    if isNews { try change.database.noteChanged(gallery: gallery, commit: change.number) }
  }

  /// Notes why a gallery stays as it is, though its source may have changed.
  static func note(_ reason: Reason, ofGallery id: Int, in change: Change) throws {
    guard let gallery = try change.database.gallery(key: id), gallery.notice != reason,
      let portfolio = try change.database.portfolio(key: gallery.portfolio)
    else { return }
    try change.database.note(reason, ofGallery: id)
    guard let noted = try change.database.gallery(key: id) else { return }
    try PortfolioChange.tell(noted, of: portfolio, in: change)
  }

  /// The sizes that were made of a picture's file.
  struct Made: Sendable {
    let digest: [UInt8]
    let picture: MadePicture
    /// The files, with the names of addresses.
    let blobs: [(name: String, blob: Blob)]
  }

  /// Keeps a picture's files: with its row, so that both become visible at once.
  /// - Returns: true if it was here before.
  static func take(_ made: Made, of picture: PortfolioPicture, isTold: Bool, in change: Change) throws -> Bool {
    let database = change.database
    guard var current = try database.portfolioPicture(key: picture.id),
      let portfolio = try database.portfolio(key: picture.portfolio)
    else { return true }
    let wasThere = current.made != nil
    (current.made, current.digest) = (picture.source.version, made.digest)
    (current.width, current.height) = (made.picture.width, made.picture.height)
    (current.placeholder, current.seconds) = (made.picture.placeholder, made.picture.seconds)
    // Folders and servers do not tell it: the row has the day of the file before, if any.
    let sourceTells = ![.folder, .webdav].contains(portfolio.source.kind)
    current.source.taken =
      try (sourceTells ? current.source.taken : nil) ?? made.picture.taken
      ?? cameraTime(of: made.picture.created, in: database.place()?.zone ?? .utc)
    // Flickr has words of its own, which somebody may have emptied there; guests of albums write them for nobody else.
    current.words = [.folder, .webdav, .uploads].contains(portfolio.source.kind) ? made.picture.words : PictureWords()
    let names = made.blobs.map(\.name)
    for file in current.files where !names.contains(file.name) {
      try database.removeName(PortfolioPicture.blob(file.name, current.address))
    }
    current.files = []
    for (name, blob) in made.blobs {
      try database.name(blob, as: PortfolioPicture.blob(name, current.address))
      current.files.append(.init(name: name, bytes: blob.size, sha256: blob.digest.hex))
    }
    current.tag = String((made.blobs.last?.blob.digest.hex ?? "").prefix(16))
    try database.save(made: current)
    try tell(current.id, of: portfolio, isTold: isTold, in: change)
    return wasThere
  }

  /// The file is the same as the one before, though the source's version is another.
  static func keep(_ picture: PortfolioPicture, in change: Change) throws {
    guard var current = try change.database.portfolioPicture(key: picture.id) else { return }
    current.made = picture.source.version
    try change.database.save(made: current)
  }

  /// Notes that a picture could not be had. The next syncs try it again a few times.
  static func failed(_ picture: Int, because reason: Reason, in change: Change) throws {
    guard let current = try change.database.portfolioPicture(key: picture) else { return }
    try change.database.noteFailure(reason, tries: current.tries + 1, of: picture)
  }

  private static func tell(_ picture: Int, of portfolio: Portfolio, isTold: Bool, in change: Change) throws {
    if isTold { try PortfolioChange.tell(portfolio, isRunning: true, in: change) }
    for var gallery in try change.database.galleries(withPicture: picture) {
      gallery.changed = change.number
      try change.database.noteChanged(gallery: gallery.id, commit: change.number)
      if isTold { try PortfolioChange.tell(gallery, of: portfolio, in: change) }
    }
  }

  // MARK: The end

  /// The pictures that go, after listings that were all complete.
  struct Loss: Sendable {
    /// Their keys. They are in no gallery any more.
    var gone: [Int] = []
    /// Pictures that go if the next look does not find them either.
    var missing = 0
    /// True if that look is to come soon.
    var looksAgain = false
    /// The reason why nothing goes; nil if it may.
    var refusal: Reason?
  }

  /// Takes what its source has no more out of its galleries, unless it is so much that its owner has to say so first.
  /// A file goes only when two looks have missed it: programs write a picture anew by removing it first.
  /// - Parameter isWhole: true if `missingPictures` has found none after these listings: to look at all pictures of a
  ///   large portfolio takes a second, for which all writers would wait.
  static func removeMissing(of id: Int, run: Int, isWhole: Bool, in change: Change) throws -> Loss {
    let database = change.database
    guard var portfolio = try database.portfolio(key: id) else { return Loss() }
    // These have no ids of their own: a file with another name is another picture there.
    let isOfFiles = [.folder, .webdav].contains(portfolio.source.kind)
    if isOfFiles, !isWhole {
      try database.takeRenamed(of: id, run: run, commit: change.number)
    }
    let missing = isWhole ? [] : try database.missingPictures(of: id, run: run)
    // What this listing has added was not here before: it makes up for nothing that is gone.
    let lost = missing.count { $0.wasHere }
    // This hub's own albums are certain, and what is taken back there has to go.
    if lost > 0, !portfolio.mayLose, portfolio.source.kind != .albums {
      let (all, most) = (try database.triedCount(of: id), PortfolioLimits.goneAtOnce)
      let isMuch = try lost > most && (lost * 2 > all || database.hasEmptied(of: id, run: run, above: most))
      guard !isMuch, lost < all else {
        return Loss(refusal: Reason(.manyGone, ["gone": .number(lost), "all": .number(all)]))
      }
    }
    let waits = isOfFiles && !portfolio.mayLose
    let gone = missing.filter { !waits || !$0.wasHere || !$0.isNews }
    if isOfFiles {
      for picture in gone where picture.wasHere {
        try database.give(ofMissing: picture.id, run: run, commit: change.number)
      }
    }
    if !waits { _ = try database.noteMissed(of: id) }
    try database.removeMissed(of: id, commit: change.number)
    let looksAgain = try database.noteMissed(of: id)
    // The word was about these, also if the sync stops before its end: a later loss is asked about anew.
    portfolio.mayLose = false
    try database.save(portfolio)
    return Loss(gone: gone.map { $0.id }, missing: missing.count - gone.count, looksAgain: looksAgain)
  }

  /// Notes the end of a sync.
  /// - Parameters:
  ///   - fault: the reason why it did not come to its end.
  ///   - again: when it goes on by itself after a fault that passes; nil for another fault.
  static func end(_ id: Int, fault: Reason?, again: Double?, next: Double, in change: Change) throws {
    guard var portfolio = try change.database.portfolio(key: id) else { return }
    portfolio.isOpen = fault != nil && again != nil
    (portfolio.fault, portfolio.isWaiting) = (fault, again != nil)
    if fault == nil { portfolio.syncedAt = change.now }
    // The word that many may go is for one look: what is missing at a later one is not what its owner has seen.
    // Somebody may have asked for the next look meanwhile, with a word of their own.
    if portfolio.nextAt == nil { portfolio.mayLose = false }
    portfolio.nextAt = portfolio.nextAt ?? again ?? next
    try change.database.save(portfolio)
    try change.database.forgetSent(before: change.now - SentLimits.keptSeconds)
    if fault == nil, portfolio.source.kind == .demo { try SentChange.fillDemo(of: portfolio, in: change) }
    try PortfolioChange.tell(portfolio, isRunning: false, in: change)
  }
}

extension Reason.Kind {
  static let manyGone = Self(
    "portfolio-many-gone",
    "{gone} of {all} pictures are not in the source any more; none is removed until you say that they may go")
}
