/// The progress of a long operation on a store.
public struct StoreProgress: Equatable, Sendable {
  /// The current step, such as "checking blobs".
  public var step: String
  /// The part done, out of `total`, in the step's own units.
  public var done: Int
  public var total: Int

  public typealias Listener = @Sendable (StoreProgress) -> Void
}
