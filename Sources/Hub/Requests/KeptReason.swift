public import Wire

extension Reason {
  /// As the store keeps it.
  public var kept: String { json.text }

  /// What `kept` wrote; mere words are of an earlier version.
  public init(kept text: String) {
    self = (try? JSON(parsing: text)).flatMap(Reason.init(_:)) ?? Reason(.inWordsAlone, ["words": .text(text)])
  }
}

extension Reason.Kind {
  fileprivate static let inWordsAlone = Self("in-words-alone", "{words}")
}
