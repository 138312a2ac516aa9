import Hub
import Store
import Wire

/// What was sent, as its photographer is told.
struct SentAnswer: Sendable {
  private let members: [JSON.Member]

  /// - Parameter isWhole: true to name the pictures, of which there may be thousands.
  init(_ database: Database, _ sent: SentPortfolio, now: Double, isWhole: Bool) throws(StoreError) {
    let counts = try database.markCounts(sent: sent.id)
    let galleries = try database.galleries(sent: sent.id)
    let state = sent.withdrawnAt != nil ? "withdrawn" : sent.isOpen(at: now) ? "open" : "ended"
    var members: [JSON.Member] = [
      .init("id", .string(sent.address)), .init("title", .string(sent.title)), .init("text", .string(sent.text)),
      .init("state", .string(state)), .init("made_at", JSON(instant: sent.madeAt)),
      .init("until", JSON(instant: sent.until)), .init("pin", sent.pin.isEmpty ? .null : .string(sent.pin)),
      .init("locked", .bool(sent.isLocked)), .init("download", .string(sent.download.rawValue)),
      .init("shows", .array(sent.shows.map { .string($0.rawValue) })),
      .init("galleries", .array(galleries.map { .string($0.address) })),
      .init("count", .int(try database.pictureCount(sent: sent.id))),
      .init("opened", .int(try database.openings(sent: sent.id))),
      .init("favourites", .int(counts[.favourite] ?? 0)), .init("remarks", .int(counts[.remark] ?? 0)),
      .init("wishes", .int(counts[.large] ?? 0)),
    ]
    if isWhole {
      let pictures = try database.pictures(sent: sent.id)
      members.append(.init("pictures", .array(pictures.map { .string($0.picture.address) })))
      members.append(.init("file_bytes", try OneFileIndex(database, sent).estimates))
    }
    self.members = members
  }

  /// - Parameter hub: the hub's address.
  func json(_ sent: SentPortfolio, on hub: String) -> JSON {
    .object(members + [.init("link", .string(hub + sent.path))])
  }
}
