import Agent
import Notifications
import Testing
import Wire

struct AnswerTests {
  static let withActions: JSON = [
    "title": "Open?",
    "actions": [
      ["id": "open", "title": "Open"], ["id": "not-today", "title": "No"],
      ["id": "reply", "title": "Reply", "text_input": ["button": "Send"]],
      ["id": "unlock", "title": "Unlock", "options": ["authentication_required"]],
    ],
  ]
  static let withCategory: JSON = ["title": "Open", "category": "sign"]
  static let withKnown: JSON = ["title": "Tide", "category": "tide"]
  static let plain: JSON = ["title": "Open"]
  static let invalid: JSON = ["title": "Open", "badge": -1, "actions": [["id": "open", "title": "Open"]]]

  static func rules(isLocked: Bool = false) throws -> DeviceRules {
    try DeviceRules(
      Array(
        #"""
        {"state": {"locked": \#(isLocked)}, "categories": [{"id": "tide", "actions": [
          {"id": "cast-off", "title": "Cast off"}, {"id": "why", "title": "Why?", "text_input": {}}]}]}
        """#.utf8))
  }

  static let answers: [(String, JSON, Answer)] = [
    ("open", withActions, Answer(action: "open")),
    ("\n  open \r\nmore words\n", withActions, Answer(action: "open")),
    ("not-today\n", withActions, Answer(action: "not-today")),
    ("default", plain, Answer(action: "default")),
    ("dismiss", withActions, Answer(action: "dismiss")),
    ("dismiss", invalid, Answer(action: "dismiss")),
    ("open", withCategory, Answer(action: "open")),
    ("cast-off", withKnown, Answer(action: "cast-off")),
    ("unlock", withActions, Answer(action: "unlock")),
    ("{\"action\":\"reply\",\"text\":\"at seven\"}\n", withActions, Answer(action: "reply", text: "at seven")),
    ("{\"action\":\"why\",\"text\":\"fog\"}\n", withKnown, Answer(action: "why", text: "fog")),
    ("{\"action\":\"open\",\"text\":\"at seven\"}\n", withCategory, Answer(action: "open", text: "at seven")),
    ("{\n  \"action\": \"open\"\n}", withActions, Answer(action: "open")),
  ]

  @Test(arguments: answers)
  func `the first line, or JSON, is the answer`(output: String, content: JSON, expected: Answer) throws {
    #expect(try Answer.read(Array(output.utf8), of: content, Self.rules()) == .answer(expected))
  }

  @Test(arguments: ["", " \n\t\n"]) func `no output is no answer`(output: String) {
    #expect(Answer.read(Array(output.utf8), of: Self.withActions, DeviceRules()) == .none)
  }

  static let chatter: [(String, JSON)] = [
    ("Playing ring.wav", withActions), ("open", plain), ("close", withActions), ("Playing ring.wav", withCategory),
    ("{\"text\":\"x\"}", withActions), ("{", withActions), ("{\"action\":7}", withActions),
    ("\u{ff}", withCategory), (String(repeating: "x", count: 65), withCategory),
    // The rules of the model: known actions, and a text where there is a field for one.
    ("open", withKnown), ("reply", withActions), ("{\"action\":\"open\",\"text\":\"x\"}", withActions),
    ("open", invalid),
  ]

  @Test(arguments: chatter)
  func `what a player says is no answer`(output: String, content: JSON) throws {
    guard case .ignored(let reason) = try Answer.read(Array(output.utf8), of: content, Self.rules()) else {
      return #expect(Bool(false))
    }
    #expect(!reason.contains("Playing") && reason.contains("accepted"), "\(reason)")
  }

  @Test func `a text is taken up to its limit, and beyond it refused, not cut`() throws {
    let most = NotificationLimits.answerBytes
    for content in [Self.withActions, Self.withCategory] {
      for (count, isTaken) in [(most, true), (most + 1, false)] {
        let text = String(repeating: "x", count: count)
        let output = JSON.object([.init("action", "reply"), .init("text", .string(text))]).bytes
        let reading = Answer.read(output, of: content, DeviceRules())
        if isTaken {
          #expect(reading == .answer(Answer(action: "reply", text: text)))
        } else {
          #expect(reading == .ignored("its text has 4001 bytes; at most 4000 are accepted"))
        }
      }
    }
  }

  @Test func `an action that asks for confirmation is not taken from a locked device`() throws {
    for (action, isTaken) in [("unlock", false), ("open", true)] {
      let reading = try Answer.read(Array(action.utf8), of: Self.withActions, Self.rules(isLocked: true))
      #expect((reading == .answer(Answer(action: action))) == isTaken)
    }
  }
}

struct DeviceRulesTests {
  static func content(_ text: String) throws -> Content { try Content.check(Array(text.utf8)).get() }

  @Test func `an agent without a file presents everything`() throws {
    let content = try Self.content(#"{"title": "x", "sound": "bell", "vibration": [100]}"#)
    let presentation = DeviceRules().presentation(of: content, isKnown: false)
    #expect(presentation.banner && presentation.sound && presentation.vibration && presentation.reason == nil)
    // A notification that may have been shown before does not ring again.
    let again = DeviceRules().presentation(of: content, isKnown: true)
    #expect(again.banner && !again.sound && !again.vibration)
  }

  @Test(arguments: [
    (#"{"settings": {"sound": false}}"#, "sound_off"), (#"{"state": {"silenced": true}}"#, "silenced"),
    (#"{"state": {"quiet": true}}"#, "quiet"), (#"{"settings": {"authorization": "denied"}}"#, "denied"),
    (#"{"state": {"foreground": true}}"#, "foreground"), (#"{"settings": {"alert": false}}"#, "alerts_off"),
  ])
  func `the file says what a notification may do`(file: String, reason: String) throws {
    let rules = try DeviceRules(Array(file.utf8))
    let content = try Self.content(#"{"title": "x", "sound": "bell"}"#)
    let presentation = rules.presentation(of: content, isKnown: false)
    #expect(presentation.reason?.code == reason && presentation.sound == (reason == "alerts_off"))
    let critical = try Self.content(#"{"title": "x", "sound": "bell", "interruption_level": "critical"}"#)
    let passes = ["sound_off", "silenced", "quiet", "alerts_off"].contains(reason)
    #expect(rules.presentation(of: critical, isKnown: false).sound == passes)
  }

  @Test(arguments: [
    ("", "JSON"), ("[]", "an object is accepted"), (#"{"settings": 1}"#, "settings: "),
    (#"{"settings": {"sound": "loud"}}"#, "settings: sound: \"loud\""),
    (#"{"state": {"quiet": 3}}"#, "state: quiet: 3"),
    (#"{"categories": {}}"#, "categories: {}"), (#"{"categories": [{}]}"#, "categories[0]: id: missing"),
  ])
  func `a file that breaks a rule is refused with the reason`(file: String, reason: String) {
    #expect {
      try DeviceRules(Array(file.utf8))
    } throws: {
      ($0 as? DeviceRules.Fault)?.message.contains(reason) == true
    }
  }
}
