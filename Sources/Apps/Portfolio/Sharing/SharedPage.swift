import Flickr
import Galleries
import Wire

/// The pages that strangers see, without scripts.
struct SharedPage {
  enum Language: String {
    case en, de

    func say(_ english: String, _ german: String) -> String { self == .de ? german : english }
  }
  /// The height of pictures in a frame.
  enum Size: String {
    case small, medium, large

    var pixels: Int {
      switch self {
      case .small: 120
      case .medium: 200
      case .large: 480
      }
    }
    var file: String { self == .large ? "2048" : "320" }
  }
  let portfolio: Portfolio
  let share: String
  let language: Language
  /// The hub's own, for previews.
  let origin: String
  /// The owner's addresses at the foot, as markup.
  var legal = ""

  private func file(_ picture: PortfolioPicture, _ name: String) -> String {
    "\(SharedRoutes.page)/\(share)/\(picture.address)/\(name)"
  }

  private static func head(_ title: String, _ more: String, _ style: String, in language: Language) -> String {
    """
    <!doctype html>
    <html lang="\(language.rawValue)">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="dark light">
    <meta name="robots" content="noindex">
    <title>\(title)</title>
    \(more)<style>\(style)</style>
    """
  }

  private func head(_ title: String, _ more: String, _ style: String) -> String {
    Self.head("\(title) · \(portfolio.name.escapedForMarkup)", more, style, in: language)
  }

  /// The page at an address where nothing is shared any more; it does not say whether something ever was.
  static func nothing(in language: Language) -> String {
    let title = language.say("Nothing is shared here", "Hier ist nichts geteilt")
    let text = language.say(
      "What was here has been taken back, or the address is incomplete. Ask whoever gave it to you.",
      "Was hier war, ist zurückgenommen, oder die Adresse ist nicht vollständig. Frag, wer sie dir gegeben hat.")
    let style = """
      body{margin:0;min-height:100vh;display:grid;place-content:center;background:#101214;color:#e8e6e1;\
      font:1rem/1.5 system-ui,sans-serif}main{max-width:30rem;padding:1.5rem}h1{margin:0;font-size:1.5rem}
      """
    return """
      \(head(title, "", style, in: language))
      <main><h1>\(title)</h1><p>\(text)</p></main>
      </html>

      """
  }

  /// From whom it is, and at Flickr the notice that its terms ask for.
  private var credit: String {
    let words = portfolio.photographer.map { "\($0), Flickr. \(FlickrSource.notice)" }
    return (words ?? portfolio.name).escapedForMarkup
  }

  private func page(of picture: PortfolioPicture) -> String? {
    guard let page = picture.source.page, page.hasPrefix("https://") else { return nil }
    return page.escapedForMarkup
  }

  /// The page of one picture.
  func of(_ picture: PortfolioPicture) -> String {
    let title = picture.name.escapedForMarkup
    let caption = picture.caption.escapedForMarkup
    let image = origin.escapedForMarkup + file(picture, "2048")
    let preview = """
      <meta property="og:type" content="website">
      <meta property="og:title" content="\(title)">
      <meta property="og:description" content="\(caption.isEmpty ? portfolio.name.escapedForMarkup : caption)">
      <meta property="og:site_name" content="\(portfolio.name.escapedForMarkup)">
      <meta property="og:image" content="\(image)">
      <meta name="twitter:card" content="summary_large_image">

      """
    let link = page(of: picture).map {
      " <a href=\"\($0)\" rel=\"noopener\">\(language.say("Its page at the source", "Seine Seite bei der Quelle"))</a>"
    }
    let style = """
      body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:#101214;color:#e8e6e1;\
      font:1rem/1.5 system-ui,sans-serif}img{display:block;flex:1;min-height:0;width:100%;object-fit:contain;\
      max-height:\(legal.isEmpty ? 88 : 82)vh}footer{padding:1rem 1.5rem}h1{margin:0;font-size:1.125rem;\
      font-weight:600}p{margin:0;white-space:pre-line}h1,p{overflow-wrap:anywhere}a{color:inherit}\
      .legal{font-size:.875rem}.legal a{display:inline-block;padding:.75rem 1rem .75rem 0}
      """
    return """
      \(head(title, preview, style))
      <main><img src="\(file(picture, "2048"))" width="\(picture.width)" height="\(picture.height)" alt="\(title)">
      </main><footer><h1>\(title)</h1>
      \(caption.isEmpty ? "" : "<p>\(caption)</p>")
      <p>\(credit)\(link ?? "")</p><p class="legal">\(legal)</p></footer>
      </html>

      """
  }

  /// Some of a gallery's pictures, for a frame.
  func of(
    _ gallery: PortfolioGallery, _ pictures: [PortfolioPicture], _ size: Size,
    at place: (turn: Int, turns: Int, number: Int)
  ) -> String {
    let figures = pictures.map { picture in
      let title = picture.name.escapedForMarkup
      let address = page(of: picture) ?? file(picture, "2048")
      let wide = picture.height > 0 ? size.pixels * picture.width / picture.height : size.pixels
      return """
        <a href="\(address)" target="_blank" rel="noopener" title="\(title)" style="flex:\(max(1, wide)) 1 \
        \(min(wide, 900))px;aspect-ratio:\(max(1, picture.width))/\(max(1, picture.height))">\
        <img src="\(file(picture, size.file))" alt="\(title)" loading="lazy" \
        width="\(picture.width)" height="\(picture.height)"></a>
        """
    }
    func turn(_ to: Int, _ words: String) -> String {
      guard to >= 1, to <= place.turns else { return "" }
      return "<a href=\"?num=\(place.number)&amp;size=\(size.rawValue)&amp;page=\(to)&amp;"
        + "lang=\(language.rawValue)\">\(words)</a>"
    }
    let style = """
      body{margin:0;font:.875rem/1.5 system-ui,sans-serif}main{display:flex;flex-wrap:wrap;gap:6px}\
      main::after{content:"";flex:99999 1 0}main a{max-width:100%}\
      img{display:block;width:100%;height:100%;object-fit:cover}\
      footer{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:.5rem 0}footer p{margin:0;flex:1 1 12rem}\
      footer a{color:inherit;padding:.25rem 0}
      """
    let turning = place.turns == 1 ? "" : "<span>\(place.turn)/\(place.turns)</span>"
    return """
      \(head(gallery.title.escapedForMarkup, "", style))
      <main aria-label="\(gallery.title.escapedForMarkup)">\(figures.joined(separator: "\n"))</main>
      <footer><p>\(credit)</p>\(turn(place.turn - 1, language.say("Back", "Zurück")))\(turning)\
      \(turn(place.turn + 1, language.say("More", "Mehr")))</footer>
      </html>

      """
  }
}
