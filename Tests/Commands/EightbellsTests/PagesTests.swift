import Foundation
import Hub
import Server
import Testing
import Wire

@testable import Eightbells

/// Compares Tests/World/pages.json, from which the contact sheet and the checks of every page are made, with the hub
/// that `serve` composes.
struct PagesTests {
  static let listed: Set<String> = {
    var root = URL(filePath: #filePath)
    for _ in 0..<3 { root.deleteLastPathComponent() }
    let data = (try? Data(contentsOf: root.appending(path: "World/pages.json"))) ?? Data()
    let list = try? JSON(parsing: Array(data))
    return Set(list?.members?.map(\.name) ?? [])
  }()

  /// The paths of the API's description that answer GET with a page.
  static let describedPages: Set<String> = {
    var found: Set<String> = []
    var (path, method) = ("", "")
    for line in DescriptionTests.description.components(separatedBy: "\npaths:\n")[1].split(separator: "\n") {
      if !line.hasPrefix(" ") { break }
      if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
      if let match = line.wholeMatch(of: #/    ([a-z]+):/#) { method = String(match.1) }
      if method == "get", line.contains("text/html:") { found.insert(path) }
    }
    return found
  }()

  @Test func `every route that answers with a page is on the contact sheet`() async throws {
    try await DescriptionTests.withRooms { hub in
      let files = hub.router(isDemo: true).routes.filter { $0.method == .get }.map(\.path)
      let pages = files.filter { path in
        let isFile = path.split(separator: "/").last?.contains(".") ?? false
        let isDescribed = DescriptionTests.described.contains("GET \(path)")
        // The documents have one frame, that of "/docs"; Tests/Browser/test_docs_site.py opens each.
        if path.hasPrefix("/docs/") { return false }
        if path.hasPrefix("/api/") || DescriptionTests.isSpelling("GET \(path)") { return false }
        return isDescribed ? Self.describedPages.contains(path) : !isFile
      }
      #expect(Set(pages).subtracting(Self.listed).sorted() == [], "give each a line in Tests/World/pages.json")
      #expect(Self.listed.subtracting(pages).sorted() == [], "nothing is served there")
    }
  }
}
