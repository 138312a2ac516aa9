/// Waits until something is so that other tasks or threads bring about; other tasks run meanwhile. Returns after two
/// million turns, some seconds at least, also if it is not so: the test says what it expected.
public func yieldUntil(_ isSo: () -> Bool) async {
  for _ in 0..<2_000_000 {
    if isSo() { return }
    await Task.yield()
  }
}
