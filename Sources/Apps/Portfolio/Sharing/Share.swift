import Crypto
import Galleries
import Hub
import Server

/// A picture or a gallery that everybody may see who has its address.
struct Share: Equatable, Sendable {
  let address: String
  /// The keys of its portfolio, and of its picture or gallery.
  let portfolio: Int
  let picture: Int?
  let gallery: Int?

  /// The address on the hub: a page of one picture, or one for frames.
  var path: String { picture == nil ? "\(SharedRoutes.embed)/\(address)" : "\(SharedRoutes.page)/\(address)" }
}

enum ShareLimits {
  /// Shares of one portfolio.
  static let shares = 1_000
  /// Pictures on a page that others see: Flickr allows no more of its.
  static let pictures = 30
  /// Bytes of an address: 128 bits, so nobody guesses one.
  static let addressBytes = 16
  /// Seconds for which browsers keep a file: what was taken back is gone within the hour.
  static let fileSeconds = 3_600
  /// Pages and files for strangers: a page asks for 30 at once, and a whole office may have one address.
  static let rate = RouteRate(
    "shared pictures", strangers: Rate(burst: 600, perSecond: 20), known: Rate(burst: 600, perSecond: 20))
}

extension PortfolioChange {
  /// Lets everybody see a picture or a gallery who has its address. A second time, the address is the same.
  static func share(picture: String?, gallery: String?, of address: String, in change: Change) throws -> Share {
    let (database, portfolio) = (change.database, try own(address, in: change))
    let found = try picture.map { address throws -> PortfolioPicture in
      guard let found = try database.portfolioPicture(address, of: portfolio.id) else {
        throw HTTPError.noSuchPortfolioFile
      }
      guard !found.source.isPrivate else {
        throw HTTPError(
          .pictureIsPrivate, "The picture is private at its source: others will not see it.",
          help: "Make it public there; the next sync follows.")
      }
      return found
    }
    let shown = try gallery.map { address throws -> PortfolioGallery in
      guard let found = try database.gallery(address, of: portfolio.id) else { throw HTTPError.noSuchGallery }
      return found
    }
    let all = try database.shares(of: portfolio.id)
    if let known = all.first(where: { $0.picture == found?.id && $0.gallery == shown?.id }) { return known }
    guard all.count < ShareLimits.shares else {
      throw HTTPError(
        .tooManyShares, "Too much of this portfolio is shared.",
        help: "\(ShareLimits.shares) pictures and galleries can be. Take one back first.")
    }
    let share = Share(
      address: Digest.base64URL(Digest.random(ShareLimits.addressBytes)), portfolio: portfolio.id,
      picture: found?.id, gallery: shown?.id)
    try database.add(share, now: change.now)
    try change.audit("portfolio.shared", about: found?.name ?? shown?.title ?? portfolio.name)
    return share
  }

  static func unshare(_ share: String, of address: String, in change: Change) throws {
    let portfolio = try own(address, in: change)
    guard let found = try change.database.share(share), found.portfolio == portfolio.id else {
      throw HTTPError.noSuchShare
    }
    try change.database.removeShare(share)
    try change.audit("portfolio.unshared", about: portfolio.name)
  }
}

extension HTTPError {
  static let noSuchShare = HTTPError(
    .noSuchShare, "Nothing is shared at this address, or not any more.", help: "Ask whoever gave it to you.")
}
