import EventLoop
import Glibc
import Server
import Testing
import Wire
import World

/// Answers sent from a file to the socket.
struct FileAnswerTests {
  /// Larger than sockets' buffers, a file's window and its turn. No two pages are alike.
  static let bytes: [UInt8] = {
    var random = SeededGenerator(state: 7)
    let page = (0..<4096).map { _ in UInt8.random(in: 0...255, using: &random) }
    return (0..<1280).flatMap { number in [UInt8(number >> 8), UInt8(number & 255)] + page.dropFirst(2) }
  }()

  final class Owner: Sendable {
    let descriptor: Int32
    init(_ path: String) { descriptor = open(path, O_RDONLY) }
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }
  }

  let folder = TemporaryFolder()

  /// A server with the file at /file, and a peer.
  func bench() throws -> (bench: Bench, peer: Peer) {
    try folder.write(Self.bytes, to: "file")
    let owner = Owner("\(folder.path)/file")
    let file = OpenFile(owner.descriptor, size: Self.bytes.count, ownedBy: owner)
    var router = DeadlineTests.router
    router.on(
      .get, "/file",
      .immediate { _ throws(HTTPError) in
        Response(contentType: "application/octet-stream", body: .file(file, 0..<file.size), etag: "seven")
      })
    let bench = try Bench(router)
    return (bench, bench.connect(window: 65_536))
  }

  static func request(_ fields: String = "", _ method: String = "GET") -> String {
    "\(method) /file HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
  }

  /// The head as text, and the body.
  static func split(_ bytes: [UInt8]) -> (head: String, body: ArraySlice<UInt8>) {
    var end = 4
    while end < bytes.count, !bytes[(end - 4)..<end].elementsEqual("\r\n\r\n".utf8) { end += 1 }
    return (String(decoding: bytes[..<end], as: UTF8.self), bytes[end...])
  }

  static func areEqual(_ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>) -> Bool {
    a.withUnsafeBytes { a in
      b.withUnsafeBytes { b in a.count == b.count && memcmp(a.baseAddress!, b.baseAddress!, a.count) == 0 }
    }
  }

  @Test func `a large file arrives byte by byte, and the next answer behind it`() throws {
    let (bench, peer) = try bench()
    peer.send(Self.request() + "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    let (all, isClosed) = bench.collect(peer)
    #expect(isClosed)
    let (head, body) = Self.split(all)
    #expect(head.hasPrefix("HTTP/1.1 200 "))
    #expect(head.contains("Content-Length: \(Self.bytes.count)\r\n"))
    #expect(Self.areEqual(body.prefix(Self.bytes.count), Self.bytes[...]))
    let next = String(decoding: body.dropFirst(Self.bytes.count), as: UTF8.self)
    #expect(next.hasPrefix("HTTP/1.1 200 "))
    #expect(next.hasSuffix("{\"a\":1}"))
  }

  @Test(arguments: [
    ("0-0", 0..<1), ("1048575-2097152", 1_048_575..<2_097_153), ("5242870-", 5_242_870..<bytes.count),
    ("-5", (bytes.count - 5)..<bytes.count), ("5-99999999", 5..<bytes.count),
  ])
  func `a range of a file is exactly that`(range: String, is expected: Range<Int>) throws {
    let (bench, peer) = try bench()
    peer.send(Self.request("Range: bytes=\(range)\r\nIf-Range: \"seven\"\r\n"))
    let (all, _) = bench.collect(peer, atLeast: expected.count + 200)
    let (head, body) = Self.split(all)
    #expect(head.hasPrefix("HTTP/1.1 206 "))
    let last = expected.upperBound - 1
    #expect(head.contains("Content-Range: bytes \(expected.lowerBound)-\(last)/\(Self.bytes.count)\r\n"))
    #expect(head.contains("Content-Length: \(expected.count)\r\n"))
    #expect(Self.areEqual(body, Self.bytes[expected]))
  }

  @Test func `a range of an older file is all of this one, and one behind its end is refused`() throws {
    let (bench, peer) = try bench()
    peer.send(Self.request("Range: bytes=0-0\r\nIf-Range: \"six\"\r\n", "HEAD"))
    bench.turn()
    let whole = peer.received().text
    #expect(whole.hasPrefix("HTTP/1.1 200 "))
    #expect(whole.contains("Content-Length: \(Self.bytes.count)\r\n"))
    #expect(whole.hasSuffix("\r\n\r\n"))
    peer.send(Self.request("Range: bytes=99999999-\r\n"))
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 416 "))
    peer.send(Self.request("If-None-Match: \"seven\"\r\n"))
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 304 "))
  }

  /// A file in memory that is nearly all holes. Reading a hole does not bring it into the page cache: the file is read
  /// by another thread each time.
  static func coldFile(_ written: [Int: String]) -> OpenFile {
    let name = "/eightbells-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
    let owner = Owner(shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600))
    shm_unlink(name)
    let size = 8 << 20
    #expect(ftruncate(owner.descriptor, size) == 0)
    for (offset, text) in written { #expect(pwrite(owner.descriptor, text, text.utf8.count, offset) > 0) }
    return OpenFile(owner.descriptor, size: size, ownedBy: owner)
  }

  @Test func `bytes that come while a file is read from the disk change nothing of what is sent`() throws {
    // The ends of pages, before holes.
    let (late, early) = ((4 << 20) - 5, (1 << 20) - 5)
    let file = Self.coldFile([late: "77777", early: "11111"])
    var router = Router()
    router.on(
      .get, "/file",
      .immediate { _ throws(HTTPError) in
        Response(contentType: "application/octet-stream", body: .file(file, 0..<file.size))
      })
    let bench = try Bench(router)
    // The reading thread has some milliseconds of work.
    let others = (0..<20).map { _ in bench.connect() }
    let peer = bench.connect()
    for other in others { other.send(Self.request()) }
    bench.loop.turn(wait: 0.1)
    peer.send(Self.request("Range: bytes=\(late)-\(late + 9)\r\n"))
    bench.loop.turn(wait: 0.1)
    let next = Self.request("Range: bytes=\(early)-\(early + 9)\r\nConnection: close\r\n")
    for piece in [next.prefix(1), next.dropFirst().prefix(1), next.dropFirst(2).prefix(1), next.dropFirst(3)] {
      peer.send(String(piece))
      bench.loop.turn(wait: 0)
    }
    let (all, isClosed) = withExtendedLifetime(others) { bench.collect(peer) }
    #expect(isClosed)
    let (head, rest) = Self.split(all)
    #expect(head.contains("Content-Range: bytes \(late)-\(late + 9)/"))
    #expect(rest.prefix(10).elementsEqual("77777\0\0\0\0\0".utf8))
    let (nextHead, nextBody) = Self.split(Array(rest.dropFirst(10)))
    #expect(nextHead.contains("Content-Range: bytes \(early)-\(early + 9)/"))
    #expect(nextBody.elementsEqual("11111\0\0\0\0\0".utf8))
  }

  @Test func `a file that became shorter is cut off, and not filled up`() throws {
    let (bench, peer) = try bench()
    truncate("\(folder.path)/file", 1_000_000)
    peer.send(Self.request())
    let (all, isClosed) = bench.collect(peer)
    let (_, body) = Self.split(all)
    #expect(Self.areEqual(body, Self.bytes[..<1_000_000]))
    #expect(isClosed)
  }

  @Test func `of what is kept compressed no part is made, since all before it would be decompressed`() throws {
    let packed = PackedBytes(Gzip.compress(Self.bytes), count: Self.bytes.count)
    var router = Router()
    router.on(
      .get, "/file",
      .immediate { _ throws(HTTPError) in Response(contentType: "text/plain", body: .packed(packed)) })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send(Self.request("Range: bytes=0-0\r\nConnection: close\r\n"))
    let (head, body) = Self.split(bench.collect(peer).bytes)
    #expect(head.hasPrefix("HTTP/1.1 200 "))
    #expect(Self.areEqual(body, Self.bytes[...]))
  }
}
