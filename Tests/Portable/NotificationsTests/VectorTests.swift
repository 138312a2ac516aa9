import Foundation
import Notifications
import Testing
import Wire

/// The vectors of Tests/Fixtures/notifications, which Node and a browser answer too (Tests/Web/notifications.test.mjs).
struct VectorTests {
  /// A value with its short forms written out: {"$times": [text or list, n]} and {"$join": [texts]}.
  private func written(_ value: JSON) -> JSON {
    switch value {
    case .array(let values): return .array(values.map(written))
    case .object(let members):
      if let times = value["$times"]?.array, let count = times[1].int {
        if let text = times[0].string { return .string(String(repeating: text, count: count)) }
        return .array((0..<count).flatMap { _ in times[0].array ?? [] })
      }
      if let parts = value["$join"]?.array { return .string(parts.map { written($0).string ?? "" }.joined()) }
      return .object(members.map { JSON.Member($0.name, written($0.value)) })
    default: return value
    }
  }

  @Test(
    arguments: [
      "contents.json", "attachments.json", "presentation.json", "responses.json", "triggers.json", "queue.json",
    ])
  func `the rules answer as the vectors say`(file: String) throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: folder.appending(path: "Fixtures/notifications/\(file)"))
    let vectors = try #require(try JSON(parsing: Array(data)).array)
    #expect(vectors.count >= 20)
    for vector in vectors {
      let question = try #require(vector["question"])
      let answered = try JSON(parsing: Notifications.answer(written(question).bytes))
      let name = vector["name"]?.string ?? ""
      if let refused = vector["refused"]?.array {
        let fields = (answered["faults"]?.array ?? []).compactMap { $0["field"] }
        #expect(fields == refused, "\(name): \(answered.text)")
      } else {
        let expected = written(vector["answer"] ?? .null)
        #expect(answered == expected, "\(name): \(answered.text), not \(expected.text)")
      }
    }
  }
}
