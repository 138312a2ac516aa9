/// The limits of live queries, each with its reason.
package enum LiveQueryLimits {
  /// Subscriptions of one connection: a page has a few, and all of them come at once when it is back.
  package static let subscriptions = 200
  /// Bytes of a message before the connection is known: it has keys and a session.
  package static let strangersBytes = 4 << 10
  /// Bytes of a message. A query has a list of ids now and then.
  package static let messageBytes = 64 << 10
  /// Patterns of a query: each is tried with each change.
  package static let patterns = 5
  /// Fields that a subscription names in `keys`, and in `watch`.
  package static let keys = 100
  /// Characters of an id of an installation.
  package static let installation = 100
}
