import Hub
import Receiving
import Server
import Wire

/// Galleries of one's own, and what is uploaded to them: by tus 1.0.0, whose routes `Receiving` has.
struct PortfolioUploadRoutes: Sendable {
  private static let one = "\(PortfolioRoutes.path)/{id}"
  private let hub: Hub
  private let receiver: UploadReceiver

  init(_ hub: Hub, _ watch: PortfolioWatch) {
    self.hub = hub
    let share = PortfolioShare(hub)
    receiver = UploadReceiver(
      hub, .ofPortfolios, at: "\(Self.one)/uploads", largest: PortfolioLimits.videoBytes,
      ofSender: PortfolioUploadLimits.ofPerson
    ) { request throws(HTTPError) in
      try await PortfolioUploadPlace(request, hub, watch, share)
    }
  }

  func add(to router: inout Router) {
    let needed = hub.needsPerson(.keepPortfolio)
    let gallery = "\(Self.one)/galleries/{gallery}"
    receiver.add(to: &router, admit: needed, rate: PortfolioUploadLimits.rate)
    router.on(.post, "\(Self.one)/galleries", admit: needed, .task(make))
    router.on(.delete, gallery, admit: needed, .task(delete))
    router.on(.patch, "\(gallery)/pictures/{picture}", admit: needed, .task(move))
    for path in ["\(gallery)/pictures/{picture}", "\(Self.one)/pictures/{picture}"] {
      router.on(.delete, path, admit: needed, .task(remove))
    }
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["title"])
    let title = check.line("title", isNeeded: true)
    try check.finish(help: "Example: {\"title\": \"Weddings\"}")
    return try await hub.changeOwn(once: request) { id, change in
      let new = try OwnGalleryChange.make(title ?? "", in: id, in: change)
      let portfolio = try PortfolioChange.own(id, in: change)
      guard let gallery = try change.database.gallery(new, of: portfolio.id) else { throw HTTPError.noSuchGallery }
      let told = try GalleryAnswer(change.database, gallery, of: portfolio).json
      return Response(status: 201, json: told).notStored().asOf(commit: change.number)
    }
  }

  private func delete(_ request: Request) async throws(HTTPError) -> Response {
    let gallery = request.parameters["gallery"] ?? ""
    while try await hub.changeOwn(
      request, { id, change in try OwnGalleryChange.removeSome(of: gallery, of: id, in: change) })
    {}
    return .nothing()
  }

  private func move(_ request: Request) async throws(HTTPError) -> Response {
    let (gallery, picture) = (request.parameters["gallery"] ?? "", request.parameters["picture"] ?? "")
    var check = try FieldCheck(request, known: ["before"])
    if !check.has("before") { check.fail("before", "needed: the id of a picture, or null for the end.") }
    let next = check["before"] == .null ? nil : check.line("before")
    try check.finish(help: "Example: {\"before\": \"ID of a picture of this gallery\"}; null: to the end.")
    try await hub.changeOwn(request) { id, change in
      try OwnGalleryChange.move(picture, before: next, in: gallery, of: id, in: change)
    }
    return .nothing()
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, gallery) = (request.parameters["picture"] ?? "", request.parameters["gallery"])
    try await hub.changeOwn(request) { id, change in
      try OwnGalleryChange.remove(picture, from: gallery, of: id, in: change)
    }
    return .nothing()
  }
}
