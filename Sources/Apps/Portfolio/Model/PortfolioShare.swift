import Hub
import Receiving
import Server
import Settings
import Wire

/// The room on the hub's disk that each person has for portfolios.
struct PortfolioShare: Sendable {
  static let option = DiskShare.option(
    "portfolio_gigabytes", fallback: "50", "for the portfolios of one person, all sizes and originals")

  /// Bytes of one person.
  let limit: Int
  private let hub: Hub

  init(_ hub: Hub) {
    limit = DiskShare.bytes(hub.options[Self.option.name])
    self.hub = hub
  }

  /// - Throws: 413 if so many bytes more do not fit.
  func demand(_ bytes: Int, besides used: Int) throws(HTTPError) {
    guard used + bytes <= limit else {
      throw HTTPError(
        .shareFull, "Your portfolios have \(DiskShare.words(used)) of their \(DiskShare.words(limit)).",
        help: "Remove pictures or a portfolio, or ask whoever runs the hub for more room (portfolio_gigabytes).")
    }
  }

  /// - Throws: 507 if the disk would be nearly full afterwards.
  func demandDisk(_ bytes: Int) throws(HTTPError) { try DiskShare.demandDisk(bytes, of: hub, .portfolioDiskFull) }

  /// As pages are told.
  func json(used: Int) -> JSON { ["bytes": .int(used), "limit": .int(limit)] }
}

extension Reason {
  /// The reason why a sync stops when its owner's share is full.
  static func shareFull(_ used: Int, of limit: Int) -> Reason {
    Reason(.shareFull, ["used": .text(DiskShare.words(used)), "limit": .text(DiskShare.words(limit))])
  }
}

extension Reason.Kind {
  static let shareFull = Self(
    "portfolio-share-full",
    "its owner's portfolios have {used} of their {limit}: remove pictures or a portfolio, or ask whoever runs the hub "
      + "for more room")
}
