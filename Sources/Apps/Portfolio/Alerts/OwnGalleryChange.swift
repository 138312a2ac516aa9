import Galleries
import Hub
import Receiving
import Server
import Store
import Uploads
import Wire

/// The changes of galleries that their owner makes here, and of what they upload to them. Each is called in one
/// `hub.commit`.
enum OwnGalleryChange {
  /// The caller's portfolio, if its galleries are made here.
  static func portfolio(_ address: String, in change: Change) throws -> Portfolio {
    let portfolio = try PortfolioChange.own(address, in: change)
    guard !portfolio.source.isListed else { throw HTTPError.galleriesFollowSource }
    return portfolio
  }

  private static func own(
    _ gallery: String, of address: String, in change: Change
  ) throws -> (Portfolio, PortfolioGallery) {
    let portfolio = try portfolio(address, in: change)
    guard let found = try change.database.gallery(gallery, of: portfolio.id) else { throw HTTPError.noSuchGallery }
    return (portfolio, found)
  }

  /// - Returns: the id of the new gallery.
  static func make(_ title: String, in address: String, in change: Change) throws -> String {
    let portfolio = try portfolio(address, in: change)
    guard try change.database.galleryCount(of: portfolio.id) < GalleryLimits.galleries else {
      throw HTTPError.tooManyInPortfolio
    }
    let id = RandomID.make()
    let gallery = PortfolioGallery(
      portfolio: portfolio.id, address: id, sourceID: id, title: title, text: "", changed: change.number)
    _ = try change.database.add(gallery)
    tellList(portfolio, in: change)
    return id
  }

  static func rename(_ gallery: String, of address: String, to title: String, in change: Change) throws {
    let (_, found) = try own(gallery, of: address, in: change)
    try change.database.rename(gallery: found.id, to: title)
  }

  /// Puts the galleries of a portfolio in another order; those that are not named are behind.
  /// - Parameter order: their ids; nil: as the source has them.
  static func order(_ order: [String]?, of address: String, in change: Change) throws {
    let portfolio = try PortfolioChange.own(address, in: change)
    let all = try change.database.galleries(of: portfolio.id)
    let places = Dictionary(zip(order ?? [], 0...), uniquingKeysWith: { first, _ in first })
    for gallery in all { try change.database.place(gallery: gallery.id, at: places[gallery.address]) }
    tellList(portfolio, in: change)
  }

  /// Removes some of a gallery's pictures, those that are in no other one with their files; at last the gallery.
  /// - Returns: true if there are more.
  static func removeSome(of gallery: String, of address: String, in change: Change) throws -> Bool {
    let (portfolio, found) = try own(gallery, of: address, in: change)
    let (database, rows) = (change.database, PortfolioUploadTables.rows)
    for (upload, _) in try rows.unfinished("gallery", found.id, database) { try rows.end(upload, database) }
    let pictures = try database.picturesOnly(in: found.id, limit: PortfolioLimits.removedAtOnce)
    for picture in pictures { try database.removePicture(picture, commit: change.number) }
    guard pictures.count < PortfolioLimits.removedAtOnce else { return true }
    try database.removeGallery(found.id)
    try change.audit("portfolio.gallery_removed", about: found.title)
    tellList(portfolio, in: change)
    return false
  }

  /// Takes a picture out of a gallery, or of all. One that is in none is removed with its files.
  static func remove(_ picture: String, from gallery: String?, of address: String, in change: Change) throws {
    let (database, portfolio) = (change.database, try portfolio(address, in: change))
    guard let found = try database.portfolioPicture(picture, of: portfolio.id) else {
      throw HTTPError.noSuchPortfolioPicture
    }
    let holders = try database.galleries(withPicture: found.id)
    let left = holders.filter { gallery == nil || $0.address == gallery }
    guard gallery == nil || !left.isEmpty else { throw HTTPError.noSuchPortfolioPicture }
    for holder in left { try database.removePlace(of: found.id, in: holder.id) }
    if left.count == holders.count { try database.removePicture(found.id, commit: change.number) }
    for holder in left { try tell(holder.id, of: portfolio, in: change) }
    try PortfolioChange.tellFavourites(of: portfolio, in: change)
    try PortfolioChange.tell(portfolio, isRunning: false, in: change)
  }

  /// Moves a picture within its gallery.
  /// - Parameter next: the picture that it goes before; nil: to the end.
  static func move(
    _ picture: String, before next: String?, in gallery: String, of address: String, in change: Change
  ) throws {
    let (portfolio, found) = try own(gallery, of: address, in: change)
    guard let moved = try change.database.portfolioPicture(picture, of: portfolio.id) else {
      throw HTTPError.noSuchPortfolioPicture
    }
    let other = try next.map { try change.database.portfolioPicture($0, of: portfolio.id)?.id ?? 0 }
    guard try change.database.move(moved.id, before: other, in: found.id) else {
      throw HTTPError.noSuchPortfolioPicture
    }
    try tell(found.id, of: portfolio, in: change)
  }

  // MARK: Uploads

  /// Begins an upload, if it fits. Bytes that others of the same person have announced count already.
  static func begin(
    _ creation: UploadCreation, _ file: SentFile, to address: String, by person: Int, share: PortfolioShare,
    in change: Change
  ) throws -> PortfolioUpload {
    let database = change.database
    let (portfolio, gallery) = try own(file.gallery, of: address, in: change)
    let unfinished = try PortfolioUploadTables.rows.unfinished("person", person, database)
    guard unfinished.count < PortfolioUploadLimits.ofPerson else { throw HTTPError.tooManyPortfolioUploads }
    let used = try database.portfolioBytes(of: portfolio.person)
    try share.demand(unfinished.reduce(creation.length) { $0 + $1.size }, besides: used)
    try share.demandDisk(creation.length)
    let upload = PortfolioUpload(
      open: PortfolioUploadTables.rows.begun(creation, digest: file.digest, now: change.now), portfolio: portfolio.id,
      gallery: gallery.id, person: person, file: file)
    try database.add(upload)
    try database.begin(upload.open, refusal: .tooManyPortfolioUploads)
    return upload
  }

  /// Ends an upload that has come completely: it becomes a picture, whose sizes the next sync makes. The same bytes in
  /// the same portfolio are one picture.
  /// - Returns: the picture's id.
  static func finish(
    _ upload: PortfolioUpload, _ finished: FinishedUpload, share: PortfolioShare, in change: Change
  ) throws -> String {
    let database = change.database
    guard try database.endUpload(upload.open.blob), let gallery = try database.gallery(key: upload.gallery),
      var portfolio = try database.portfolio(key: upload.portfolio), portfolio.belongs(to: change.principal)
    else { throw UploadCodes.ofPortfolios.refusal(.gone) }
    guard try database.placeCount(in: gallery.id) < GalleryLimits.pictures else { throw HTTPError.tooManyInPortfolio }
    let kind = FileKind(finished.beginning)
    guard kind != .unknown, kind.asSound == .unknown || kind.isVideo else { throw HTTPError.notAPortfolioPicture }
    let digest = finished.blob.digest
    let address: String
    if let known = try database.portfolioPicture(digest: digest.bytes, of: portfolio.id) {
      address = known.address
      try database.insert(known.id, into: gallery.id)
    } else {
      try share.demand(upload.open.size, besides: try database.portfolioBytes(of: portfolio.person))
      address = RandomID.make()
      let source = SourcePicture(
        id: address, version: String(digest.hex.prefix(32)), kind: kind.isVideo ? .video : .picture,
        title: FileEnding.stem(upload.file.name), uploaded: change.now, file: address, bytes: upload.open.size)
      var picture = PortfolioPicture(portfolio: portfolio.id, address: address, source: source)
      picture.digest = digest.bytes
      picture.original = .init(bytes: upload.open.size, type: kind.type, name: upload.file.name)
      let key = try database.addUploaded(picture)
      try database.name(finished.blob, as: PortfolioPicture.blob(PortfolioPicture.originalName, address))
      try database.insert(key, into: gallery.id)
      portfolio.nextAt = change.now
      try database.save(portfolio)
      try PortfolioChange.tell(portfolio, isRunning: true, in: change)
    }
    try tell(gallery.id, of: portfolio, in: change)
    try database.finishPortfolioUpload(
      upload.open.address, picture: address, expires: change.now + ReceivingLimits.toldSeconds)
    return address
  }

  // MARK: Events

  private static func tell(_ gallery: Int, of portfolio: Portfolio, in change: Change) throws {
    try change.database.noteChanged(gallery: gallery, commit: change.number)
    guard let changed = try change.database.gallery(key: gallery) else { return }
    try PortfolioChange.tell(changed, of: portfolio, in: change)
  }

  /// Galleries have come, gone, or changed their places.
  private static func tellList(_ portfolio: Portfolio, in change: Change) {
    change.publish("galleries", on: portfolio.channel, [:])
  }
}
