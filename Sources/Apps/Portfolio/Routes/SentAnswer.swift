import Hub
import Store
import Wire

/// What was sent, as its photographer is told.
struct SentAnswer: Sendable {
  let members: [JSON.Member]

  init(_ database: Database, _ sent: SentPortfolio, now: Double) throws(StoreError) {
    let pictures = try database.pictures(sent: sent.id)
    let counts = try database.markCounts(sent: sent.id)
    let galleries = try database.galleries(sent: sent.id)
    let state = sent.withdrawnAt != nil ? "withdrawn" : sent.isOpen(at: now) ? "open" : "ended"
    members = [
      .init("id", .string(sent.address)), .init("title", .string(sent.title)), .init("text", .string(sent.text)),
      .init("state", .string(state)), .init("made_at", JSON(instant: sent.madeAt)),
      .init("until", JSON(instant: sent.until)), .init("pin", sent.pin.isEmpty ? .null : .string(sent.pin)),
      .init("locked", .bool(sent.isLocked)), .init("download", .string(sent.download.rawValue)),
      .init("shows", .array(sent.shows.map { .string($0.rawValue) })),
      .init("galleries", .array(galleries.map { .string($0.address) })),
      .init("pictures", .array(pictures.map { .string($0.picture.address) })),
      .init("opened", .int(try database.openings(sent: sent.id))),
      .init("favourites", .int(counts[.favourite] ?? 0)), .init("remarks", .int(counts[.remark] ?? 0)),
      .init("wishes", .int(counts[.large] ?? 0)),
    ]
  }

  /// - Parameter hub: the hub's address.
  func json(_ sent: SentPortfolio, on hub: String) -> JSON {
    .object(members + [.init("link", .string(hub + sent.path))])
  }
}
