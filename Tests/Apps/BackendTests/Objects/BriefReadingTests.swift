import Objects
import Server
import Testing
import Wire

@testable import Backend

/// Readings that are tried among the store's lookups, and those that are too long for them.
@Suite(.timeLimit(.minutes(5)))
struct BriefReadingTests {
  private let world: AppsWorld
  private let app: App
  private let objects: AppObjects

  init() async throws { (world, app, objects) = try await AppsWorld.withApp() }

  private func create(_ fields: JSON) async throws -> String {
    try await objects.write(app, as: .master) { try $0.create("Note", try ObjectEdit(fields)).0.id }
  }

  /// The answer, and if it was brief.
  private func read(_ body: @escaping @Sendable (ObjectReader) throws -> JSON) async throws -> (JSON, wasBrief: Bool) {
    let answer = try await objects.readBriefly("Note", of: app, as: .master) { reader in
      (try body(reader), reader.deadline.isBrief)
    }
    return (answer.0, answer.1)
  }

  @Test func `an object is read briefly, a large one on a reader, and so are the next ones`() async throws {
    let small = try await create(["text": "a"])
    let large = try await create(["text": .string(String(repeating: "a", count: AppsLimits.briefBytes))])
    #expect(try await read { try $0.get("Note", small, []) }.wasBrief)
    let (answer, wasBrief) = try await read { try $0.get("Note", large, []) }
    #expect(!wasBrief && answer["text"]?.string?.utf8.count == AppsLimits.briefBytes)
    let other = try await objects.readBriefly("Other", of: app, as: .master) { $0.deadline.isBrief }
    #expect(other, "another class is read as before")
    for _ in 0..<AppsLimits.notBriefly { #expect(try await !read { try $0.get("Note", small, []) }.wasBrief) }
    #expect(try await read { try $0.get("Note", small, []) }.wasBrief)
  }

  @Test(arguments: [
    #"{"text": {"$regex": "^a"}}"#, #"{"other": {"$inQuery": {"className": "Note", "where": {}}}}"#,
  ])
  func `a question that the database does not answer alone goes to a reader`(condition: String) async throws {
    _ = try await create(["text": "a"])
    let (answer, wasBrief) = try await read { try $0.find("Note", [.init("where", .string(condition))]) }
    #expect(!wasBrief && answer["results"]?.array != nil)
  }

  @Test func `a brief question has the answer of a long one`() async throws {
    for number in 0..<5 { _ = try await create(["number": .int(number), "text": "a"]) }
    let parameters: [JSON.Member] = [.init("where", #"{"number": {"$gt": 2}}"#), .init("count", "1")]
    let (brief, wasBrief) = try await read { try $0.find("Note", parameters) }
    #expect(wasBrief && brief["count"] == 2)
    #expect(try await objects.read(app, as: .master) { try $0.find("Note", parameters) } == brief)
    await #expect(throws: HTTPError.self) { try await read { try $0.get("Note", "nothing", []) } }
  }
}
