/// A room's own view of its notifications: a document in a frame without a network, shown in the list of notifications
/// in the place of their texts (Docs/notification-views.md).
public struct BellView: Equatable, Sendable {
  /// Letters, digits, "-", "_" and ".", as in the id of a topic.
  public let name: String
  /// The categories whose notifications it shows.
  public let categories: [String]
  /// The address of its file among the packed pages, such as "/kettle/hot.html": HTML with its script and its style.
  public let file: String

  public init(_ name: String, of categories: [String], file: String) {
    self.name = name
    self.categories = categories
    self.file = file
  }
}
