/// Which messages of its topics a subscriber wants.
public struct NtfyFilter: Equatable, Sendable {
  private var id: String?
  private var message: String?
  private var title: String?
  /// Any of these.
  private var priorities: [Int] = []
  /// All of these.
  private var tags: [String] = []

  public init(_ parameters: NtfyParameters) throws(NtfyFault) {
    id = parameters["id"]
    message = parameters["message", "m"]
    title = parameters["title", "t"]
    let words = NtfyWords.list(parameters["priority", "prio", "p"] ?? "")
    tags = NtfyWords.list(parameters["tags", "tag", "ta"] ?? "")
    guard words.count <= NtfyLimits.filterWords else { throw .filter("priority") }
    guard tags.count <= NtfyLimits.filterWords else { throw .filter("tags") }
    for word in words {
      if let priority = try NtfyPriority.read(word) { priorities.append(priority) }
    }
  }

  /// True for a message that passes; other events always do.
  public func passes(_ event: NtfyEvent) -> Bool {
    guard event.kind == .message else { return true }
    if let id, id != event.id { return false }
    if let message, message != event.message { return false }
    if let title, title != event.title { return false }
    if !priorities.isEmpty, !priorities.contains(event.priority ?? 3) { return false }
    return tags.allSatisfy(event.tags.contains)
  }
}
