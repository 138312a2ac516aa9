import Hub
import Server
import Wire

/// The signatures with which guests and hosts listen to their album's channel.
struct AlbumLiveRoutes: Sendable {
  private let services: AlbumServices

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    let access = services.access
    router.on(.post, "\(AlbumRoutes.path)/{id}/realtime/auth", admit: access.admitsThoseIn, .task(sign))
  }

  private func sign(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await services.access.caller(request)
    var form = request
    if request.head.fields["content-type"]?.lowercased().hasPrefix("application/json") == true {
      var check = try FieldCheck(request, known: ["socket_id", "channel_name"])
      let socket = check.line("socket_id", isNeeded: true) ?? ""
      let channel = check.line("channel_name", longest: 200, isNeeded: true) ?? ""
      let own = caller.album.channel.name
      try check.finish(help: "Example: {\"socket_id\": \"1234.5678\", \"channel_name\": \"\(own)\"}")
      let plain = { (text: String) in text.utf8.allSatisfy { $0 > 32 && $0 < 127 && !"&=%+".utf8.contains($0) } }
      form.body = Array("socket_id=\(plain(socket) ? socket : "")&channel_name=\(plain(channel) ? channel : "")".utf8)
    }
    return try await services.hub.signature(for: caller.principal, form)
  }
}
