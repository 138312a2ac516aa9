import AnchorWatch

/// A place where positions come from. Confined to its loop.
protocol FixSource: AnyObject {
  /// For people, such as "gpsd at localhost".
  var name: String { get }
  /// Begins, and goes on until `close`, whatever breaks meanwhile.
  func open(_ take: @escaping (Fix) -> Void)
  func close()
}
