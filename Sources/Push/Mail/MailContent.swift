package import Wire

/// The words of a mail about notifications: the subject, plain text and HTML.
package struct MailContent: Equatable, Sendable {
  /// One notification of a mail.
  package struct Item: Equatable, Sendable {
    package var content: JSON
    /// Addresses for its actions, with their titles.
    package var links: [(title: String, url: String)]

    package init(content: JSON, links: [(title: String, url: String)]) {
      self.content = content
      self.links = links
    }

    package static func == (one: Self, other: Self) -> Bool {
      one.content == other.content && one.links.map(\.url) == other.links.map(\.url)
    }
  }
  package var subject: String
  package var plain: String
  package var html: String

  /// - Parameters:
  ///   - items: at least one, the oldest first.
  ///   - hub: the hub's address.
  ///   - page: the path of the page with all notifications; empty for a mail about none.
  ///   - language: the reader's, such as "de"; nil where it is not known.
  package init(_ items: [Item], hub: String, page: String, language: String? = nil) {
    let isGerman = language == "de"
    let newest = items[items.count - 1].content
    let texts = ["title", "subtitle", "body"].compactMap { newest[$0]?.string }
    let title = texts.first { !$0.isEmpty } ?? "Eightbells"
    subject = items.count == 1 ? title : "\(title) (+\(items.count - 1))"
    var blocks: [String] = []
    var parts: [String] = []
    for item in items {
      var lines: [String] = []
      var html = ""
      for (name, tag) in [("title", "h2"), ("subtitle", "h3"), ("body", "p")] {
        guard let text = item.content[name]?.string, !text.isEmpty else { continue }
        lines.append(text)
        let words = text.escapedForMarkup.split(separator: "\n", omittingEmptySubsequences: false)
        html += "<\(tag)>\(words.joined(separator: "<br>"))</\(tag)>"
      }
      var links = item.links
      if let url = item.content["url"]?.string {
        links.append((isGerman ? "Auf der Seite zeigen" : "Show on the page", Self.whole(url, hub)))
      }
      for attachment in item.content["attachments"]?.array ?? [] {
        guard let url = attachment["url"]?.string else { continue }
        links.append((attachment["id"]?.string ?? (isGerman ? "Anhang" : "Attachment"), Self.whole(url, hub)))
      }
      if !links.isEmpty {
        lines.append(links.map { "\($0.title): \($0.url)" }.joined(separator: "\n"))
        html +=
          "<ul>"
          + links.map {
            "<li><a href=\"\($0.url.escapedForMarkup)\">\($0.title.escapedForMarkup)</a></li>"
          }.joined() + "</ul>"
      }
      blocks.append(lines.joined(separator: "\n"))
      parts.append(html)
    }
    let all = hub + page
    plain = blocks.joined(separator: "\n\n") + "\n\n-- \n\(all)\n"
    let tongue = language.map { " lang=\"\($0)\"" } ?? ""
    html =
      "<!doctype html><html\(tongue)><body>" + parts.joined(separator: "<hr>")
      + "<p><a href=\"\(all.escapedForMarkup)\">\(all.escapedForMarkup)</a></p></body></html>"
  }

  /// A content for a reader of a language: what `localized` has for it stands in the place of its own.
  package static func localized(_ content: JSON, _ language: String?) -> JSON {
    guard let language, let own = content["localized"]?[language]?.members else { return content }
    let names = Set(own.map(\.name))
    return .object((content.members ?? []).filter { !names.contains($0.name) } + own)
  }

  /// The actions that need neither a text nor the device's confirmation, with their places; the page has all.
  package static func offered(in content: JSON, _ language: String? = nil) -> [(index: Int, title: String)] {
    let read = localized(content, language)["actions"]?.array ?? []
    return (content["actions"]?.array ?? []).enumerated().compactMap { index, action in
      let options = (action["options"]?.array ?? []).compactMap(\.string)
      let shown = read.first { $0["id"] == action["id"] } ?? action
      guard let title = shown["title"]?.string, action["text_input"] == nil,
        !options.contains("authentication_required")
      else { return nil }
      return (index, title)
    }
  }

  /// A path of the hub with its address.
  private static func whole(_ url: String, _ hub: String) -> String { url.hasPrefix("/") ? hub + url : url }
}
