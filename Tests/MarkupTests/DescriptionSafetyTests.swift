import CGumbo
import Markup
import Testing
import World

/// Content that must never pass, however it is disguised.
struct DescriptionSafetyTests {
  private static let allowed: Set<String> = [
    "a", "b", "strong", "i", "em", "u", "s", "code", "pre", "blockquote", "p", "br", "ul", "ol", "li", "h4", "hr",
  ]

  /// The forbidden elements and attributes that a browser would find in a text; an independent walk of the parser's
  /// tree.
  private func violations(_ html: String) -> [String] {
    var found: [String] = []
    let source = Array(html.utf8CString)
    source.withUnsafeBufferPointer { buffer in
      var options = cgumbo_default_options()
      options.fragment_context = GUMBO_TAG_BODY
      let output = gumbo_parse_with_options(&options, buffer.baseAddress, buffer.count - 1)!
      defer { gumbo_destroy_output(&options, output) }
      var nodes = children(output.pointee.root.pointee.v.element.children)
      while let node = nodes.popLast() {
        switch node.pointee.type {
        case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE: break
        case GUMBO_NODE_ELEMENT:
          let element = node.pointee.v.element
          let name = String(cString: gumbo_normalized_tagname(element.tag))
          if element.tag_namespace != GUMBO_NAMESPACE_HTML || !DescriptionSafetyTests.allowed.contains(name) {
            found.append("<\(name)>")
          }
          found += badAttributes(element, of: name)
          nodes += children(element.children)
        default: found.append("a node of type \(node.pointee.type.rawValue)")
        }
      }
    }
    return found
  }

  private func children(_ vector: GumboVector) -> [UnsafeMutablePointer<GumboNode>] {
    (0..<Int(vector.length)).map { vector.data[$0]!.assumingMemoryBound(to: GumboNode.self) }
  }

  private func badAttributes(_ element: GumboElement, of name: String) -> [String] {
    (0..<Int(element.attributes.length)).compactMap { index in
      let attribute = element.attributes.data[index]!.assumingMemoryBound(to: GumboAttribute.self).pointee
      let (key, value) = (String(cString: attribute.name), String(cString: attribute.value))
      switch (name, key) {
      case ("a", "href"):
        let schemes = ["http://", "https://", "mailto:", "tel:"]
        let isClean = value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F } && value.utf8.count <= 6_100
        return isClean && schemes.contains { value.lowercased().utf8.starts(with: $0.utf8) } ? nil : "href=\(value)"
      case ("a", "rel"): return value == "noopener noreferrer nofollow" ? nil : "rel=\(value)"
      case ("a", "target"): return value == "_blank" ? nil : "target=\(value)"
      default: return "\(key)=\(value)"
      }
    }
  }

  static let attacks = [
    "<script>alert(1)</script>", "<SCRIPT SRC=//evil.example/x.js></SCRIPT>", "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>", "<svg><script>alert(1)</script></svg>", "<svg/onload=alert(1)//", "<body onload=alert(1)>",
    "<a href=\"javascript:alert(1)\">x</a>", "<a href=\"JaVaScRiPt:alert(1)\">x</a>",
    "<a href=\" javascript:alert(1)\">x</a>",
    "<a href=\"java\tscript:alert(1)\">x</a>", "<a href=\"java\nscript:alert(1)\">x</a>",
    "<a href=\"java&#9;script:alert(1)\">x</a>", "<a href=\"java&NewLine;script:alert(1)\">x</a>",
    "<a href=\"&#106;&#97;vascript&colon;alert(1)\">x</a>", "<a href=\"java\u{0}script:alert(1)\">x</a>",
    "<a href=\"\u{1}javascript:alert(1)\">x</a>", "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
    "<a href=\"vbscript:msgbox(1)\">x</a>", "<a href=//evil.example>x</a>", "<a href=\"/\\evil.example\">x</a>",
    "<a href=\"https:evil.example\">x</a>", "<a href=\"http:\\\\evil.example\">x</a>",
    "<a href=\"#\" onclick=alert(1)>x</a>",
    "<a href='https://x.org/\" onmouseover=\"alert(1)'>x</a>", "<a href=https://x.org/ style=position:fixed>x</a>",
    "<a href=\"https://x.org/&quot;&gt;&lt;script&gt;\">x</a>", "https://x.org/\"onmouseover=\"alert(1)",
    "https://x.org/'><script>alert(1)</script>", "<b>https://x.org/\"><img src=x onerror=alert(1)></b>",
    "<iframe src=javascript:alert(1)></iframe>", "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<object data=x></object>",
    "<embed src=x>", "<form action=x><input name=y><button formaction=javascript:alert(1)>z</button></form>",
    "<math><mi xlink:href=\"javascript:alert(1)\">x</mi></math>",
    "<style>*{background:url(javascript:alert(1))}</style>",
    "<style><img src=\"</style><img src=x onerror=alert(1)>\">",
    "<title><img src=\"</title><img src=x onerror=alert(1)>\">",
    "<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></noscript>",
    "<textarea><img src=\"</textarea><img src=x onerror=alert(1)>\">",
    "<xmp><img src=\"</xmp><img src=x onerror=alert(1)>\">",
    "<template><script>alert(1)</script></template>", "<!--><img src=x onerror=alert(1)>-->",
    "<!-- --!><img src=x onerror=alert(1)> -->", "<![CDATA[<img src=x onerror=alert(1)>]]>",
    "<svg><![CDATA[</svg><img src=x onerror=alert(1)>]]></svg>",
    "<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>",
    "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
    "<svg></p><style><a id=\"</style><img src=1 onerror=alert(1)>\">",
    "<select><template><style><!--</style><a rel=\"--></style></template></select><img id=x src onerror=alert(1)>",
    "<p><b><p><i></b></p><script>alert(1)", "<<script>alert(1)//<</script>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<plaintext><script>alert(1)</script>", "<base href=//evil.example>", "<link rel=stylesheet href=//evil.example>",
    "<meta http-equiv=refresh content=\"0;url=javascript:alert(1)\">", "<marquee onstart=alert(1)>x</marquee>",
    "<details open ontoggle=alert(1)>x</details>", "<video><source onerror=alert(1)></video>", "<a href=\"tel:\">x</a>",
    "<x onclick=alert(1)>y</x>", "<b/onclick=alert(1)>x</b>", "<p \u{0}onclick=alert(1)>x",
    "\u{0}<scr\u{0}ipt>alert(1)</script>",
    "<a href=\"https://x.org\" href=\"javascript:alert(1)\">x</a>", "<isindex type=image src=1 onerror=alert(1)>",
    "<frameset onload=alert(1)><frame src=javascript:alert(1)></frameset>", "<image src=x onerror=alert(1)>",
    "<table><td><a href=https://x.org><table><td><a href=javascript:alert(1)>x",
    "&lt;script&gt;alert(1)&lt;/script&gt;<br>", "<a href=&#x6A&#x61vascript:alert(1)>x</a>",
    "<a href=\"&#0000106avascript:alert(1)\">x</a>", "<a href=\"&#14;javascript:alert(1)\">x</a>",
    "<a href=\"\u{A0}javascript:alert(1)\">x</a>", "<a href=\"\u{FEFF}javascript:alert(1)\">x</a>",
    "<a href=\"https&colon;&sol;&sol;x.org&quot; onclick=&quot;alert(1)\">x</a>",
    "<a href=\"https://x.org/&Tab;&NewLine;\">x</a>", "<a href='https://x.org/`onclick=alert(1)`'>x</a>",
    "<a href=https://x.org/\"onclick=alert(1)>x</a>", "<a href=\"https://x.org\"onclick=\"alert(1)\">x</a>",
    "<a =href=javascript:alert(1) href=\"https://x.org\">x</a>", "<a / / href=javascript:alert(1)/>x</a>",
    "<a href=\"mailto:a@x.org?x=&quot;&gt;&lt;script&gt;\">x</a>", "<a href=\"tel:1&quot; onclick=alert(1)\">x</a>",
    "<a href=\"javascript://x.org/%0Aalert(1)\">x</a>", "<a href=\"blob:https://x.org/\">x</a>",
    "<a href=\"filesystem:https://x.org/\">x</a>", "<a href=\"https://x.org/\u{202E}\u{2028}\u{85}'\">x</a>",
    "<a href=\"http\u{17F}://x.org\">x</a>", "<a href=\"\u{212A}http://x.org\">x</a>",
    "<svg><a href=\"javascript:alert(1)\"><text>x</text></a></svg>", "<svg><foreignObject><script>alert(1)</script>",
    "<svg/><script>alert(1)</script>", "<svg><desc></svg><img src=x onerror=alert(1)>",
    "<math><annotation-xml "
      + "encoding=\"text/html\"><style><img src=x onerror=alert(1)></style></annotation-xml></math>",
    "<noscript><style></noscript><img src=x onerror=alert(1)>", "<xmp></xmp \"><img src=x onerror=alert(1)>",
    "<script></script/><img src=x onerror=alert(1)>", "<script><!--<script></script><img src=x onerror=alert(1)>-->",
    "<style></style\u{0}><img src=x onerror=alert(1)>", "<!-- <a href=\" --><img src=x onerror=alert(1)>\">",
    "<pre>\n<textarea>\n</pre><img src=x onerror=alert(1)>", "<b \"<img src=x onerror=alert(1)>\">",
    "<p title=\"a'>'><img src=x onerror=alert(1)>", "&#60;img src=x onerror=alert(1)&#62;<br>", "&lt&lt;b&gt<br>",
    "&am<x>p;lt;script&am<x>p;gt;<br>", "<\u{0}img src=x onerror=alert(1)><br>", "<\u{C}img src=x onerror=alert(1)>",
    "<img\u{C}src=x\u{C}onerror=alert(1)>", "\u{FFFD}<br>\u{FFFE}\u{10FFFF}<b>", "<\u{130}mg src=x onerror=alert(1)>",
  ]

  @Test(arguments: attacks) func `an attack does not come through`(attack: String) {
    for html in [
      cleanDescription(attack), cleanDescription(attack, isHTML: true), cleanDescription(attack, isHTML: false),
    ] {
      #expect(violations(html) == [], "\(html)")
    }
  }

  @Test func `attacks in any combination do not come through`() {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    let pieces =
      DescriptionSafetyTests.attacks + [
        "<", ">", "\"", "'", "</p>", "<p>", "<b>", "</b>", "<a href=https://x.org/>", "</a>", "<!--", "-->", "<table>",
        "<td>",
        "<svg>", "</svg>", "<math>", "<ul>", "<li>", "<pre>", "\n", "&", "&lt;", "www.x.org\"", "<h1>", "<blockquote>",
      ]
    for _ in 0..<4000 {
      var text = ""
      for _ in 0..<Int.random(in: 2...8, using: &random) {
        let piece = Array(pieces.randomElement(using: &random)!.utf8)
        let cut = Int.random(in: 0...piece.count, using: &random)
        text += String(decoding: Bool.random(using: &random) ? piece[...] : piece[..<cut], as: UTF8.self)
      }
      let html = cleanDescription(text, isHTML: Bool.random(using: &random) ? true : nil)
      let found = violations(html)
      #expect(found == [], "seed \(seed): \(text) became \(html)")
      let again = violations(cleanDescription(html, isHTML: true))
      #expect(again == [], "seed \(seed)")
    }
  }

  @Test func `no bytes come through as anything else`() {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    let bytes = Array("<<<>>>//=\"'`&#;:!-?[]() \t\n\r\u{C}\u{0}\u{1}\u{7F}abhrefpst".utf8) + [0x80, 0xC2, 0xE2, 0xFF]
    let words = [
      "<a href=", "javascript:", "https://x.org/", "<script", "</script>", "<svg", "<!--", "-->", "<p", "<xmp>",
    ]
    for _ in 0..<4000 {
      var text: [UInt8] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        if Int.random(in: 0..<6, using: &random) == 0 { text += words.randomElement(using: &random)!.utf8 }
        text.append(bytes.randomElement(using: &random)!)
      }
      let html = cleanDescription(String(decoding: text, as: UTF8.self), isHTML: true)
      let found = violations(html)
      #expect(found == [], "seed \(seed): \(text) became \(html)")
      _ = plainText(fromHTML: html)
    }
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: ["<b>", "<div>", "<b x=1>", "<p>", "<table><td>", "<a href=https://x.org>", "<svg>", "<font a=1><p>"])
  func `deep and heavy markup neither overflows the stack nor takes long`(tag: String) {
    let html = String(repeating: tag, count: 100_000 / tag.utf8.count) + "end"
    #expect(cleanDescription(html, isHTML: true).contains("end"))
    let some = String(repeating: tag, count: 1_900) + "end"
    let clean = cleanDescription(some, isHTML: true)
    #expect(violations(clean) == [])
  }

  @Test func `formatting that would be copied into every paragraph is left out`() {
    let formats = (0..<1_500).map { "<font a=\($0)>" }.joined()
    let html = formats + String(repeating: "<p>x", count: 1_500)
    #expect(cleanDescription(html, isHTML: true).utf8.count < 100_000)
  }
}
