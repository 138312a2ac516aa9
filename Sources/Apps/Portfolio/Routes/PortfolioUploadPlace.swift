import Hub
import Receiving
import Server
import Store
import Uploads

/// What a member sends to a portfolio of theirs.
struct PortfolioUploadPlace: UploadPlace {
  private let hub: Hub
  private let watch: PortfolioWatch
  private let share: PortfolioShare
  private let principal: Principal
  private let person: Int
  private let portfolio: Portfolio

  /// - Throws: 404 for a portfolio that is not the caller's, 409 for one whose galleries follow a source.
  init(_ request: Request, _ hub: Hub, _ watch: PortfolioWatch, _ share: PortfolioShare) async throws(HTTPError) {
    (self.hub, self.watch, self.share) = (hub, watch, share)
    (principal, person) = try await hub.person(request, .keepPortfolio)
    let address = request.parameters["id"] ?? ""
    let found = try await hub.read { database throws(StoreError) in try database.portfolio(address) }
    guard let found, found.belongs(to: principal) else { throw HTTPError.noSuchPortfolio }
    guard !found.source.isListed else { throw HTTPError.galleriesFollowSource }
    portfolio = found
  }

  var sender: Int { person }

  func begin(_ creation: UploadCreation) async throws(HTTPError) -> (upload: OpenUpload, location: String) {
    let file = try UploadCodes.ofPortfolios.checked { () throws(UploadRefusal) in try SentFile(creation.metadata) }
    let (address, person, share) = (portfolio.address, person, share)
    let upload = try await hub.commit(as: principal) { change in
      try OwnGalleryChange.begin(creation, file, to: address, by: person, share: share, in: change)
    }
    return (upload.open, "\(PortfolioRoutes.path)/\(address)/uploads/\(upload.open.address)")
  }

  private func pending(_ address: String) async throws(HTTPError) -> PortfolioUpload? {
    let (person, portfolio) = (person, portfolio.id)
    let found = try await hub.read { database throws(StoreError) in try database.portfolioUpload(address, of: person) }
    return found?.portfolio == portfolio ? found : nil
  }

  func find(_ address: String) async throws(HTTPError) -> OpenUpload? { try await pending(address)?.open }

  func demandDisk(_ bytes: Int) throws(HTTPError) { try share.demandDisk(bytes) }

  func demandRoom() async throws(HTTPError) {
    let (portfolio, person) = (portfolio, portfolio.person)
    let (found, used) = try await hub.read { database throws(StoreError) in
      (try database.portfolio(key: portfolio.id), try database.portfolioBytes(of: person))
    }
    guard found != nil else { throw HTTPError.noSuchPortfolio }
    try share.demand(0, besides: used)
  }

  func finish(_ upload: OpenUpload, _ finished: FinishedUpload) async throws(HTTPError) -> String {
    guard let latest = try await pending(upload.address) else { throw UploadCodes.ofPortfolios.refusal(.gone) }
    let share = share
    do throws(HTTPError) {
      return try await hub.commit(as: principal) { [watch] change in
        change.database.touch(.portfolios)
        change.then { watch.wake() }
        return try OwnGalleryChange.finish(latest, finished, share: share, in: change)
      }
    } catch {
      // Sent again, it would be refused again.
      if error.code == .notAPortfolioPicture { try await end(upload.address) }
      throw error
    }
  }

  func end(_ address: String) async throws(HTTPError) {
    try await hub.commit(as: principal) { change in try PortfolioUploadTables.rows.end(address, change.database) }
  }
}
