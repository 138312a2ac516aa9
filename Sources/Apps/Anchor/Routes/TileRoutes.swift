import Hub
import Server
import Wire

/// The chart's tiles, by the hub: the boat's place is told to no server by its pages, and each tile is fetched once.
struct TileRoutes: Sendable {
  let hub: Hub
  let fetcher: TileFetcher

  func add(to router: inout Router) {
    router.on(.get, "\(AnchorRoutes.path)/tiles/{layer}/{zoom}/{column}/{row}", .task(tile))
  }

  private func tile(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .listen)
    let parts = ["layer", "zoom", "column", "row"].map { request.parameters[$0] ?? "" }
    guard let tile = Tile(layer: parts[0], zoom: parts[1], column: parts[2], row: parts[3]) else {
      throw HTTPError(
        .noSuchTile, "There is no tile \(parts.joined(separator: "/").prefix(60)).",
        help: "Accepted: map with zoom 0 to 19, sea with 0 to 18, and a column and row of that zoom.")
    }
    guard let bytes = await fetcher.tile(tile) else {
      throw HTTPError(
        .tileNotFetched, "The chart's server cannot be reached.",
        help: "The plot needs no chart. anchor_tiles names the servers.")
    }
    return Response(
      contentType: "image/png", body: .bytes(bytes), cacheControl: "private, max-age=86400",
      fields: [Response.Field("Content-Security-Policy", "default-src 'none'; sandbox")])
  }
}
