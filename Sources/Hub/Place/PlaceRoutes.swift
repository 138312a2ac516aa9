import Server
import Wire

extension Hub {
  /// Serves the place to everybody, whichever rooms are on.
  func addPlaceRoute(to router: inout Router) {
    router.on(
      .get, "/api/v1/place",
      .immediate { [place, settings] _ throws(HTTPError) in
        guard let place = place.current else { throw settings.notSetUp }
        let json = JSON.object(place.members)
        return Response(json: json, etag: Response.etag(of: json.bytes), fields: [.anyOrigin])
      })
  }
}
