import Glibc
import Server
import Testing
import Wire
import World

/// Streamed answers with files in them, of which parts can be had.
struct StreamedFileTests {
  let folder = TemporaryFolder()
  static let before = Array("before".utf8)
  static let behind = Array("behind".utf8)
  static let whole = before + FileAnswerTests.bytes + behind

  /// A file between some bytes, at /stream.
  func bench() throws -> (bench: Bench, peer: Peer) {
    try folder.write(FileAnswerTests.bytes, to: "file")
    let owner = FileAnswerTests.Owner("\(folder.path)/file")
    let file = OpenFile(owner.descriptor, size: FileAnswerTests.bytes.count, ownedBy: owner)
    let inside = Self.before.count..<(Self.before.count + file.size)
    let stream = ResponseStream(length: Self.whole.count) { range, writer async throws(StreamFault) in
      let first = range.clamped(to: 0..<inside.lowerBound)
      try await writer.write(Array(Self.whole[first]))
      let part = range.clamped(to: inside)
      try await writer.write(file, (part.lowerBound - inside.lowerBound)..<(part.upperBound - inside.lowerBound))
      let last = range.clamped(to: inside.upperBound..<Self.whole.count)
      try await writer.write(Array(Self.whole[last]))
    }
    var router = DeadlineTests.router
    router.on(
      .get, "/stream",
      .immediate { _ throws(HTTPError) in
        Response(contentType: "application/octet-stream", body: .stream(stream), etag: "seven")
      })
    let bench = try Bench(router)
    return (bench, bench.connect(window: 65_536))
  }

  @Test(arguments: [nil, "0-9", "3-2000000", "6-6", "-3", "2000000-"])
  func `a part of it is that part of the whole, and the next answer comes behind it`(asked: String?) throws {
    let (bench, peer) = try bench()
    let condition = asked.map { "Range: bytes=\($0)\r\nIf-Range: \"seven\"\r\n" } ?? ""
    peer.send(
      "GET /stream HTTP/1.1\r\nHost: a\r\n\(condition)\r\nGET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let (all, isClosed) = bench.collect(peer)
    #expect(isClosed)
    let (head, rest) = FileAnswerTests.split(all)
    let count = Self.whole.count
    let range =
      switch asked {
      case "0-9": 0..<10
      case "3-2000000": 3..<2_000_001
      case "6-6": 6..<7
      case "-3": (count - 3)..<count
      case "2000000-": 2_000_000..<count
      default: 0..<count
      }
    #expect(head.hasPrefix(asked == nil ? "HTTP/1.1 200 " : "HTTP/1.1 206 "))
    #expect(head.contains("Content-Length: \(range.count)\r\n"))
    #expect(FileAnswerTests.areEqual(rest.prefix(range.count), Self.whole[range]))
    #expect(rest.dropFirst(range.count).starts(with: "HTTP/1.1 200 ".utf8))
  }

  @Test func `another version than the client has is sent whole`() throws {
    let (bench, peer) = try bench()
    peer.send("GET /stream HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\nIf-Range: \"six\"\r\nConnection: close\r\n\r\n")
    let (head, rest) = FileAnswerTests.split(bench.collect(peer).0)
    #expect(head.hasPrefix("HTTP/1.1 200 ") && rest.count == Self.whole.count)
  }

  @Test func `whoever is taken a body from is told, and what had come is dropped`() throws {
    let seen = Note<[HTTPError]>([])
    let body = Note<RequestBody?>(nil)
    var router = DeadlineTests.router
    router.on(
      .put, "/upload",
      .streaming { _, upload throws(HTTPError) in
        body.change { $0 = upload }
        do throws(HTTPError) {
          while try await upload.next() != nil {}
        } catch {
          seen.change { $0.append(error) }
          throw error
        }
        return Response(json: .int(0))
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send("PUT /upload HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc")
    bench.turn()
    let error = HTTPError(ErrorCode(42301), "Somebody else came.", help: "Ask again.")
    body.value?.interrupt(error)
    bench.turn()
    #expect(seen.value == [error])
    #expect(peer.received().text.hasPrefix("HTTP/1.1 423 "))
  }
}
