import Hub
import Server
import Testing

struct RequestGateTests {
  @Test func `one caller has a share, and all together no more than there is`() throws {
    let gate = RequestGate(3, each: 2, refusal: HTTPError(.invalidField, "full", help: "Later."))
    var ada = [try gate.enter(for: "ada"), try gate.enter(for: "ada")]
    #expect(throws: HTTPError.self) { try gate.enter(for: "ada") }
    var ben = [try gate.enter(for: "ben")]
    #expect(throws: HTTPError.self) { try gate.enter(for: "ben") }
    ada.removeLast()
    ben.append(try gate.enter(for: "ben"))
    #expect(throws: HTTPError.self) { try gate.enter(for: "ada") }
    ben.removeAll()
    ada.append(try gate.enter(for: "ada"))
    #expect(ada.count == 2)
  }
}
