import Foundation
import Hub
import HubWorld
import Realtime
import Server
import Testing
import Wire

@testable import Eightbells

/// Compares Docs/openapi.yaml with the hub that `serve` composes, with all its rooms.
struct DescriptionTests {
  static let description: String = {
    var root = URL(filePath: #filePath)
    for _ in 0..<4 { root.deleteLastPathComponent() }
    return String(decoding: (try? Data(contentsOf: root.appending(path: "Docs/openapi.yaml"))) ?? Data(), as: UTF8.self)
  }()

  /// "GET /path" of each operation. The description has a strict layout: see bin/packing/openapi.py.
  static let described: Set<String> = {
    var found: Set<String> = []
    var path = ""
    for line in description.components(separatedBy: "\npaths:\n")[1].split(separator: "\n") {
      if !line.hasPrefix(" ") { break }
      if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
      if let match = line.wholeMatch(of: #/    (get|put|post|patch|delete|head|options):/#) {
        found.insert("\(match.1.uppercased()) \(path)")
      }
    }
    return found
  }()

  static func withRooms(_ look: (Hub) throws -> Void) async throws {
    let test = try await TestHub(rooms: rooms.types)
    try await test.openRooms()
    try look(test.hub)
    await test.end()
  }

  /// The routes that change something, or are asked by POST, for callers who are nobody yet.
  static let anonymous = [
    "DELETE /api/v1/bells/webpush", "POST /api/v1/albums/join", "POST /api/v1/albums/look",
    "POST /api/v1/bells/receipts", "POST /api/v1/bells/{id}/media", "POST /api/v1/links/look",
    "POST /api/v1/passkeys/session", "POST /api/v1/passkeys/session/options", "POST /api/v1/sent/{sent}/marks",
    "POST /api/v1/sent/{sent}/open", "POST /api/v1/sent/{sent}/opened", "POST /api/v1/session",
    "POST /apps/account/{token}", "POST /bells/mail/{token}", "POST /parse/health", "PUT /api/v1/bells/webpush",
  ]

  @Test func `whoever changes something is asked who they are before the body is read, but who signs in`()
    async throws
  {
    let test = try await TestHub(rooms: rooms.types)
    try await test.openRooms()
    let admissions = test.hub.router().admissions
    #expect(admissions.count > 30)
    #expect(admissions.filter { $0.value == nil }.keys.sorted() == Self.anonymous)
    for (route, admit) in admissions {
      guard let admit else { continue }
      let stranger = Request(head: RequestHead(method: .post, target: "/"))
      let refusal = await #expect(throws: HTTPError.self, "\(route)") { try await admit(stranger) }
      // Servers of apps sign their requests instead, Parse's libraries send keys, and hooks have secret addresses.
      let known: [ErrorCode] = [.noToken, .wrongSignature, ErrorCode(40380), ErrorCode(40165), ErrorCode(40417)]
      #expect(refusal.map { known.contains($0.code) } == true, "\(route)")
    }
    await test.end()
  }

  static func operations(_ router: Router) -> Set<String> {
    Set(router.routes.map { "\($0.method.name) \($0.path)" })
  }

  /// Pages of other sites ask Parse's and ntfy's paths beforehand by OPTIONS. Parse's may end with a slash, and answer
  /// to a POST with another method in its body.
  static func isSpelling(_ operation: String) -> Bool {
    let parts = operation.split(separator: " ")
    let isParse = parts[1].hasPrefix("/parse/")
    let path = isParse && parts[1].hasSuffix("/") ? parts[1].dropLast() : parts[1]
    guard described.contains(where: { $0.hasSuffix(" \(path)") }) else { return false }
    return parts[0] == "OPTIONS" || isParse && (parts[0] == "POST" || parts[1] != path)
  }

  @Test func `what is served is described, but for pages, and what is described is served`() async throws {
    try await Self.withRooms { hub in
      var pages = Router()
      WebShell.addRoutes(to: &pages, of: hub)
      let files = Self.operations(pages)
      let served = Self.operations(hub.router())
      #expect(served.count > files.count)
      #expect(Self.described.subtracting(served).sorted() == [])
      // One thing that a page shows has an address of its own, right below the page's.
      let api = served.subtracting(files).filter { operation in
        !operation.hasSuffix("}") || !files.contains(String(operation.prefix { $0 != "{" }.dropLast()))
      }
      // Pages of guests and clients, who know no room.
      let outside: Set = [
        "GET /album", "GET /album/card", "GET /album/host", "GET /album/wall", "GET /sent/{sent}", "GET /sent/{sent}/",
        "GET /sent/{sent}/app.webmanifest", "GET /sent/{sent}/worker.js",
      ]
      let missing = api.subtracting(Self.described).subtracting(outside).filter { !Self.isSpelling($0) }
      #expect(missing.sorted() == [])
    }
  }

  @Test func `every error of the server, the hub and its rooms is described, and no other`() async throws {
    let codes = Self.description.matches(of: #/\n    \| ([0-9]{5}) \|/#).compactMap { Int($0.1) }
    try await Self.withRooms { hub in
      let known = ErrorCode.ofServer + ErrorCode.ofHub + hub.roomList.plans.flatMap(\.errors)
      #expect(known.map(\.rawValue).sorted() == codes)
    }
  }
}
