extension String {
  /// The text as one word of a shell, for commands to be pasted: as it is if that can be, else in quotes.
  public var shellWord: String {
    let isPlain = !isEmpty && allSatisfy { $0.isLetter || $0.isNumber || "/._-+:@%=,".contains($0) }
    return isPlain ? self : "'\(split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
  }
}
