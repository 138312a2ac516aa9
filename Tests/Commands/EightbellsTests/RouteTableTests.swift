import Foundation
import Hub
import Server
import Testing

@testable import Eightbells

/// Compares Tests/Hub/authorization.txt, in which each route stands with its answers to each kind of caller, with the
/// routes of the hub that `serve` composes.
struct RouteTableTests {
  static let table: URL = {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    return root.appending(path: "Hub/authorization.txt")
  }()

  @Test func `each route stands in the table of who may call it, and no other`() async throws {
    let text = try String(contentsOf: Self.table, encoding: .utf8)
    let listed = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.hasPrefix(" ") }.map { line in
      line.split(separator: " ").prefix(2).joined(separator: " ")
    }
    try await DescriptionTests.withRooms { hub in
      var files = Router()
      WebShell.addRoutes(to: &files, of: hub)
      let served = DescriptionTests.operations(hub.router()).subtracting(DescriptionTests.operations(files)).filter {
        // What browsers ask beforehand is open to all and not described, and Parse's paths are spelt in two ways.
        let isPreflight = $0.hasPrefix("OPTIONS ") && !DescriptionTests.described.contains($0)
        return !isPreflight && !($0.contains(" /parse/") && $0.hasSuffix("/"))
      }
      #expect(served.subtracting(listed).sorted() == [], "served, and missing from the table")
      #expect(Set(listed).subtracting(served).sorted() == [], "in the table, and not served")
    }
  }
}
