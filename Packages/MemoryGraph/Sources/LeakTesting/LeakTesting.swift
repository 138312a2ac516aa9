import CPtrace

/// What has leaked while a body ran; `expectNoLeaks` makes it a test's failures.
///
/// `memorygraph` looks at this process before and after; what was lost before does not count. The body runs in a thread
/// of its own as far as no actor wants it, and bodies run one after the other. Whatever else runs meanwhile leaks into
/// their account: name the modules whose objects count, or let the tests run alone.
///
/// - Parameter modules: only leaks count that hold an object of one of these modules, such as "App"; empty for all.
/// - Returns: the leaks, those that hold most first.
/// - Throws: what the body throws; `LeakTestingError` when it cannot look, or when it is called in such a body. It
///   needs `memorygraph`: where `EIGHTBELLS_MEMORYGRAPH` says, beside the tests, or in the PATH.
public func leaks(
  of modules: Set<String> = [], in body: @escaping @Sendable () async throws -> Void
) async throws -> [Leak] {
  try await Turn.next.run {
    // What this thread has called before would name what the body makes in the same places of the heap.
    cptrace_wipe_stack()
    let process = try await OwnThread.run { try OwnProcess() }
    try await OwnThread.run(body)
    cptrace_wipe_stack()
    return try await OwnThread.run { try process.newLeaks() }.filter { leak in
      modules.isEmpty || leak.types.contains { type in modules.contains { type.hasPrefix($0 + ".") } }
    }
  }
}
