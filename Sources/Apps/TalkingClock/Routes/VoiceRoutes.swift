import Crypto
import Delivery
import Hub
import Server
import Sound
import SpeakingClock
import Store
import Wire

/// Voices that people have recorded on the page, and those that every hub has. A person reads and changes their own;
/// agents read the one that their clock speaks with.
struct VoiceRoutes: Sendable {
  let hub: Hub
  let watch: ClockWatch

  private static let path = "\(ClockRoutes.path)/voices"

  func add(to router: inout Router) {
    let (one, part, admit) = ("\(Self.path)/{id}", "\(Self.path)/{id}/parts/{part}", hub.needsPerson())
    router.on(.post, Self.path, admit: admit, .task(make))
    router.on(.get, one, .task(voice))
    router.on(.delete, one, admit: admit, .task(remove))
    router.on(.get, part, .task(sound))
    router.on(.put, part, bodyLimit: ClockLimits.partBytes, admit: admit, .task(save))
    router.on(.delete, part, admit: admit, .task(removePart))
  }

  // MARK: Reading

  private func voice(_ request: Request) async throws(HTTPError) -> Response {
    let id = request.parameters["id"] ?? ""
    let listener = try await listener(request)
    if let built = BuiltInVoice(rawValue: id) { return Response(json: built.details).notStored() }
    let found = try await recorded(id, for: listener)
    return Response(json: found.details).notStored()
  }

  private func sound(_ request: Request) async throws(HTTPError) -> Response {
    let id = request.parameters["id"] ?? ""
    let listener = try await listener(request)
    let part = try Self.part(request)
    if let built = BuiltInVoice(rawValue: id) {
      guard let file = built.files.first(where: { $0.part == part }) else { throw HTTPError.noSuchPart(part.name) }
      return Self.wave(.bytes(file.bytes), etag: file.digest)
    }
    let voice = try await recorded(id, for: listener)
    guard let kept = voice.parts.first(where: { $0.part == part }),
      let content = try await hub.stored({ () throws(StoreError) in try await hub.store.blobs.content(of: kept.digest) }
      )
    else { throw HTTPError.noSuchPart(part.name) }
    return Self.wave(Response.Body(content), etag: kept.digest.hex)
  }

  /// Kept for as long as one likes: its address has the version when a page or an agent asks for a certain one.
  private static func wave(_ body: Response.Body, etag: String) -> Response {
    Response(
      contentType: "audio/wav", body: body, etag: etag, cacheControl: "private, no-cache",
      fields: [Response.Field("Accept-Ranges", "bytes")])
  }

  /// Somebody who asks for a voice.
  private enum Listener {
    case person(Int)
    case device(PushDevice)
  }

  private func listener(_ request: Request) async throws(HTTPError) -> Listener {
    if hub.deviceSecret(in: request) != nil { return .device(try await hub.clockDevice(request)) }
    return .person(try await hub.person(request).1)
  }

  /// - Throws: 404 for a voice of somebody else.
  private func recorded(_ id: String, for listener: Listener) async throws(HTTPError) -> RecordedVoice {
    let found = try await hub.read { database throws(StoreError) -> RecordedVoice? in
      guard let voice = try database.voice(id) else { return nil }
      switch listener {
      case .person(let person): return voice.person == person ? voice : nil
      case .device(let device): return try House(database).owner(of: device) == voice.person ? voice : nil
      }
    }
    guard let found else { throw HTTPError.noSuchVoice(id) }
    return found
  }

  // MARK: Changing

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    var check = try FieldCheck(request, known: ["name", "language"])
    let name = check.line("name", isNeeded: true) ?? ""
    let language = check.choice("language", among: ClockSettings.Language.allCases, isNeeded: true) ?? .english
    try check.finish(help: "Example: {\"name\": \"Ada\", \"language\": \"en\"}")
    return try await hub.commit(once: request, as: principal) { change in
      guard try change.database.voices(ofPerson: person).count < ClockLimits.voices else {
        throw HTTPError(
          .tooManyVoices, "You have \(ClockLimits.voices) voices; there is no room for more.", help: "Remove one first."
        )
      }
      let id = "voice-" + Digest.hex(Digest.random(8))
      let voice = RecordedVoice(id: id, person: person, name: name, language: language, createdAt: change.now)
      try change.database.add(voice)
      try change.audit("clock.voice-made", about: name)
      change.tellPage(of: person)
      return Response(status: 201, json: voice.json).asOf(commit: change.number)
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.parameters["id"] ?? ""
    return try await hub.commit(as: principal) { [watch] change in
      let voice = try Self.own(id, person, in: change.database)
      try change.database.remove(voice)
      try change.audit("clock.voice-removed", about: voice.name)
      var clock = try change.database.clock(ofPerson: person)
      if clock.voice == id {
        clock.voice = BuiltInVoice(clock.settings.language).rawValue
        clock.changedAt = change.now
        try change.database.save(clock, ofPerson: person)
        try change.tellSettings(clock, to: try change.database.statesFollowing(person))
        watch.wake(in: change)
      }
      change.tellPage(of: person)
      return .nothing()
    }
  }

  private func save(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.parameters["id"] ?? ""
    let part = try Self.part(request)
    let header: WaveHeader
    do throws(WaveHeader.Fault) {
      header = try WaveHeader(request.body)
    } catch {
      throw HTTPError(
        .unsupportedRecording, "\(part.name): \(error.words)",
        help: "A WAV file is accepted: PCM, 16 bits, one channel, \(ClockLimits.rate) Hz, "
          + "\(ClockLimits.partSeconds) seconds at most.")
    }
    // Nobody may fill the disk with sounds of voices that are not theirs.
    _ = try await recorded(id, for: .person(person))
    let blob = try await hub.stored { () throws(StoreError) in try await hub.store.blobs.keep(request.body) }
    return try await hub.commit(as: principal) { change in
      let database = change.database
      var voice = try Self.own(id, person, in: database)
      guard voice.parts.contains(where: { $0.part == part }) || voice.parts.count < ClockLimits.parts else {
        throw HTTPError(
          .tooManyVoices, "The voice has \(ClockLimits.parts) parts; there is no room for more.",
          help: "Remove one first.")
      }
      guard voice.hasRoom(for: part, frames: header.frames) else {
        throw HTTPError(
          .voiceTooLong,
          "With it, the parts of the voice have more than \(SoundLimits.recordedBytes >> 20) MB; agents take no more.",
          help: "Record the words shorter: a second is enough for each.")
      }
      try database.save(RecordedPart(part: part, frames: header.frames, digest: blob.digest), sound: blob, ofVoice: id)
      try Self.tell(id, person, in: change)
      voice = try Self.own(id, person, in: database)
      return Response(json: voice.details).notStored().asOf(commit: change.number)
    }
  }

  private func removePart(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request)
    let id = request.parameters["id"] ?? ""
    let part = try Self.part(request)
    return try await hub.commit(as: principal) { change in
      let voice = try Self.own(id, person, in: change.database)
      guard voice.parts.contains(where: { $0.part == part }) else { throw HTTPError.noSuchPart(part.name) }
      try change.database.remove(part, ofVoice: id)
      try Self.tell(id, person, in: change)
      return .nothing()
    }
  }

  /// Tells pages, and agents that speak with the voice, that it has changed.
  private static func tell(_ id: String, _ person: Int, in change: Change) throws {
    let clock = try change.database.clock(ofPerson: person)
    if clock.voice == id { try change.tellSettings(clock, to: try change.database.statesFollowing(person)) }
    change.tellPage(of: person)
  }

  private static func own(_ id: String, _ person: Int, in database: Database) throws -> RecordedVoice {
    guard let voice = try database.voice(id), voice.person == person else { throw HTTPError.noSuchVoice(id) }
    return voice
  }

  private static func part(_ request: Request) throws(HTTPError) -> Part {
    let name = request.parameters["part"] ?? ""
    guard let part = Part(name: name) else { throw HTTPError.noSuchPart(name) }
    return part
  }
}

extension RecordedVoice {
  /// The voice as GET /api/v1/clock/voices/{id} answers it.
  fileprivate var details: JSON {
    let parts = parts.map { kept in
      JSON.Member(
        kept.part.name,
        [
          "frames": .int(kept.frames), "rate": .int(ClockLimits.rate), "sha256": .string(kept.digest.hex),
          "url": .string("\(ClockRoutes.path)/voices/\(id)/parts/\(kept.part.name)"),
        ])
    }
    return [
      "id": .string(id), "name": .string(name), "language": .string(language.rawValue), "kind": "recorded",
      "version": .string(version), "gap": 0, "parts": .object(parts),
    ]
  }
}

extension BuiltInVoice {
  /// The same of a built-in voice.
  fileprivate var details: JSON {
    let members = files.map { file in
      JSON.Member(
        file.part.name,
        [
          "frames": .int(file.frames), "rate": .int(file.rate), "sha256": .string(file.digest),
          "url": .string("\(ClockRoutes.path)/voices/\(rawValue)/parts/\(file.part.name)"),
        ])
    }
    let lines = files.map { "\($0.part.name) \($0.digest)\n" }.joined()
    return [
      "id": .string(rawValue), "name": .string(voice.name), "language": JSON(language?.rawValue), "kind": "built-in",
      "version": .string(Digest.hex(Digest.sha256(lines.utf8))), "gap": .double(voice.gap),
      "parts": .object(members),
    ]
  }
}

extension HTTPError {
  static func noSuchVoice(_ id: String) -> HTTPError {
    HTTPError(
      .noSuchVoice, "You have no voice \"\(id.prefix(40))\".", help: "GET /api/v1/clock lists those there are.")
  }

  static func noSuchPart(_ name: String) -> HTTPError {
    HTTPError(
      .noSuchPart, "There is no part \"\(name.prefix(40))\" in this voice.",
      help: "GET /api/v1/clock/voices/ID lists those there are; names are numbers 0 to 59, 01 to 09, and words: "
        + Part.Word.allCases.map(\.rawValue).joined(separator: ", ") + ".")
  }
}
