/// How far a long piece of work on a store is.
public struct StoreProgress: Equatable, Sendable {
  /// What is being done: "checking blobs".
  public var step: String
  /// Out of `total`, in the step's own units.
  public var done: Int
  public var total: Int

  public typealias Listener = @Sendable (StoreProgress) -> Void
}
