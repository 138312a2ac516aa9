import Hub
import Testing

struct PagePreviewTests {
  private let page = """
    <head>
      <title>Eightbells</title>
      <meta name="description" content="Of the whole.">
      <script></script>
    </head>
    """

  @Test func `what a page shows stands in its head, once`() {
    let preview = PagePreview(title: "Chaostreff", description: "2026-11-24 18:00, Attic", site: "Nordlicht")
    let text = preview.put(into: page)
    #expect(text.contains("<title>Chaostreff · Nordlicht</title>"))
    #expect(text.contains("<meta property=\"og:description\" content=\"2026-11-24 18:00, Attic\">"))
    #expect(!text.contains("Of the whole.") && !text.contains("Eightbells"))
    #expect(text.hasSuffix("  <script></script>\n</head>"))
  }

  @Test func `what somebody wrote stays text`() {
    let preview = PagePreview(title: "</title><script>", description: "\"><img src=x>", site: "a & b")
    let text = preview.put(into: page)
    #expect(text.contains("<title>&lt;/title&gt;&lt;script&gt; · a &amp; b</title>"))
    #expect(text.contains("content=\"&quot;&gt;&lt;img src=x&gt;\""))
  }

  @Test func `a page without a title stays as it is`() {
    #expect(PagePreview(title: "a", description: "b", site: "c").put(into: "<p>") == "<p>")
  }
}
