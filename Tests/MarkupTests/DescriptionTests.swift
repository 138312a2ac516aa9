import Markup
import Testing

struct DescriptionTests {
  private static let attributes = "rel=\"noopener noreferrer nofollow\" target=\"_blank\""

  private func link(_ address: String, _ text: String) -> String {
    "<a href=\"\(address)\" \(DescriptionTests.attributes)>\(text)</a>"
  }

  @Test func `plain text is escaped, and its lines stay lines`() {
    #expect(
      cleanDescription("a < b & \"c\"\nsecond\n\n\nthird 'x' <bold>")
        == "<p>a &lt; b &amp; &quot;c&quot;<br>second</p><p>third &#39;x&#39; &lt;bold&gt;</p>")
    #expect(cleanDescription("") == "")
    #expect(cleanDescription(" \n \n") == "")
  }

  @Test(arguments: [
    ("see https://example.org/a.", "https://example.org/a", "https://example.org/a", "see ", "."),
    ("(https://example.org/a)", "https://example.org/a", "https://example.org/a", "(", ")"),
    ("https://example.org/Bell_(sign)!", "https://example.org/Bell_(sign)", "https://example.org/Bell_(sign)", "", "!"),
    ("www.example.org, and", "https://www.example.org", "www.example.org", "", ", and"),
    ("HTTP://EXAMPLE.ORG/ü?a=1", "HTTP://EXAMPLE.ORG/ü?a=1", "HTTP://EXAMPLE.ORG/ü?a=1", "", ""),
    ("mail info@example.org.", "mailto:info@example.org", "info@example.org", "mail ", "."),
    ("„https://example.org/“", "https://example.org/", "https://example.org/", "„", "“"),
    ("»https://example.org/«", "https://example.org/", "https://example.org/", "»", "«"),
    ("›https://example.org/‹.", "https://example.org/", "https://example.org/", "›", "‹."),
    ("`https://example.org/`", "https://example.org/", "https://example.org/", "`", "`"),
    ("{https://example.org/|", "https://example.org/", "https://example.org/", "{", "|"),
    ("👉https://example.org/a🎟️", "https://example.org/a", "https://example.org/a", "👉", "🎟️"),
    ("🎟️www.example.org❤️", "https://www.example.org", "www.example.org", "🎟️", "❤️"),
    ("https://example.org/\u{202F}!", "https://example.org/", "https://example.org/", "", "\u{202F}!"),
    ("https://example.org/\u{200B}on", "https://example.org/", "https://example.org/", "", "\u{200B}on"),
  ])
  func `addresses in text become links`(text: String, address: String, shown: String, before: String, after: String) {
    #expect(cleanDescription(text) == "<p>\(before)\(link(address, shown))\(after)</p>")
  }

  @Test(arguments: [
    "javascript:alert(1)", "www.", "http://", "a@b", "@example.org", "xhttp://x.y", "https://", "ftp://x.y", "a@b.c1",
    "@space@social.example", "xühttps://x.y",
  ])
  func `what is no address stays text`(text: String) {
    #expect(cleanDescription(text) == "<p>\(text)</p>")
  }

  @Test func `an ampersand in an address is escaped`() {
    #expect(
      cleanDescription("https://x.org/?a=1&b=2")
        == "<p>\(link("https://x.org/?a=1&amp;b=2", "https://x.org/?a=1&amp;b=2"))</p>")
  }

  @Test(arguments: [
    ("if a <b and c", false), ("<foo@example.org>", false), ("1 < 2 > 0", false), ("x <br> y", true),
    ("<B>x</B>", true),
    ("<a href=\"x\">y</a>", true), ("Tom &amp; Jerry", true), ("Q&A", false), ("<p class=x>y", true), ("<br/>", true),
    ("Gr&uuml;&szlig;e", true), ("Caf&#233;", true), ("it&#x27;s", true), ("Q&A;", false), ("a &#; b", false),
  ])
  func `HTML is recognised by its tags`(text: String, isHTML: Bool) {
    #expect((cleanDescription(text) == cleanDescription(text, isHTML: true)) == isHTML)
  }

  @Test(arguments: [
    ("<p>a</p><p>b</p>", "<p>a</p><p>b</p>"), ("<div>a</div><div>b</div>", "a<br>b"), ("a<br><br>b", "a<br><br>b"),
    ("<h1>T</h1>x", "<h4>T</h4>x"), ("<h5>T</h5>", "<p><strong>T</strong></p>"),
    ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
    ("<span style=\"color:red\"><b>x</b></span>", "<b>x</b>"),
    ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b<br>c"),
    ("<b><i>x", "<b><i>x</i></b>"), ("<li>alone</li>", "<p>alone</p>"), ("a<hr>b", "a<hr>b"),
    ("<del>x</del>", "<s>x</s>"),
    ("<pre>a\n b</pre>", "<pre>a\n b</pre>"), ("a<!-- no -->b", "ab"), ("<p onclick=x>y", "<p>y</p>"),
    ("<img src=x>text", "text"), ("&lt;b&gt;", "&lt;b&gt;"), ("<a href=\"https://x.org/a\tb\">x</a>", "x"),
    ("<script>alert(1)</script><style>p{}</style><svg><text>no</text></svg>yes", "yes"),
    ("<select><option>no</select><button>no</button><iframe>no</iframe><noscript>no</noscript>yes", "yes"),
  ])
  func `allowed elements are kept, the others unwrapped`(html: String, expected: String) {
    #expect(cleanDescription(html, isHTML: true) == expected)
  }

  @Test func `line ends count where nobody says that it is HTML`() {
    #expect(cleanDescription("one\ntwo <b>x</b>\n<br>three") == "one<br>two <b>x</b><br><br>three")
    #expect(cleanDescription("one\ntwo <b>x</b>", isHTML: true) == "one\ntwo <b>x</b>")
    #expect(cleanDescription("<p>a</p>\n<p>b</p>") == "<p>a</p><p>b</p>")
  }

  @Test(arguments: [
    ("one<br />\ntwo<br>\n<br>\nthree", "one<br>two<br><br>three"), ("<div>a</div>\n<div>b</div>\n", "a<br>b"),
    ("<div>a</div>\n\n<div>b</div>", "a<br><br>b"), ("<br>\na\nb", "a<br>b"),
    (
      "<table>\n<tr>\n<td>a</td>\n  <td>b</td>\n</tr>\n<tr>\n<td>c</td>\n</tr>\n</table>\nd", "a b<br>c<br>d"
    ),
  ])
  func `a line end behind markup that ends the line is no other one`(text: String, expected: String) {
    #expect(cleanDescription(text) == expected)
  }

  @Test func `an address in angle brackets is no tag`() {
    let mail = link("mailto:ada@x.org", "ada@x.org")
    let web = link("https://x.org/a", "https://x.org/a")
    #expect(
      cleanDescription("Ada <ada@x.org> &amp; <https://x.org/a><br>end", isHTML: true)
        == "Ada &lt;\(mail)&gt; &amp; &lt;\(web)&gt;<br>end")
    #expect(cleanDescription("<mailto:ada@x.org>", isHTML: true) == "&lt;mailto:\(mail)&gt;")
  }

  @Test func `a link with its address as text, as in Markdown, has two addresses`() {
    let web = link("https://x.org/a", "https://x.org/a")
    #expect(cleanDescription("[https://x.org/a](https://x.org/a).") == "<p>[\(web)](\(web)).</p>")
  }

  @Test func `a link without text is left out`() {
    let html = "a<a href=https://x.org><img src=x></a><p><a href=https://x.org><b> </b></a>b</p>"
    #expect(cleanDescription(html, isHTML: true) == "a<p>b</p>")
    #expect(cleanDescription("<a href=https://x.org><h2>b</h2></a>", isHTML: true).contains("<h4>b</h4></a>"))
  }

  @Test func `addresses in HTML become links unless they are in one`() {
    #expect(
      cleanDescription("<p>https://a.org <a href='https://b.org'>https://c.org</a></p>", isHTML: true)
        == "<p>\(link("https://a.org", "https://a.org")) \(link("https://b.org", "https://c.org"))</p>")
  }

  @Test func `cleaning twice changes nothing`() {
    for html in [
      "<p>a <b>b</b> <a href=https://x.org>c</a></p><ul><li>d</ul>", "plain https://x.org\n\ntext",
      "<h2>T</h2><blockquote>q<br>r</blockquote><pre>x\n y</pre>",
    ] {
      let once = cleanDescription(html)
      #expect(cleanDescription(once, isHTML: true) == once)
    }
  }

  @Test func `plain text comes back out of HTML`() {
    let html = cleanDescription(
      "<p>One <b>two</b></p><ul><li>a</li><li>b</li></ul>"
        + "<p>See <a href='https://x.org/'>this</a>, https://y.org<br>end</p>",
      isHTML: true)
    #expect(plainText(fromHTML: html) == "One two\n\n- a\n- b\n\nSee this <https://x.org/>, https://y.org\nend")
    #expect(plainText(fromHTML: "") == "")
    #expect(plainText(fromHTML: "<ul><li><p>a</p></li><li></li><li><p>b</p></li></ul>c") == "- a\n\n-\n- b\n\nc")
    #expect(plainText(fromHTML: "<p>a &lt;b&gt; &amp; c</p>") == "a <b> & c")
  }

  @Test func `an address that is too long stays text, and what follows it is read`() {
    let long = "https://x.org/" + String(repeating: "y", count: 2_000) + "http://z.org"
    #expect(cleanDescription("\(long) www.a.org") == "<p>\(long) \(link("https://www.a.org", "www.a.org"))</p>")
    let local = String(repeating: "a", count: 65)
    #expect(cleanDescription("\(local)@x.org") == "<p>\(local)@x.org</p>")
  }

  @Test(arguments: [
    ("see (http://a.org/b_(c)) now", "http://a.org/b_(c)"), ("[http://a.org/x[1]]", "http://a.org/x[1]"),
    ("http://a.org/)))", "http://a.org/"), ("http://a.org/(b)])", "http://a.org/(b)"),
  ])
  func `brackets belong to an address that opened them`(text: String, address: String) {
    #expect(cleanDescription(text).contains(link(address, address)))
  }

  @Test(arguments: [
    ("<b>a<i>b</b>c</i>d", "<b>a<i>b</i></b><i>c</i>d"), ("<p>a<p>b", "<p>a</p><p>b</p>"),
    ("<p><b>a<p>b</b>c", "<p><b>a</b></p><p><b>b</b>c</p>"), ("<b>a<b>b</b>c</b>d", "<b>abc</b>d"),
    ("<ul><li>a<ul><li>b</ul><li>c</ul>d", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>d"),
    ("<a href=https://a.org>a<a href=b>c</a>d", "\u{1}acd"),
    ("<table><tr><td>a<td>b<tr><td>c</table>d", "a b<br>c<br>d"),
    ("<h1>a</h2>b", "<h4>a</h4>b"), ("a</p>b</div>c</x>d", "a<br>bcd"),
    ("<xmp><b>&amp;</xmp>c", "<pre>&lt;b&gt;&amp;amp;</pre>c"),
    ("a<script/>b<svg/>c<img/>d", "abcd"), ("<P CLASS='>'>a</P\n>b", "<p>a</p>b"),
    ("a < b <3 <", "a &lt; b &lt;3 &lt;"),
    ("<!-->a<!--->b<!-- --!>c<!x>d<?x>e</>f", "abcdef"), ("&uuml;&#252;&copy", "üü©"),
    ("<o:p>a</o:p><body><head>b", "ab"),
  ])
  func `sloppy markup is read as a browser reads it`(html: String, expected: String) {
    let clean = cleanDescription(html, isHTML: true)
    #expect(clean == expected.replacing("\u{1}acd", with: "\(link("https://a.org", "a"))cd"))
  }

  @Test func `a description with too many tags keeps its text and its lines`() {
    let html = String(repeating: "<b>x</b>&uuml;<br>", count: 3_000)
    #expect(cleanDescription(html, isHTML: true) == Array(repeating: "xü", count: 3_000).joined(separator: "<br>"))
  }

  @Test(arguments: [
    (
      "mailto:a@x.org?subject=A%20b&bcc=c@x.org&attach=/etc/passwd&body=d%0Ae",
      "mailto:a@x.org?subject=A%20b&body=d%0Ae"
    ),
    ("mailto:a@x.org?subject=b%0aBcc:c@x.org", "mailto:a@x.org"), ("mailto:a@x.org?attach=b", "mailto:a@x.org"),
    ("mailto:a@x.org%0ACc:b@x.org", nil), ("tel:+49 30 1234", "tel:+49%2030%201234"), ("tel:*%2306%23", nil),
    ("tel:*#06#", nil),
    ("HTTPS://x.org", "HTTPS://x.org"), ("http:///x.org", nil), ("https://@x.org", nil), ("\u{A0}https://x.org", nil),
  ])
  func `an address loses what could do harm`(address: String, expected: String?) {
    let clean = cleanDescription("<a href='\(address)'>x</a>", isHTML: true)
    let safe = expected?.replacing("&", with: "&amp;")
    #expect(clean == safe.map { link($0, "x") } ?? "x")
  }

  @Test(arguments: [
    "\u{64B}x.org", "x.\u{301}y.org", "me@\u{338}x.org", "\u{202E}gro.x", "x\u{200E}.org", "x.org\u{2069}:80",
    "\u{FFFD}.org", "x\u{AD}y.org", "\u{200B}x.org", "\u{200D}x.org", "x\u{3000}.org", "x\u{85}.org",
    "\u{E000}.org", "x\u{FFFE}.org",
  ])
  func `a host that only looks like one gets no link`(host: String) {
    #expect(cleanDescription("http://\(host)/a", isHTML: false) == "<p>http://\(host)/a</p>")
    #expect(cleanDescription("<a href='https://\(host)?a'>x</a>", isHTML: true) == "x")
    #expect(cleanDescription("<a href='https://\(host)'>x</a>", isHTML: true) == "x")
  }

  @Test(arguments: ["\u{200B}", "\u{200E}", "\u{2028}", "\u{202C}", "\u{2060}", "\u{2069}", "\u{FEFF}", ".\u{200F}"])
  func `what cannot be seen behind an address is no part of it`(rest: String) {
    for address in ["https://x.org", "https://x.org/ü"] {
      #expect(cleanDescription("\(address)\(rest)", isHTML: false) == "<p>\(link(address, address))\(rest)</p>")
    }
  }

  @Test(arguments: [
    "löten.example", "lo\u{308}ten.example", "نامه\u{200C}ای.example", "श्री.example", "क्\u{200D}ष.example",
    "例え.テスト", "☃\u{FE0F}.example", "me@x.org:8080", "[::1]", "x.org/\u{64B}\u{202E}",
  ])
  func `a host in any script gets its link`(host: String) {
    let address = "https://\(host)"
    #expect(cleanDescription("<a href='\(address)'>x</a>", isHTML: true) == link(address, "x"))
  }

  @Test func `an address that only looks like the text of its link is told`() {
    let html = link("https://x.org/\u{E9}", "https://x.org/e\u{301}")
    #expect(plainText(fromHTML: html) == "https://x.org/e\u{301} <https://x.org/\u{E9}>")
  }

  @Test func `a paragraph in a link behind spaces does not stop the plain text`() {
    let html = cleanDescription("<pre>x      <a href=https://y.org><h5></h5></a></pre>", isHTML: true)
    #expect(plainText(fromHTML: html).hasPrefix("x"))
    #expect(plainText(fromHTML: "<pre>x      <a href=\"https://y.org\"><p>z</p></a></pre>").hasPrefix("x"))
  }
}
