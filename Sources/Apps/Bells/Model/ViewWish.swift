import Hub
import Notifications
import Server
import Wire

/// A view of notifications as an owner asks for it, checked: the categories that it is for, and its document.
struct ViewWish: Sendable {
  var name: String
  var categories: [String]
  /// HTML with its script and its style.
  var html: String

  /// Elements that would hold documents of their own, with all that the view's own has lost.
  private static let inner = ["<iframe", "<frame", "<object", "<embed", "<fencedframe", "<portal"]

  static let help = "Example: {\"categories\": [\"like\"], \"html\": \"<!doctype html>…\"}"

  init(_ name: String, _ json: JSON) throws(FieldErrors) {
    self.name = name
    var check = FieldCheck(json, known: ["categories", "html"])
    if !TokenTopics.isID(name) { check.fail("name", "\"\(name.prefix(100))\"; \(TokenTopics.accepted)") }
    let list = check.list("categories", of: "categories", atMost: BellsLimits.viewCategories, isNeeded: true) ?? []
    var categories: [String] = []
    for word in list.compactMap(\.string) where !categories.contains(word) { categories.append(word) }
    let isGood = categories.allSatisfy { (1...NotificationLimits.identifierBytes).contains($0.utf8.count) }
    if check.has("categories"), list.isEmpty || !list.allSatisfy({ $0.string != nil }) || !isGood {
      check.fail("categories", "1 to \(BellsLimits.viewCategories) categories of notifications are accepted.")
    }
    self.categories = categories
    html = json["html"]?.string ?? ""
    if let value = check.value("html", isNeeded: true, accepted: "the text of an HTML document") {
      if value.string == nil {
        check.fail("html", "\(value.kind); the text of an HTML document is accepted.")
      } else if !(1...BellsLimits.viewBytes).contains(html.utf8.count) {
        check.fail("html", "\(html.utf8.count) bytes; 1 to \(BellsLimits.viewBytes) are accepted.")
      } else if let tag = Self.inner.first(where: html.lowercased().contains) {
        check.fail("html", "has \(tag); documents within the document are not accepted.")
      }
    }
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
  }
}
