import Wire

/// The metadata in a page's head: for the window's title, and for previews of its address (The Open Graph protocol,
/// ogp.me).
public struct PagePreview: Equatable, Sendable {
  public var title: String
  public var description: String
  /// The page's owner, such as the name of the space.
  public var site: String

  public init(title: String, description: String, site: String) {
    self.title = title
    self.description = description
    self.site = site
  }

  /// The page with this title and description instead of its own.
  package func put(into page: String) -> String {
    guard let title = page.firstRange(of: "<title>"), let end = page.firstRange(of: "</title>") else { return page }
    let lines = page[end.upperBound...].split(separator: "\n", omittingEmptySubsequences: false)
    let own = ["<meta name=\"description\"", "<meta property=\"og:"]
    let rest = lines.filter { line in !own.contains { line.contains($0) } }.joined(separator: "\n")
    return page[..<title.lowerBound] + head + rest
  }

  private var head: String {
    let (title, description, site) = (title.escapedForMarkup, description.escapedForMarkup, site.escapedForMarkup)
    return """
      <title>\(title) · \(site)</title>
        <meta name="description" content="\(description)">
        <meta property="og:type" content="website">
        <meta property="og:title" content="\(title)">
        <meta property="og:description" content="\(description)">
        <meta property="og:site_name" content="\(site)">
      """
  }
}

extension String {
  /// The first range of a text. (The library's own search needs its regular expressions, which we do without.)
  fileprivate func firstRange(of text: String) -> Range<String.Index>? {
    let (all, wanted) = (utf8, text.utf8)
    var start = all.startIndex
    while start < all.endIndex {
      if all[start...].starts(with: wanted) { return start..<all.index(start, offsetBy: wanted.count) }
      start = all.index(after: start)
    }
    return nil
  }
}
