import Crypto
import Hub
import Receiving
import HubWorld
import Server
import Store
import Testing
import Uploads
import Wire
import World

@testable import Albums

/// Uploads that have begun, and sounds: what they count for, and when they end.
@Suite(.timeLimit(.minutes(5)))
struct UnfinishedTests {
  private struct Sender {
    let world: AlbumsWorld
    let caller: AlbumCaller

    init(_ world: AlbumsWorld, _ album: AlbumsWorld.Made, _ token: String) async throws {
      self.world = world
      let digest = AlbumSecret.digest(token)
      let found = try await world.hub.store.read { database throws(StoreError) in
        (try database.album(address: album.id), try database.guest(tokenDigest: digest))
      }
      let (kept, guest) = (try #require(found.0), try #require(found.1))
      caller = AlbumCaller(album: kept, guest: guest, principal: .guest(guest.id, of: AlbumsRoom.id, name: ""))
    }

    func begin(_ size: Int, _ metadata: String = "") async throws -> PendingUpload {
      let (caller, quota) = (caller, AlbumQuota(world.hub))
      let creation = UploadCreation(length: size, metadata: try UploadMetadata(metadata), part: nil)
      let details = try SentDetails(creation.metadata)
      return try await world.hub.commit(as: caller.principal) { change in
        try UploadChange.begin(creation, details, by: caller, quota: quota, in: change)
      }
    }

    /// Sends all bytes of an upload.
    func finish(_ upload: PendingUpload, _ bytes: [UInt8]) async throws {
      let (caller, quota) = (caller, AlbumQuota(world.hub))
      let resumed = try #require(try await world.hub.store.blobs.resume(upload.open.blob))
      try await resumed.append(bytes, isSure: true)
      let finished = try await resumed.finish()
      _ = try await world.hub.commit(as: caller.principal) { change in
        try UploadChange.finish(upload, finished, preview: nil, quota: quota, in: change)
      }
    }

    /// The code with which an upload is refused; nil if it is not.
    func refusal(_ size: Int) async -> Int? {
      do {
        _ = try await begin(size)
        return nil
      } catch { return (error as? HTTPError)?.code.rawValue }
    }
  }

  private func isThere(_ upload: PendingUpload, _ world: AlbumsWorld) async throws -> Bool {
    try await world.hub.store.blobs.unfinishedUpload(upload.open.blob) != nil
  }

  /// Lets minutes pass, each once what was due before is done, until the upload has ended, for two hours at most.
  private func waitForEnd(of upload: PendingUpload, _ world: AlbumsWorld) async throws {
    while try await isThere(upload, world), world.time.now < AlbumsWorld.start + 2 * ReceivingLimits.begunSeconds {
      world.time.advance(by: 15)
      await world.test.settle()
    }
  }

  @Test func `uploads of which nothing comes end in an hour, and a guest may begin some only`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await Sender(world, album, try await world.join(album, "Ada"))
    let upload = try await ada.begin(10)
    for _ in 1..<UploadLimits.ofGuest { #expect(await ada.refusal(1) == nil) }
    #expect(await ada.refusal(1) == 42975)
    world.hub.run()
    try await waitForEnd(of: upload, world)
    #expect(world.time.now < AlbumsWorld.start + ReceivingLimits.begunSeconds + 3 * ReceivingLimits.lookSeconds)
    await world.test.end()
  }

  @Test func `uploads whose bytes come for more than an hour without a pause go on`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await Sender(world, album, try await world.join(album, "Ada"))
    let (large, slow) = (try await ada.begin(3 * StoreLimits.checkpointBytes), try await ada.begin(10))
    func resume(_ upload: PendingUpload) async throws -> ResumedUpload {
      try #require(try await world.hub.store.blobs.resume(upload.open.blob, kept: ReceivingLimits.keptSeconds))
    }
    func received(_ upload: PendingUpload) async throws -> Int {
      try await world.hub.store.blobs.unfinishedUpload(upload.open.blob)?.received ?? -1
    }
    let (much, little) = (try await resume(large), try await resume(slow))
    let piece = [UInt8](repeating: 1, count: 1 << 20)
    for _ in 0...(StoreLimits.checkpointBytes / piece.count) { try await much.append(piece) }
    try await little.append([1])
    world.time.advance(by: StoreLimits.checkpointSeconds)
    try await little.append([1])
    try await world.test.wait { try await received(large) >= StoreLimits.checkpointBytes }
    try await world.test.wait { try await received(slow) == 2 }
    world.hub.run()
    for upload in [large, slow] { try await waitForEnd(of: upload, world) }
    #expect(world.time.now >= AlbumsWorld.start + 2 * ReceivingLimits.begunSeconds)
    #expect(try await received(large) >= StoreLimits.checkpointBytes)
    #expect(try await received(slow) == 2)
    for upload in [much, little] { await upload.giveUp() }
    await world.test.end()
  }

  @Test func `with a guest who is removed, or leaves, or an album that is deleted, their uploads end`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let bens = try await world.join(album, "Ben")
    let ada = try await Sender(world, album, try await world.join(album, "Ada"))
    let ben = try await Sender(world, album, bens)
    let host = try await Sender(world, album, album.host)
    let (hers, his, last) = (try await ada.begin(10), try await ben.begin(10), try await host.begin(10))
    try await world.decide(album, "Ada", ["state": "removed"])
    #expect(try await isThere(hers, world) == false)
    #expect(try await isThere(his, world))
    try await world.ask(.delete, "/\(album.id)/me", bens)
    #expect(try await isThere(his, world) == false)
    #expect(try await isThere(last, world))
    world.hub.run()
    await world.test.settle()
    try await world.ask(.delete, "/\(album.id)", album.host)
    try await waitForEnd(of: last, world)
    #expect(world.time.now < AlbumsWorld.start + ReceivingLimits.begunSeconds, "before it would end by itself")
    await world.test.end()
  }

  @Test func `one that had ended when it was given up names its picture, also when it is asked again`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let token = try await world.join(album, "Ada")
    let ada = try await Sender(world, album, token)
    let (done, open) = (try await ada.begin(10), try await ada.begin(10))
    try await ada.finish(done, Array(repeating: 1, count: 10))
    let fields = Fields(["Authorization": "Bearer \(token)", "Tus-Resumable": "1.0.0"])
    func giveUp(_ upload: PendingUpload) async throws -> String? {
      let path = "/api/v1/albums/\(album.id)/uploads/\(upload.open.address)"
      let answer = try await world.test.ask(.delete, path, fields: fields)
      return answer.fields.first { $0.name == "Eightbells-Picture" }?.value
    }
    let picture = try #require(try await world.seen(album, token).first)
    for _ in 0..<2 { #expect(try await giveUp(done) == picture) }
    #expect(try await giveUp(open) == nil)
    #expect(try await isThere(open, world) == false)
    await world.test.end()
  }

  @Test func `bytes that have come of uploads count for the album`() async throws {
    let world = try await AlbumsWorld(options: ["albums_gigabytes": "0.000000100"])
    let album = try await world.make()
    let ada = try await Sender(world, album, try await world.join(album, "Ada"))
    let ben = try await Sender(world, album, try await world.join(album, "Ben"))
    let upload = try await ada.begin(90)
    #expect(await ben.refusal(60) == nil, "nothing has come yet")
    let resumed = try #require(try await world.hub.store.blobs.resume(upload.open.blob))
    try await resumed.append(Array(repeating: 1, count: 50), isSure: true)
    _ = try await resumed.acknowledge(expires: world.time.now + 100)
    #expect(await ben.refusal(60) == 41365)
    await world.test.end()
  }

  @Test func `a sound counts, the one before it does not, and nobody hears it before it is written anew`() async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let token = try await world.join(album, "Ada")
    let ada = try await Sender(world, album, token)
    let picture = try await world.send(album, token, Array(repeating: 1, count: 100))
    func used() async throws -> Int? { try await world.ask(.get, "/\(album.id)", token)["quota"]?["mine"]?.int }
    let words = "sound_of \(Digest.base64(Array(picture.utf8)))"
    for size in [1_000, 400] {
      let sound = Array("OggS".utf8) + Array(repeating: 0, count: size - 4)
      try await ada.finish(try await ada.begin(size, words), sound)
      #expect(try await used() == 100 + size)
    }
    let sound = "/\(album.id)/pictures/\(picture)/sound"
    #expect(await world.refusal(.get, sound, token) == 40476)
    let id = try await world.picture(picture, in: album).id
    let made = try await world.blob(Array(repeating: 5, count: 300))
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(nil, of: id, [(.sound, "sound", made)], instead: .sound, in: change)
    }
    #expect(await world.refusal(.get, sound, token) == nil)
    #expect(try await used() == 400)
    for _ in 0..<2 { try await world.ask(.delete, "/\(album.id)/pictures/\(picture)", album.host) }
    #expect(try await used() == 0)
    #expect(try await world.hub.store.blobs.totals().count == 0)
    await world.test.end()
  }

  @Test func `a sound that is recorded anew while the one before is being made is made after it`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let token = try await world.join(album, "Ada")
    let ada = try await Sender(world, album, token)
    let picture = try await world.send(album, token, Array(repeating: 1, count: 100))
    func stored() async throws -> (picture: Picture, sent: BlobDigest?) {
      let sent = try await world.hub.store.read { database throws(StoreError) in
        try database.digest(of: Picture.blob(Picture.sentSound, picture))
      }
      return (try await world.picture(picture, in: album), sent)
    }
    func record(_ size: Int) async throws -> BlobDigest {
      let words = "sound_of \(Digest.base64(Array(picture.utf8)))"
      try await ada.finish(
        try await ada.begin(size, words), Array("OggS".utf8) + Array(repeating: 0, count: size - 4))
      return try #require(try await stored().sent)
    }
    let id = try await stored().picture.id
    func take(_ sound: BlobDigest) async throws {
      let made = try await world.blob(Array(repeating: 5, count: 300))
      try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
        try AlbumChange.take(nil, of: id, [(.sound, "sound", made)], instead: .sound, from: sound, in: change)
      }
    }
    let (first, second) = (try await record(1_000), try await record(400))
    try await take(first)
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.failed(id, because: "not-a-picture", at: 4, from: first, in: change)
      // Nor does a video's copy that failed meanwhile take the sound along.
      try AlbumChange.failed(id, because: "not-a-picture", at: 3, in: change)
    }
    var now = try await stored()
    #expect(now.sent == second && now.picture.wants.contains(.sound) && !now.picture.has.contains(.sound))
    #expect(now.picture.soundSize == 400)
    try await take(second)
    now = try await stored()
    #expect(now.sent == nil && !now.picture.wants.contains(.sound) && now.picture.has.contains(.sound))
    #expect(now.picture.soundSize == 300)
    await world.test.end()
  }
}
