import Analysis
import Graph

/// What has leaked while a body ran, so that a test can say that it leaks nothing:
///
///     @Test func `a session lets go of its player`() throws {
///       #expect(try leaks { Session().play() }.isEmpty)
///     }
///
/// `memorygraph` looks at this process before and after; what was lost before does not count. The body runs in a thread
/// of its own, so that nothing of it is left on a stack. Tests that run beside it leak into its account: name the
/// modules whose objects count, or let it run alone.
///
/// - Parameter modules: only leaks count that hold an object of one of these modules, such as "App"; empty for all.
/// - Throws: what the body throws; `LeakTestingError` when it cannot look. It needs `memorygraph`: where
///   `EIGHTBELLS_MEMORYGRAPH` says, beside the tests, or in the PATH.
public func leaks(of modules: Set<String> = [], in body: () throws -> Void) throws -> [Leak] {
  let before = try Verdict(OwnProcess.look())
  try BodyThread.run(body)
  return found(before, modules, try OwnProcess.look())
}

/// The same of a body that waits. It runs in a task of its own, and in a thread of its own as far as no actor wants it.
public func leaks(
  of modules: Set<String> = [], in body: @escaping @Sendable () async throws -> Void
) async throws -> [Leak] {
  let before = try Verdict(OwnProcess.look())
  let executor = BodyThread()
  let thread = try executor.start()
  let result = await Task.detached(executorPreference: executor) { try await body() }.result
  executor.end(thread)
  try result.get()
  return found(before, modules, try OwnProcess.look())
}

private func found(_ before: Verdict, _ modules: Set<String>, _ now: Examination) -> [Leak] {
  let new = before.new(in: now)
  return new.leaks.findings.map { Leak($0, in: new.graph) }.filter { leak in
    modules.isEmpty || leak.types.contains { type in modules.contains { type.hasPrefix($0 + ".") } }
  }
}
