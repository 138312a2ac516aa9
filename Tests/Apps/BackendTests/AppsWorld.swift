import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Backend

/// A hub with the apps' room, in virtual time: it is 2026-11-20T18:40:00Z unless said otherwise.
struct AppsWorld {
  let test: TestHub
  let owner: String
  var time: VirtualTime { test.time }

  static let start = 1_795_200_000.0

  init(at: Double = start, folder: TemporaryFolder = TemporaryFolder()) async throws {
    test = try await TestHub(time: VirtualTime(at), rooms: [BackendRoom.self], folder: folder)
    try await test.openRooms()
    owner = try await test.hub.tokens.replace(name: "owner", role: .owner)
  }

  /// A hub with an app, and its objects.
  static func withApp() async throws -> (AppsWorld, App, AppObjects) {
    let world = try await AppsWorld()
    return (world, try await world.makeApp(), try world.room.objects)
  }

  var room: BackendRoom {
    get throws { try #require(test.hub.rooms.first as? BackendRoom) }
  }

  /// The question of the channels at each connection.
  var register: AppRegister {
    get throws { try room.register }
  }

  /// Asks below /api/v1/apps.
  func ask(_ method: Method, _ path: String = "", _ json: JSON? = nil) async throws -> JSON {
    let answer = try await test.ask(method, "/api/v1/apps\(path)", token: owner, json)
    guard case .bytes(let bytes) = answer.body, !bytes.isEmpty else { return .null }
    return try JSON(parsing: String(decoding: bytes, as: UTF8.self))
  }

  func make(_ name: String = "Word game") async throws -> JSON { try await ask(.post, "", ["name": .string(name)]) }

  func makeApp() async throws -> App {
    let made = try await make()
    return try #require(try register.app(Int(made["app_id"]?.string ?? "") ?? 0))
  }

  /// Keeps a file of an app, which nothing points to.
  func keepFile(_ bytes: [UInt8], of app: App) async throws -> String {
    let (store, now) = (test.store, time.now)
    let upload = store.blobs.upload(limit: bytes.count)
    try await upload.append(bytes)
    let blob = try await upload.finish()
    let file = KeptFile(
      app: app.id, name: try FileName(given: "a.bin").text, type: "application/octet-stream", size: bytes.count)
    try await store.write { database throws(StoreError) in try database.add(file, blob, now: now) }
    return file.name
  }

  /// The code with which a request is refused; nil if it is not.
  func refusal(_ method: Method, _ path: String, _ json: JSON? = nil) async -> Int? {
    do {
      _ = try await ask(method, path, json)
      return nil
    } catch {
      return (error as? HTTPError)?.code.rawValue
    }
  }
}

/// Parse's number of the error with which something is refused; nil if it is not.
func parseCode(_ work: () async throws -> Void) async -> Int? {
  do {
    try await work()
    return nil
  } catch {
    return (error as? HTTPError)?.foreign?["code"]?.int
  }
}
