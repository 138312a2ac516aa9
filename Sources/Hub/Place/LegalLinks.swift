import Wire

extension Place {
  /// Markup for the foot of a page without scripts that strangers see: the links to the legal notice and the privacy
  /// page; empty where there is neither. Pages with scripts have `/legal.js` for it.
  public func legalLinks(isGerman: Bool) -> String {
    let links = [
      (legalNotice, isGerman ? "Impressum" : "Legal notice"), (privacy, isGerman ? "Datenschutz" : "Privacy"),
    ]
    return links.compactMap { address, words in
      address.map { "<a href=\"\($0.escapedForMarkup)\">\(words)</a>" }
    }.joined(separator: " ")
  }
}
