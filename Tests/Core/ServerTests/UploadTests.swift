import Server
import Testing
import Wire
import World

/// Bodies that a handler reads while they arrive.
struct UploadTests {
  static let queueBytes = 128 << 10

  /// Waits at the gate, then reads the whole body and answers with its length.
  static func router(_ gate: Gate, failed: Note<[HTTPError]> = Note([]), limit: Int = 64 << 20) -> Router {
    var router = DeadlineTests.router
    router.on(
      .put, "/upload", bodyLimit: limit, admit: { _ throws(HTTPError) in },
      .streaming { _, body throws(HTTPError) in
        await gate.wait()
        var count = 0
        do throws(HTTPError) {
          while let piece = try await body.next() { count += piece.count }
        } catch {
          failed.change { $0.append(error) }
          throw error
        }
        return Response(json: .int(count))
      })
    return router
  }

  static func head(_ length: Int, _ more: String = "") -> String {
    "PUT /upload HTTP/1.1\r\nHost: a\r\n\(more)Content-Length: \(length)\r\n\r\n"
  }

  @Test func `a handler that is behind holds the client back, and the upload goes on when it takes more`() throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect(window: 65_536)
    let whole = 24 << 20
    peer.send(Self.head(whole))
    let first = bench.push(whole, from: peer)
    // The sockets' buffers and the queue, which is far from all.
    #expect(first > Self.queueBytes)
    #expect(first < 8 << 20)
    gate.open()
    bench.turn()
    let rest = bench.push(whole - first, from: peer)
    #expect(first + rest == whole)
    bench.turn()
    #expect(peer.received().text.hasSuffix("\r\n\r\n\(whole)"))
  }

  @Test(arguments: [1, 65_536, queueBytes - 1, queueBytes, queueBytes + 1])
  func `a body is told its end, also where that comes with a full queue`(count: Int) throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    peer.send(Self.head(count))
    #expect(bench.push(count, from: peer) == count)
    #expect(peer.received().text == "")
    gate.open()
    bench.turn()
    #expect(peer.received().text.hasSuffix("\r\n\r\n\(count)"))
    // The connection can still be used.
    peer.send(DeadlineTests.request)
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 200 "))
  }

  static func refusing(_ gate: Gate?) -> Router {
    var router = Router()
    router.on(
      .put, "/upload", bodyLimit: 64 << 20, admit: { _ throws(HTTPError) in },
      .streaming { _, _ throws(HTTPError) in
        if let gate { await gate.wait() }
        throw HTTPError(.roleNotAllowed, "No.", help: "Nothing is accepted here.")
      })
    return router
  }

  @Test func `an answer before the body's end arrives whole, although the client sends on`() throws {
    let bench = try Bench(Self.refusing(nil))
    let peer = bench.connect()
    peer.send(Self.head(4 << 20))
    bench.turn()
    #expect(bench.push(4 << 20, from: peer) == 4 << 20)
    peer.finish()
    let (bytes, isClosed) = bench.collect(peer)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix("HTTP/1.1 403 "))
    #expect(text.contains("Connection: close\r\n"))
    #expect(text.hasSuffix("}"))
    #expect(isClosed)
    bench.turn()
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a refusal lets go of a client that was held back`() throws {
    let gate = Gate()
    let bench = try Bench(Self.refusing(gate))
    let peer = bench.connect(window: 65_536)
    peer.send(Self.head(4 << 20))
    let first = bench.push(4 << 20, from: peer)
    #expect(first < 4 << 20)
    gate.open()
    bench.turn()
    #expect(first + bench.push((4 << 20) - first, from: peer) == 4 << 20)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 403 "))
  }

  @Test(arguments: [false, true])
  func `a client that leaves in the middle of its body is told of`(vanishes: Bool) throws {
    let (gate, failed) = (Gate(), Note<[HTTPError]>([]))
    gate.open()
    let bench = try Bench(Self.router(gate, failed: failed))
    let peer = bench.connect()
    peer.send(Self.head(1000) + "abc")
    bench.turn()
    #expect(failed.value.isEmpty)
    if vanishes { peer.vanish() } else { peer.finish() }
    bench.turn()
    #expect(failed.value.map(\.error) == ["The client has left."])
    #expect(bench.server.connectionCount == 0)
  }

  @Test func `a body that stops coming is a request that came too slowly, for the handler as well`() throws {
    let (gate, failed) = (Gate(), Note<[HTTPError]>([]))
    gate.open()
    let bench = try Bench(Self.router(gate, failed: failed))
    let peer = bench.connect()
    peer.send(Self.head(1000) + "abc")
    bench.turn()
    bench.pass(ServerLimits.bodySeconds - 2)
    #expect(peer.received().text == "")
    bench.pass(4)
    #expect(peer.received().text.hasPrefix("HTTP/1.1 408 "))
    #expect(failed.value.map(\.code) == [.tooSlow])
  }

  @Test func `a client that waits for the handler is not slow`() throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect(window: 65_536)
    let whole = 4 << 20
    peer.send(Self.head(whole))
    let first = bench.push(whole, from: peer)
    #expect(first < whole)
    bench.pass(ServerLimits.bodySeconds + 2)
    #expect(peer.received() == ("", false))
    gate.open()
    bench.turn()
    #expect(first + bench.push(whole - first, from: peer) == whole)
    bench.turn()
    #expect(peer.received().text.hasSuffix("\r\n\r\n\(whole)"))
  }

  @Test func `a body that is too long ends its handler and the connection`() throws {
    let (gate, failed) = (Gate(), Note<[HTTPError]>([]))
    gate.open()
    let bench = try Bench(Self.router(gate, failed: failed, limit: 10))
    let peer = bench.connect()
    peer.send("PUT /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nabcdef\r\n")
    bench.turn()
    #expect(peer.received().text == "")
    peer.send("6\r\nabcdef\r\n")
    bench.turn()
    #expect(peer.received().text.hasPrefix("HTTP/1.1 413 "))
    #expect(failed.value.map(\.code) == [.bodyTooLarge])
  }

  @Test(arguments: ["", "Content-Length: 0\r\n"])
  func `a request without a body may be refused at once, and the connection is as good as before`(length: String) throws
  {
    var router = DeadlineTests.router
    router.on(
      .put, "/upload",
      .streaming { _, _ throws(HTTPError) in throw HTTPError(ErrorCode(40101), "There is no token.", help: "Send one.")
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send("PUT /upload HTTP/1.1\r\nHost: a\r\n\(length)\r\n" + DeadlineTests.request)
    bench.turn()
    let text = peer.received().text
    #expect(text.hasPrefix("HTTP/1.1 401 "))
    #expect(text.hasSuffix("{\"a\":1}"))
    bench.pass(ServerLimits.handlerSeconds + 2)
    #expect(peer.received() == ("", false))
  }

  @Test func `an upload that waits in line keeps its place, and then has the time that a body has`() throws {
    let gate = Gate()
    let bench = try Bench(Self.router(gate))
    let peer = bench.connect()
    peer.send(Self.head(4) + "ab")
    for _ in 0..<9 { bench.pass(ServerLimits.handlerSeconds) }
    #expect(peer.received() == ("", false))
    gate.open()
    bench.pass(0)
    bench.pass(ServerLimits.bodySeconds - 2)
    peer.send("cd")
    bench.pass(0)
    #expect(peer.received().text.hasSuffix("\r\n\r\n4"))
    // A line that never moves ends all the same.
    let other = try Bench(Self.router(Gate()))
    let late = other.connect()
    late.send(Self.head(4) + "ab")
    other.pass(0)
    other.pass(ServerLimits.lineSeconds + 2)
    #expect(late.received().text.hasPrefix("HTTP/1.1 503 "))
  }

  @Test func `a body that comes in crumbs is handed over in pieces`() throws {
    let (gate, pieces) = (Gate(), Note(0))
    var router = Router()
    router.on(
      .put, "/upload",
      .streaming { _, body throws(HTTPError) in
        await gate.wait()
        var all: [UInt8] = []
        while let piece = try await body.next() {
          all += piece
          pieces.change { $0 += 1 }
        }
        return Response(contentType: "text/plain", body: .bytes(all))
      })
    let bench = try Bench(router)
    let peer = bench.connect()
    peer.send("PUT /upload HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
    let crumbs = (0..<5000).map { String($0 % 10) }
    peer.send(crumbs.map { "1\r\n\($0)\r\n" }.joined() + "0\r\n\r\n")
    bench.turn()
    gate.open()
    bench.turn { pieces.value > 0 }
    bench.turn()
    #expect(pieces.value == 1)
    #expect(peer.received().text.hasSuffix("\r\n\r\n" + crumbs.joined()))
  }
}
