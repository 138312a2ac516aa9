extension KnownPatterns {
  /// Of Foundation on Linux: each line was seen in a program that does nothing else, and is no fault of its author's.
  /// They were looked for with Swift 6.3, in Foundation, Dispatch and tasks.
  public static let builtIn = try! KnownPatterns(
    """
    leak type Foundation.Timer because Foundation on Linux retains each Timer once more than it releases it
    leak type Foundation.__NSCFType because Foundation on Linux frees no runs of an NSAttributedString
    leak type __StringStorage function DefaultStringInterpolation.* called by async_Main* because Swift 6.3 does not free \
    the text that print("…\\(x)") makes in a main.swift that awaits
    """)
}
