import Crypto
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Albums

/// A hub with the room of albums, in virtual time: it is 2026-11-20T18:40:00Z.
struct AlbumsWorld {
  let test: TestHub
  let owner: String
  var time: VirtualTime { test.time }
  var hub: Hub { test.hub }

  static let start = 1_795_200_000.0

  init(
    options: [String: String] = [:], folder: TemporaryFolder = TemporaryFolder(), bucket: (any BlobBucket)? = nil
  ) async throws {
    test = try await TestHub(
      time: VirtualTime(Self.start), rooms: [AlbumsRoom.self], options: options, folder: folder, bucket: bucket)
    try await test.openRooms()
    owner = try await test.hub.tokens.replace(name: "owner", role: .owner)
  }

  /// A hub with one album.
  static func withAlbum(_ fields: JSON = wedding) async throws -> (AlbumsWorld, Made) {
    let world = try await AlbumsWorld()
    return (world, try await world.make(fields))
  }

  static let wedding: JSON = ["name": "Wedding", "mode": "open"]

  /// An album with its host's token and the secret of its link.
  struct Made {
    let id: String
    let host: String
    let secret: String
  }

  func make(_ fields: JSON = wedding) async throws -> Made {
    let json = try await ask(.post, "", owner, fields)
    let url = json["join_url"]?.string ?? ""
    return Made(
      id: json["id"]?.string ?? "", host: json["host_token"]?.string ?? "",
      secret: String(url.split(separator: "#").last ?? ""))
  }

  func join(_ album: Made, _ name: String? = nil) async throws -> String {
    let json = try await ask(.post, "/join", nil, ["secret": .string(album.secret), "name": JSON(name)])
    return json["token"]?.string ?? ""
  }

  /// Asks below /api/v1/albums.
  @discardableResult
  func ask(_ method: Method, _ path: String, _ token: String?, _ json: JSON? = nil) async throws -> JSON {
    time.advance(by: AlbumLimits.callerSeconds)
    let answer = try await test.ask(method, "/api/v1/albums\(path)", token: token, json)
    guard case .bytes(let bytes) = answer.body, !bytes.isEmpty else { return .null }
    return try JSON(parsing: String(decoding: bytes, as: UTF8.self))
  }

  /// The code with which a request is refused; nil if it is not.
  func refusal(_ method: Method, _ path: String, _ token: String?, _ json: JSON? = nil) async -> Int? {
    do {
      try await ask(method, path, token, json)
      return nil
    } catch {
      return (error as? HTTPError)?.code.rawValue
    }
  }

  /// Sends a picture as the end of an upload does.
  @discardableResult
  func send(
    _ album: Made, _ token: String, _ bytes: [UInt8] = Digest.random(32), preview: Bool = false,
    type: String? = nil, taken: String? = "2026-11-20T17:00:00", pair: String? = nil
  ) async throws -> String {
    let digest = AlbumSecret.digest(token)
    let found = try await hub.store.read { database throws(StoreError) in
      (try database.album(address: album.id)?.id, try database.guest(tokenDigest: digest))
    }
    let (key, guest) = (try #require(found.0), try #require(found.1))
    let blob = try await blob(bytes)
    let small = preview ? try await self.blob([1, 2, 3]) : nil
    let quota = AlbumQuota(hub)
    return try await hub.commit(as: .guest(guest.id, of: AlbumsRoom.id, name: "")) { change in
      var new = NewPicture(
        album: key, guest: guest.id, blob: blob, crc32: 7, size: bytes.count, name: "IMG_0001.jpg", type: type,
        taken: taken, pair: pair)
      new.preview = small.map { NewPicture.Preview(blob: $0, width: 40, height: 30, placeholder: [9, 9]) }
      return try AlbumChange.add(new, quota: quota, in: change).address
    }
  }

  /// A picture as it is kept.
  func picture(_ address: String, in album: Made) async throws -> Picture {
    let found = try await hub.store.read { database throws(StoreError) in
      try database.picture(address: address, of: try database.album(address: album.id)?.id ?? 0)
    }
    return try #require(found)
  }

  func blob(_ bytes: [UInt8]) async throws -> Blob {
    let upload = hub.store.blobs.upload(limit: max(1, bytes.count))
    try await upload.append(bytes)
    return try await upload.finish()
  }

  /// The ids of the pictures that somebody sees.
  func seen(_ album: Made, _ token: String, _ query: String = "") async throws -> [String] {
    let json = try await ask(.get, "/\(album.id)/pictures\(query)", token)
    return (json["pictures"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  /// Asks for everybody's id in an album, by name.
  func people(_ album: Made) async throws -> [String: JSON] {
    let json = try await ask(.get, "/\(album.id)/people", album.host)
    return Dictionary(
      (json["people"]?.array ?? []).map { ($0["name"]?.string ?? "", $0) }, uniquingKeysWith: { first, _ in first })
  }

  func decide(_ album: Made, _ name: String, _ wish: JSON) async throws {
    let id = try #require(try await people(album)[name]?["id"]?.string)
    try await ask(.patch, "/\(album.id)/people/\(id)", album.host, wish)
  }
}
