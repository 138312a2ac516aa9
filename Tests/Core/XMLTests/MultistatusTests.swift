import Testing
import XML

struct MultistatusTests {
  private func entries(_ response: String) throws -> [Multistatus.Entry] {
    let xml = "<d:multistatus xmlns:d=\"DAV:\"><d:response><d:href>/a</d:href>\(response)</d:response></d:multistatus>"
    return try Multistatus(Array(xml.utf8)).entries
  }

  @Test(arguments: ["\u{301}", "\u{FE0F}", "\u{200D}"])
  func `a mark behind a reference is a part of no semicolon`(mark: String) throws {
    let name = "&quot;\(mark)a&#x22;\(mark) &amp;b;"
    let found = try entries(
      "<d:propstat><d:prop><d:displayname>\(name)</d:displayname></d:prop><d:status>HTTP/1.1 200 OK</d:status>"
        + "</d:propstat>")
    #expect(found.first?.name == "\"\(mark)a\"\(mark) &b;")
  }

  @Test func `of a list that is too long one entry more than wanted is read`() throws {
    let response = "<d:response><d:href>/a</d:href></d:response>"
    let open = "<d:multistatus xmlns:d=\"DAV:\">" + String(repeating: response, count: 4)
    let bytes = Array((open + "</d:multistatus>").utf8)
    #expect(try Multistatus(bytes, atMost: 4).entries.count == 4)
    #expect(try Multistatus(bytes, atMost: 2).entries.count == 3)
    #expect(throws: XMLScanner.Malformed.self) { try Multistatus(Array(open.utf8), atMost: 4) }
  }

  @Test func `what a server does not give is told with its reason`() throws {
    let none = "<d:propstat><d:prop><d:displayname/></d:prop><d:status>HTTP/1.1 404 Not Found</d:status></d:propstat>"
    let tag = "<d:propstat><d:prop><d:getetag>t</d:getetag></d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat>"
    let found = try entries(tag + none)
    #expect(found.map(\.refusal) == [404] && found.map(\.etag) == ["t"] && found.map(\.status) == [nil])
    #expect(try entries(tag).map(\.refusal) == [nil])
    #expect(try entries("<d:status>HTTP/1.1 503 Service Unavailable</d:status>").map(\.status) == [503])
  }
}
