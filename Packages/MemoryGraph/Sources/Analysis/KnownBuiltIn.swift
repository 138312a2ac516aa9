extension KnownPatterns {
  /// Harmless findings in Foundation on Linux and in Swift itself: each was observed in a program that does nothing
  /// else. Tested with Swift 6.3: Foundation, Dispatch and tasks.
  public static let builtIn = try! KnownPatterns(
    """
    leak type Foundation.Timer because Foundation on Linux retains each Timer once more than it releases it
    leak type Foundation.__NSCFType because Foundation on Linux frees no runs of an NSAttributedString
    leak type untyped block function CFURLSession* called by *_EasyHandle.set(url:) because \(partsOfURL)
    leak type __StringStorage function DefaultStringInterpolation.* called by async_Main* because \(interpolated)
    leak type __StringStorage function _StringGuts.* called by async_Main* because \(interpolated)
    """)

  /// It frees the handle of curl_url() with free(), and not what that refers to. (valgrind reports the same.)
  private static let partsOfURL = "Foundation on Linux does not free the parts of the URL of a URLSession's request"

  /// A fault of the compiler (AddressSanitizer reports the same). The second line is what optimising leaves of the
  /// first.
  private static let interpolated = "Swift 6.3 does not free the text that print() makes in a main.swift that awaits"

  /// Cycles through a continuation or a queued job, while they are reachable: recognised by the graph, not by a line.
  static let waiting = Pattern(
    kinds: [.reachableCycle], conditions: [], reason: "it ends when the task is resumed, and leaks when nobody can",
    text: "cycle through a task that waits")
}
