/// What must be so for a task's writes, checked in the transaction of each: such as a lease, which may have gone to
/// another program while this one stood still.
public struct WriteCondition: Sendable {
  @TaskLocal public static var current: WriteCondition?

  /// - Throws: if it is not so; nothing is written then.
  let check: @Sendable (Database) throws(StoreError) -> Void

  public init(_ check: @escaping @Sendable (Database) throws(StoreError) -> Void) { self.check = check }
}
