import Glibc
import Markup
import Testing

/// Descriptions constructed to take long. There is no clock in these tests: each text is so long that quadratic work
/// takes hours, and linear work less than a second.
struct DescriptionWorkTests {
  private static func filled(_ piece: String, _ bytes: Int = 500_000) -> String {
    String(repeating: piece, count: bytes / piece.utf8.count)
  }

  @Test(arguments: [
    "http://", "-http://a.b/", "http://a)", "https://a]", "a@", "@", "a.", "www.", "w.", "&", "&amp", "&#x", "<", "</",
    "<b", "<aa ", "<a=", "\"'", "\n", "a\n\n", "\u{0}", "\u{A0}http://",
  ])
  func `no repetition makes the work grow faster than the text`(piece: String) {
    let text = DescriptionWorkTests.filled(piece) + "> end"
    #expect(cleanDescription(text).contains("end"))
    #expect(cleanDescription(text, isHTML: false).contains("end"))
  }

  @Test func `brackets behind many beginnings of addresses are counted once`() {
    let text = String(repeating: "http://", count: 60_000) + String(repeating: ")", count: 500_000) + " www.x.org"
    #expect(cleanDescription(text, isHTML: false).contains("href=\"https://www.x.org\""))
  }

  @Test(arguments: [
    "<b>", "<div>", "<p>", "<br>", "</p>", "</b>", "<b x=1>", "<p>x</b>", "<table><td>", "<ul><li>", "<svg>",
    "<select>",
    "<a href=https://x.org>", "<script></script>", "<!--x-->", "<!>", "<?x>", "<!--", "<script>", "<b a=\"", "<o:p>",
    "<textarea></textare", "<p><b>x", "<b><p>", "<font a=1><p>",
  ])
  func `no markup makes the work grow faster than the text`(piece: String) {
    let html = "begin<br>" + DescriptionWorkTests.filled(piece)
    #expect(cleanDescription(html, isHTML: true).hasPrefix("begin"))
  }

  @Test(arguments: ["p", "b", "body", "html", "a", "o:p"])
  func `an element may have any number of attributes`(name: String) {
    let attributes = (0..<100_000).map { "a\($0) " }.joined()
    #expect(cleanDescription("<\(name) \(attributes)>end", isHTML: true).contains("end"))
  }

  @Test func `an unended address is not copied into every paragraph`() {
    let html = "<a href=https://x.org/" + DescriptionWorkTests.filled("x", 1_900) + ">"
    #expect(cleanDescription(html + DescriptionWorkTests.filled("<p>y", 15_000), isHTML: true).utf8.count < 80_000)
  }

  @Test func `formatting is opened again once, not once more in every paragraph`() {
    let html = DescriptionWorkTests.filled("<p><b><i>x", 5_000)
    let expected = String(repeating: "<p><b><i>x</i></b></p>", count: 500)
    #expect(cleanDescription(html, isHTML: true) == expected)
  }

  @Test(arguments: [
    "<div>", "<b>", "<p><b>", "<table><td>", "<ul><li>", "<blockquote>", "<a href=https://x.org><div>", "<dl><dd>",
    "<table><caption>", "<div><table>", "<svg>", "<math><mtext>", "<object>", "<template>", "<b><p></b>",
  ])
  func `no nesting needs a deep stack`(piece: String) throws {
    let html = DescriptionWorkTests.filled(piece, 3_000 * piece.utf8.count / 2) + "<br>"
    try onStack(bytes: 128 * 1024) {
      let clean = cleanDescription(html, isHTML: true)
      _ = plainText(fromHTML: clean)
    }
  }

  /// Runs work in a thread with a small stack; a stack overflow ends the process.
  private func onStack(bytes: Int, _ work: @escaping @Sendable () -> Void) throws {
    final class Box {
      let work: @Sendable () -> Void
      init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
    let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
    defer { attributes.deallocate() }
    pthread_attr_init(attributes)
    defer { pthread_attr_destroy(attributes) }
    try #require(pthread_attr_setstacksize(attributes, bytes) == 0)
    var thread = pthread_t()
    let box = Unmanaged.passRetained(Box(work))
    let failure = pthread_create(
      &thread, attributes,
      { pointer in
        Unmanaged<Box>.fromOpaque(pointer!).takeRetainedValue().work()
        return nil
      }, box.toOpaque())
    try #require(failure == 0)
    pthread_join(thread, nil)
  }
}
