package import Wire

/// What the command of `--exec` answers: the first line of its output is an action, or its whole output is JSON with
/// `action` and perhaps `text`.
package struct Answer: Equatable {
  package var action: String
  package var text: String?

  package init(action: String, text: String? = nil) {
    self.action = action
    self.text = text
  }

  package enum Reading: Equatable {
    case none
    case answer(Answer)
    /// Output that is no answer, such as a player's banner.
    case ignored(String)
  }

  /// - Parameter content: the notification's, which names its actions.
  package static func read(_ output: [UInt8], of content: JSON) -> Reading {
    let text = String(decoding: output, as: UTF8.self)
    let start = text.drop { $0.isWhitespace }
    if start.isEmpty { return .none }
    var answer: Answer
    if start.hasPrefix("{") {
      guard let json = try? JSON(parsing: String(start)), let action = json["action"]?.string else {
        return .ignored("its answer is no JSON with an action: {\"action\": \"…\", \"text\": \"…\"} is accepted")
      }
      answer = Answer(action: action, text: json["text"]?.string)
    } else {
      let line = start.prefix { !$0.isNewline }
      answer = Answer(action: String(line.reversed().drop { $0.isWhitespace }.reversed()))
    }
    guard mayAnswer(answer.action, content) else {
      return .ignored("its answer is none of the notification's actions: \"\(answer.action.prefix(64))\"")
    }
    return .answer(answer)
  }

  /// The tap and the removal can answer everything. The actions of a category may be known to the hub alone.
  private static func mayAnswer(_ action: String, _ content: JSON) -> Bool {
    if action == "default" || action == "dismiss" { return true }
    if let actions = content["actions"]?.array { return actions.contains { $0["id"]?.string == action } }
    let isIdentifier = action.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122: true
      default: "._-".utf8.contains(byte)
      }
    }
    return content["category"]?.string != nil && isIdentifier && (1...64).contains(action.utf8.count)
  }
}
