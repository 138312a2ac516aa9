import Hub
import Server
import Wire

extension PortfolioChange {
  /// Makes a picture one of its owner's favourites, or none.
  static func favour(_ picture: String, of address: String, _ isFavourite: Bool, in change: Change) throws {
    let (database, portfolio) = (change.database, try own(address, in: change))
    guard let found = try database.portfolioPicture(picture, of: portfolio.id) else {
      throw HTTPError.noSuchPortfolioFile
    }
    if isFavourite {
      guard try database.addFavourite(found.id, of: portfolio.id, number: change.number) else { return }
    } else {
      try database.removeFavourite(found.id)
    }
    try database.noteFavouritesChanged(of: portfolio.id, number: change.number)
    try tellFavourites(of: portfolio, in: change)
  }
}

/// Favourites of one's own.
struct FavouriteRoutes: Sendable {
  private let hub: Hub

  init(_ hub: Hub) { self.hub = hub }

  func add(to router: inout Router) {
    let (path, needed) = ("\(PortfolioRoutes.path)/{id}/favourites/{picture}", hub.needsPerson(.keepPortfolio))
    router.on(.put, path, admit: needed, .task { request throws(HTTPError) in try await favour(true, request) })
    router.on(.delete, path, admit: needed, .task { request throws(HTTPError) in try await favour(false, request) })
  }

  private func favour(_ isFavourite: Bool, _ request: Request) async throws(HTTPError) -> Response {
    let picture = request.parameters["picture"] ?? ""
    try await hub.changeOwn(request) { id, change in
      try PortfolioChange.favour(picture, of: id, isFavourite, in: change)
    }
    return .nothing()
  }
}
