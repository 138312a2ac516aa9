// Programs linked with Swift's static libraries have no Testing library.
#if canImport(Testing)
  public import Testing

  /// Expects that a body leaks nothing: each leak is an issue of the test, with its chain of references.
  ///
  ///     @Test func `a session lets go of its player`() async throws {
  ///       try await expectNoLeaks(of: ["App"]) { Session().play() }
  ///     }
  ///
  /// - Parameters:
  ///   - modules: only leaks with an object of one of these modules count, such as "App"; empty for all.
  ///   - body: the code to test; objects that outlive it are not leaks.
  /// - Throws: as `leaks` does.
  public func expectNoLeaks(
    of modules: Set<String> = [], sourceLocation: SourceLocation = #_sourceLocation,
    in body: @escaping @Sendable () async throws -> Void
  ) async throws {
    for leak in try await leaks(of: modules, in: body) {
      Issue.record("\(leak.description)", sourceLocation: sourceLocation)
    }
  }
#endif
