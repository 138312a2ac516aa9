extension KnownPatterns {
  /// Of Foundation on Linux, and of Swift: each line was seen in a program that does nothing else, and is no fault of
  /// its author's. They were looked for with Swift 6.3, in Foundation, Dispatch and tasks.
  public static let builtIn = try! KnownPatterns(
    """
    leak type Foundation.Timer because Foundation on Linux retains each Timer once more than it releases it
    leak type Foundation.__NSCFType because Foundation on Linux frees no runs of an NSAttributedString
    leak type untyped block function CFURLSession* called by *_EasyHandle.set(url:) because \(partsOfURL)
    leak type __StringStorage function DefaultStringInterpolation.* called by async_Main* because \(interpolated)
    leak type __StringStorage function _StringGuts.* called by async_Main* because \(interpolated)
    """)

  /// It gives the handle back that curl_url() has made, and not what that refers to. (valgrind tells the same.)
  private static let partsOfURL = "Foundation on Linux does not free the parts of the URL of a URLSession's request"

  /// The compiler's fault (AddressSanitizer tells the same). The second line is what optimising leaves of the first.
  private static let interpolated = "Swift 6.3 does not free the text that print() makes in a main.swift that awaits"

  /// What a continuation or a waiting job closes, while it is reached: known by the graph, not by a line.
  static let waiting = Pattern(
    kinds: [.reachableCycle], conditions: [], reason: "it ends when the task is resumed, and leaks when nobody can",
    text: "cycle through a task that waits")
}
