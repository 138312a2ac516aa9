public import Wire

extension Reason {
  /// The form in the store.
  public var kept: String { json.text }

  /// Reads `kept`; plain text is from an earlier version.
  public init(kept text: String) {
    self = (try? JSON(parsing: text)).flatMap(Reason.init(_:)) ?? Reason(.inWordsAlone, ["words": .text(text)])
  }
}

extension Reason.Kind {
  fileprivate static let inWordsAlone = Self("in-words-alone", "{words}")
}
