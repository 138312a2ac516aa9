import Wire

/// The sign in a few words, for other people's pages.
package enum Badge {
  package enum Language: String, CaseIterable, Sendable {
    case en, de

    /// The requested language first, then the browser's preference.
    package init(asked: String?, accepted: String?) {
      let wanted = [asked].compactMap { $0 } + (accepted ?? "").split(separator: ",").map(String.init)
      let found = wanted.lazy.compactMap { word in
        Language(rawValue: String(word.drop { $0 == " " }.prefix(2)).lowercased())
      }.first
      self = found ?? .en
    }
  }

  package static func word(_ sign: Sign, _ language: Language) -> String {
    switch (sign.open, language) {
    case (true, .en): "open"
    case (false, .en): "closed"
    case (nil, .en): "unknown"
    case (true, .de): "offen"
    case (false, .de): "geschlossen"
    case (nil, .de): "unbekannt"
    }
  }

  /// A picture 20 pixels high: the space's name, then the sign. Its letters are never wider than their place, whatever
  /// font a reader has.
  package static func svg(name: String, sign: Sign, language: Language) -> String {
    let shown = name.count > 40 ? String(name.prefix(39)) + "…" : name
    let word = word(sign, language)
    let (left, right) = (width(shown) + 16, width(word) + 26)
    let title = "\(shown): \(word)".escapedForMarkup
    let label = shown.escapedForMarkup
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(left + right)" height="20" viewBox="0 0 \(left + right) 20" \
      role="img" aria-label="\(title)"><title>\(title)</title><style>
      .n{fill:#12283b}.open{fill:#0a6f4f}.closed{fill:#a3302a}.unknown{fill:#46596a}
      text{font:600 11px Verdana,"DejaVu Sans",sans-serif;fill:#fff}
      @media (prefers-color-scheme:dark){.n{fill:#e8eef3}.name{fill:#12283b}}
      </style><clipPath id="c"><rect width="\(left + right)" height="20" rx="4"/></clipPath><g clip-path="url(#c)">\
      <rect class="n" width="\(left)" height="20"/>\
      <rect class="\(sign.state)" x="\(left)" width="\(right)" height="20"/>\
      </g><text class="name" x="8" y="14" textLength="\(left - 16)" lengthAdjust="spacingAndGlyphs">\(label)\
      </text>\(mark(sign, x: left + 11))<text x="\(left + 19)" y="14" textLength="\(right - 26)" \
      lengthAdjust="spacingAndGlyphs">\(word)</text></svg>
      """
  }

  /// Not by colour alone: a full disc, a ring, a broken ring.
  private static func mark(_ sign: Sign, x: Int) -> String {
    switch sign.open {
    case true: ##"<circle cx="\##(x)" cy="10" r="4" fill="#fff"/>"##
    case false: ##"<circle cx="\##(x)" cy="10" r="3" fill="none" stroke="#fff" stroke-width="2"/>"##
    case nil:
      ##"<circle cx="\##(x)" cy="10" r="3" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="3 2"/>"##
    }
  }

  /// The approximate width in pixels of a text in Verdana of 11 pixels: capitals and wide characters take more.
  private static func width(_ text: String) -> Int {
    var width = 0.0
    for character in text {
      switch character {
      case "i", "l", "j", "I", ".", ",", "'", "!", "|", ":", " ": width += 4
      case "m", "w", "M", "W", "@": width += 10.5
      case let wide where wide.unicodeScalars.contains { $0.value > 0x2e7f }: width += 12
      case let capital where capital.isUppercase: width += 8.2
      default: width += 7.2
      }
    }
    return Int(width.rounded(.up))
  }
}
