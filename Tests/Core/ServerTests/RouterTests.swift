import Server
import Testing
import Wire

struct RouterTests {
  static let answer = Handler.immediate { _ throws(HTTPError) in Response(json: [:]) }

  static var router: Router {
    var router = Router()
    router.on(.get, "/", answer)
    router.on(.get, "/a", answer)
    router.on(.put, "/a", bodyLimit: 7, answer)
    router.on(.get, "/a/{id}.ics", answer)
    router.on(.get, "/a/{id}/b", answer)
    return router
  }

  @Test(arguments: [
    ("/a/x.ics", ["id": "x"]), ("/a/x%20y.ics", ["id": "x y"]), ("/a/x.ics.ics", ["id": "x.ics"]),
    ("/a/%C3%A4/b", ["id": "ä"]),
  ])
  func `braces stand for part of a path`(path: String, parameters: [String: String]) {
    guard case .route(_, let found) = Self.router.match(.get, path[...]) else {
      Issue.record("\(path) is not found")
      return
    }
    #expect(found == parameters)
  }

  @Test(arguments: [
    "/b", "/a/", "/a/.ics", "/a/x", "/a//b", "/a/x/y.ics", "/a/%ff.ics", "", "//a", "//a/x.ics", "/a//x.ics",
    "/a/x.ics/", "//a/x/b", "/a/x//b", "/a/x/b/", "a/x/b",
  ])
  func `other paths are not there`(path: String) {
    guard case .none = Self.router.match(.get, path[...]) else {
      Issue.record("\(path) is found")
      return
    }
  }

  @Test func `the routes are those that were given`() {
    let routes = Self.router.routes.map { "\($0.method.name) \($0.path)" }
    #expect(routes.sorted() == ["GET /", "GET /a", "GET /a/{id}.ics", "GET /a/{id}/b", "PUT /a"])
  }

  @Test func `another method is told which are served, HEAD among them`() {
    guard case .otherMethods(let methods) = Self.router.match(.delete, "/a") else {
      Issue.record("DELETE is served")
      return
    }
    #expect(methods == [.get, .head, .put])
    guard case .route(let route, _) = Self.router.match(.put, "/a") else {
      Issue.record("PUT is not served")
      return
    }
    #expect(route.bodyLimit == 7)
    guard case .route = Self.router.match(.head, "/") else {
      Issue.record("HEAD is not served")
      return
    }
  }

  @Test func `a path that begins with braces is looked at last, and only where it fits`() {
    var router = Router()
    router.on(.post, "/{topic}", where: { $0["topic"] != "space" }, Self.answer)
    router.on(.get, "/{topic}/json", where: { $0["topic"] != "space" }, Self.answer)
    router.on(.get, "/a/{id}", Self.answer)
    router.on(.get, "/b", Self.answer)
    func parameters(_ method: Method, _ path: Substring) -> [String: String]? {
      guard case .route(_, let parameters) = router.match(method, path) else { return nil }
      return parameters
    }
    #expect(parameters(.get, "/a/json") == ["id": "json"])
    #expect(parameters(.get, "/c/json") == ["topic": "c"])
    #expect(parameters(.post, "/c") == ["topic": "c"])
    for (method, path) in [(Method.post, "/space"), (.get, "/space/json")] as [(Method, Substring)] {
      guard case .none = router.match(method, path) else {
        Issue.record("\(method.name) \(path) is served")
        continue
      }
    }
    // A path of its own is not taken for a placeholder's value.
    guard case .otherMethods = router.match(.post, "/b") else {
      Issue.record("POST /b is served")
      return
    }
  }

  @Test func `every error has a status of its own family and a number of its own`() {
    #expect(Set(ErrorCode.ofServer).count == ErrorCode.ofServer.count)
    for code in ErrorCode.ofServer {
      #expect((400...599).contains(code.status))
      #expect(String(describing: ResponseHead.reason(code.status)) != "Unknown")
    }
    #expect([202, 303, 307, 308].allSatisfy { String(describing: ResponseHead.reason($0)) != "Unknown" })
  }

  @Test func `a query is taken apart`() {
    let request = Request(head: RequestHead(method: .get, target: "/a?from=2026-11-20&x=a+b%26c&flag&x=last&%zz=1"))
    #expect(request.query == ["from": "2026-11-20", "x": "last", "flag": ""])
  }

  @Test(arguments: [
    ("127.0.0.1:80", "127.0.0.1", 80), ("[::1]:0", "::1", 0), (":8080", "", 8080), ("*:8080", "", 8080),
  ])
  func `an address to listen on is read`(text: String, host: String, port: Int) throws {
    let address = try ListenAddress(text)
    #expect(address.host == host)
    #expect(address.port == port)
  }

  @Test(arguments: ["", "8080", "a:", "a:b", "a:70000", "a:-1"])
  func `what is no address is refused`(text: String) {
    #expect(throws: ListenError.self) { try ListenAddress(text) }
  }
}
