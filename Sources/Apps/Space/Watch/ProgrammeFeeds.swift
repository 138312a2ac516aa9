/// A ready feed.
struct Feed: Sendable {}
