public import Store

/// Numbers for the doctor and for metrics.
extension Database {
  /// The number of pending deliveries, of all devices.
  public func pendingCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_deliveries WHERE acknowledged < wanted", read: { $0.int(0) }) ?? 0
  }
}
