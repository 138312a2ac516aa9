import Agent
import Testing
import Wire

struct AnswerTests {
  static let withActions: JSON = ["actions": [["id": "open", "title": "Open"], ["id": "not-today", "title": "No"]]]
  static let withCategory: JSON = ["category": "sign"]
  static let plain: JSON = ["title": "Open"]

  static let answers: [(String, JSON, Answer)] = [
    ("open", withActions, Answer(action: "open")),
    ("\n  open \r\nmore words\n", withActions, Answer(action: "open")),
    ("not-today\n", withActions, Answer(action: "not-today")),
    ("default", plain, Answer(action: "default")),
    ("dismiss", withActions, Answer(action: "dismiss")),
    ("open", withCategory, Answer(action: "open")),
    ("{\"action\":\"open\",\"text\":\"at seven\"}\n", withActions, Answer(action: "open", text: "at seven")),
    ("{\n  \"action\": \"open\"\n}", withActions, Answer(action: "open")),
  ]

  @Test(arguments: answers)
  func `the first line, or JSON, is the answer`(output: String, content: JSON, expected: Answer) {
    #expect(Answer.read(Array(output.utf8), of: content) == .answer(expected))
  }

  @Test(arguments: ["", " \n\t\n"]) func `no output is no answer`(output: String) {
    #expect(Answer.read(Array(output.utf8), of: Self.withActions) == .none)
  }

  static let chatter: [(String, JSON)] = [
    ("Playing ring.wav", withActions), ("open", plain), ("close", withActions), ("Playing ring.wav", withCategory),
    ("{\"text\":\"x\"}", withActions), ("{", withActions), ("{\"action\":7}", withActions),
    ("\u{ff}", withCategory), (String(repeating: "x", count: 65), withCategory),
  ]

  @Test(arguments: chatter)
  func `what a player says is no answer`(output: String, content: JSON) {
    guard case .ignored = Answer.read(Array(output.utf8), of: content) else { return #expect(Bool(false)) }
  }
}
