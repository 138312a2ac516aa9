import CPtrace

/// The leaks of a body; `expectNoLeaks` makes them a test's issues.
///
/// `memorygraph` examines this process before and after; earlier leaks do not count. The body runs in a thread of its
/// own, except on actors with their own executor, and bodies run one after the other. Leaks of other code that runs
/// meanwhile are included: name the modules whose objects count, or run the tests alone.
///
/// - Parameter modules: only leaks with an object of one of these modules count, such as "App"; empty for all.
/// - Returns: the leaks, largest first.
/// - Throws: what the body throws; `LeakTestingError` when the process cannot be examined, or when called within such a
///   body. It needs `memorygraph`: at `EIGHTBELLS_MEMORYGRAPH`, beside the tests, or in the PATH.
public func leaks(
  of modules: Set<String> = [], in body: @escaping @Sendable () async throws -> Void
) async throws -> [Leak] {
  try await Turn.next.run {
    // Stale words of this thread could have the addresses of objects that the body allocates.
    cptrace_wipe_stack()
    let process = try await OwnThread.run { try OwnProcess() }
    try await OwnThread.run(body)
    cptrace_wipe_stack()
    return try await OwnThread.run { try process.newLeaks() }.filter { leak in
      modules.isEmpty || leak.types.contains { type in modules.contains { type.hasPrefix($0 + ".") } }
    }
  }
}
