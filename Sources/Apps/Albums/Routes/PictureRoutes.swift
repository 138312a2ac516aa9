import Hub
import Server
import Store
import Wire

/// The pictures of an album: the list, and what is done to one.
struct PictureRoutes: Sendable {
  private let services: AlbumServices
  private var hub: Hub { services.hub }
  private var access: AlbumAccess { services.access }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    let path = "\(AlbumRoutes.path)/{id}"
    router.on(.get, "\(path)/pictures", .task(list))
    router.on(.get, "\(path)/pictures/{picture}", .task(tell))
    func on(_ method: Method, _ path: String, _ work: @escaping @Sendable (Request) async throws(HTTPError) -> Response)
    {
      router.on(method, path, admit: access.admitsThoseIn, .task(work))
    }
    on(.patch, "\(path)/pictures/{picture}", change)
    on(.delete, "\(path)/pictures/{picture}", remove)
    on(.post, "\(path)/pictures/{picture}/restore", restore)
    on(.put, "\(path)/pictures/{picture}/heart") { request throws(HTTPError) in try await heart(request, true) }
    on(.delete, "\(path)/pictures/{picture}/heart") { request throws(HTTPError) in try await heart(request, false) }
    on(.post, "\(path)/known", known)
    router.on(.get, "\(path)/storage", .task(storage))
  }

  // MARK: Reading

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.caller(request)
    let question = try Self.question(request)
    guard question.part == .shown || caller.isHost || question.part == .removed else { throw HTTPError.hostsOnly }
    // The order would tell guests what the album does not.
    guard !question.isByTaking || caller.isHost || caller.album.options.showsTaken else { throw HTTPError.hostsOnly }
    let number = hub.commits.number
    let found = try await services.hub.read { database throws(StoreError) in
      try database.pictures(question, for: caller)
    }
    let page = found.prefix(question.limit)
    var members: [JSON.Member] = [.init("pictures", .array(page.map { $0.json(for: caller) }))]
    if found.count > page.count, let last = page.last { members.append(.init("next", .string(last.picture.address))) }
    members.append(.init("commit", .int(number)))
    return Response(json: .object(members)).notStored().asOf(commit: number)
  }

  private static func question(_ request: Request) throws(HTTPError) -> PictureQuestion {
    let query = request.query
    var question = PictureQuestion()
    func refusal(_ name: String, _ accepted: String) -> HTTPError {
      HTTPError(
        .invalidQuery, "\(name): \"\(query[name]?.prefix(40) ?? "")\"; \(accepted) is accepted.",
        help: "Example: pictures?after=ID&limit=200")
    }
    for (name, path) in [("after", \PictureQuestion.after), ("by", \PictureQuestion.by)] {
      guard let id = query[name], !id.isEmpty else { continue }
      guard RandomID.accepts(id) else { throw refusal(name, "an id") }
      question[keyPath: path] = id
    }
    if let text = query["limit"] {
      guard let limit = Int(text), (1...AlbumLimits.page).contains(limit) else {
        throw refusal("limit", "1 to \(AlbumLimits.page)")
      }
      question.limit = limit
    }
    question.mineOnly = try request.flag("mine") ?? false
    if let text = query["order"] {
      guard ["arrival", "taken"].contains(text) else { throw refusal("order", "arrival or taken") }
      question.isByTaking = text == "taken"
    }
    if let text = query["state"] {
      guard let part = PictureQuestion.Part(rawValue: text) else {
        throw refusal("state", PictureQuestion.Part.allCases.map(\.rawValue).joined(separator: ", "))
      }
      question.part = part
    }
    return question
  }

  private func tell(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, caller) = try await access.picture(request)
    return try await answer(picture.id, caller)
  }

  private func answer(_ picture: Int, _ caller: AlbumCaller) async throws(HTTPError) -> Response {
    let number = hub.commits.number
    let listed = try await services.hub.read { database throws(StoreError) in
      try database.listed(picture, for: caller.guest.id)
    }
    guard let listed else { throw HTTPError.noSuchPicture }
    return Response(json: listed.json(for: caller)).notStored().asOf(commit: number)
  }

  private func known(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.caller(request)
    var check = try FieldCheck(request, known: ["sha256"])
    let list = check.list("sha256", of: "digests", atMost: AlbumLimits.known, isNeeded: true) ?? []
    let digests = list.map { $0.string.flatMap { BlobDigest(hex: $0.lowercased()) } }
    if digests.contains(nil) { check.fail("sha256", "digests of 64 hexadecimal digits are accepted.") }
    try check.finish(help: "Example: {\"sha256\": [\"0f…\"]}; one's own pictures in this album are found.")
    let found = try await services.hub.read { database throws(StoreError) in
      try database.known(digests.compactMap { $0 }, ofGuest: caller.guest.id)
    }
    let members = found.map { JSON.Member($0.digest.hex, .string($0.address)) }
    return Response(json: ["known": .object(members)]).notStored()
  }

  private func storage(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    let (album, quota) = (caller.album, services.quota)
    let (kinds, guests, kept, zip) = try await services.hub.read { database throws(StoreError) in
      (
        try database.kindCounts(of: album.id), try database.guests(of: album.id),
        try database.album(album.id), try database.originalCounts(of: album.id)
      )
    }
    let by = guests.filter { $0.pictures > 0 }.map { guest -> JSON in
      [
        "id": .string(guest.address), "name": JSON(guest.name), "bytes": .int(guest.bytes),
        "pictures": .int(kinds[guest.id]?.others ?? 0), "videos": .int(kinds[guest.id]?.videos ?? 0),
        "removed": .int(kinds[guest.id]?.removed ?? 0),
      ]
    }
    let bytes = kept?.bytes ?? album.bytes
    return Response(
      json: [
        "bytes": .int(bytes), "limit": .int(quota.album), "free": .int(quota.free), "by": .array(by),
        "zip": [
          "files": .int(zip.files), "bytes": .int(zip.bytes), "hidden": .int(zip.hidden), "last": JSON(zip.last),
        ],
        "copied_to": JSON(services.copies.folder), "copy_fault": JSON(services.copies.lastFault),
      ]
    ).notStored()
  }

  // MARK: Changing

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, caller) = try await access.picture(request)
    var check = try FieldCheck(request, known: ["state", "was", "music"])
    let states = [Picture.Showing.shown, .hidden, .waiting]
    let showing = check.choice("state", among: states)
    let was = check.choice("was", among: states)
    let music = check.has("music") ? Optional.some(check.music("music")) : nil
    try check.finish(help: "Example: {\"state\": \"hidden\"}, or {\"music\": {\"title\": \"Air\"}} for one's own.")
    try await hub.commit(as: caller.principal) { change in
      if let showing { try AlbumChange.show(picture.id, showing, ifStill: was, caller, in: change) }
      if let music { try AlbumChange.set(music, of: picture.id, caller, in: change) }
    }
    return try await answer(picture.id, caller)
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (picture, caller) = try await access.picture(request)
    // Pages forbid it: a request whose answer was lost may come twice, and two hosts may remove the same picture.
    let mayDelete = try request.flag("for_good") ?? true
    try await hub.commit(as: caller.principal) { [copies = services.copies] change in
      try AlbumChange.remove(picture.id, mayDelete: mayDelete, caller, in: change)
      change.then { copies.wake(anew: true) }
    }
    return .nothing()
  }

  private func restore(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.caller(request)
    let address = request.parameters["picture"] ?? ""
    let id = try await hub.commit(as: caller.principal) { [services] change in
      services.picturesCome(areBack: true, in: change)
      return try AlbumChange.restore(address, caller, in: change)
    }
    return try await answer(id, caller)
  }

  private func heart(_ request: Request, _ isGiven: Bool) async throws(HTTPError) -> Response {
    let (picture, caller) = try await access.picture(request)
    let hearts = try await hub.commit(as: caller.principal) { change in
      try AlbumChange.heart(picture.id, isGiven, caller, in: change)
    }
    return Response(json: ["id": .string(picture.address), "hearts": .int(hearts), "hearted": .bool(isGiven)])
      .notStored()
  }
}

extension FieldCheck {
  /// A piece of music: its title, and perhaps its address; nil for null.
  fileprivate mutating func music(_ field: String) -> Picture.Music? {
    guard let value = self[field], value != .null else { return nil }
    var inner = FieldCheck(value, known: ["title", "address"], nullIsNothing: true)
    let title = inner.line("title", longest: AlbumLimits.musicTitle, isNeeded: true)
    let address = inner.webAddress("address", longest: AlbumLimits.musicAddress)
    for error in inner.errors { fail("\(field).\(error.field)", error.reason.text) }
    return title.map { Picture.Music(address: address, title: $0) }
  }
}
