import Wire

/// Checks the members of a notification's content that are known. Others are kept and passed on.
enum ContentCheck {
  struct Fault: Equatable {
    var field: String
    var words: String
  }

  private static let texts = ["title", "subtitle", "body", "sound", "category", "thread", "url", "tag"]
  private static let levels = ["passive", "active", "time-sensitive", "critical"]
  private static let options = ["foreground", "destructive", "authentication_required"]
  /// A banner shows two actions, an expanded notification at most four.
  private static let actions = 4
  /// Durations of a vibration; browsers take no longer patterns.
  private static let vibrations = 99

  static func faults(_ content: JSON) -> [Fault] {
    var faults: [Fault] = []
    if content.members?.isEmpty ?? true { faults.append(Fault(field: "title", words: "missing; a text is accepted.")) }
    for name in texts {
      if let value = content[name], value.string == nil {
        faults.append(Fault(field: name, words: "\(value.kind); a text is accepted."))
      }
    }
    if let badge = content["badge"], badge.int.map({ $0 < 0 }) ?? true {
      faults.append(Fault(field: "badge", words: "\(badge.text.prefix(40)); a whole number, 0 or more, is accepted."))
    }
    if let level = content["interruption_level"], !levels.contains(level.string ?? "") {
      faults.append(
        Fault(
          field: "interruption_level",
          words: "\(level.text.prefix(40)); one of \(levels.joined(separator: ", ")) is accepted."))
    }
    if let pattern = content["vibration"] {
      let isPattern = pattern.array.map { list in
        list.count <= vibrations && list.allSatisfy { $0.int.map { (0...10_000).contains($0) } ?? false }
      }
      if isPattern != true {
        faults.append(
          Fault(field: "vibration", words: "at most \(vibrations) whole numbers, 0 to 10000 ms each, are accepted."))
      }
    }
    if let info = content["user_info"], info.members == nil {
      faults.append(Fault(field: "user_info", words: "\(info.kind); an object is accepted."))
    }
    if let list = content["actions"] { faults += Self.faults(ofActions: list) }
    return faults
  }

  private static func faults(ofActions json: JSON) -> [Fault] {
    guard let list = json.array, list.count <= actions else {
      let seen = json.array.map { "\($0.count) actions" } ?? json.kind
      return [Fault(field: "actions", words: "\(seen); a list of at most \(actions) is accepted.")]
    }
    let ids = list.compactMap { $0["id"]?.string }.filter { !$0.isEmpty }
    guard ids.count == list.count, Set(ids).count == ids.count, list.allSatisfy({ $0["title"]?.string != nil }) else {
      return [Fault(field: "actions", words: "each needs an id of its own, and a title.")]
    }
    for action in list {
      guard let chosen = action["options"] else { continue }
      let known = chosen.array?.allSatisfy { options.contains($0.string ?? "") } ?? false
      if !known {
        let words = "\(chosen.text.prefix(80)); a list of \(options.joined(separator: ", ")) is accepted."
        return [Fault(field: "actions", words: words)]
      }
    }
    return []
  }
}
