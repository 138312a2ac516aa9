import Hub
import Store
import Wire

extension SentPortfolio {
  /// A portfolio that was sent, as its photographer is told of it.
  /// - Parameters:
  ///   - isWhole: true to name the pictures, of which there may be thousands.
  ///   - hub: the hub's address.
  func json(_ database: Database, now: Double, isWhole: Bool, on hub: String) throws(StoreError) -> JSON {
    let counts = try database.markCounts(sent: id)
    let galleries = try database.galleries(sent: id)
    let state = withdrawnAt != nil ? "withdrawn" : isOpen(at: now) ? "open" : "ended"
    var members: [JSON.Member] = [
      .init("id", .string(address)), .init("title", .string(title)), .init("text", .string(text)),
      .init("state", .string(state)), .init("made_at", JSON(instant: madeAt)),
      .init("until", JSON(instant: until)), .init("pin", pin.isEmpty ? .null : .string(pin)),
      .init("locked", .bool(isLocked)), .init("download", .string(download.rawValue)),
      .init("shows", .array(shows.map { .string($0.rawValue) })),
      .init("galleries", .array(galleries.map { .string($0.address) })),
      .init("count", .int(try database.pictureCount(sent: id))),
      .init("opened", .int(try database.openings(sent: id))),
      .init("favourites", .int(counts[.favourite] ?? 0)), .init("remarks", .int(counts[.remark] ?? 0)),
      .init("wishes", .int(counts[.large] ?? 0)),
    ]
    if isWhole {
      let pictures = try database.pictures(sent: id)
      members.append(.init("pictures", .array(pictures.map { .string($0.picture.address) })))
      members.append(.init("file_bytes", try OneFileIndex(database, self).estimates))
    }
    return .object(members + [.init("link", .string(hub + path))])
  }
}
