// Where programs are linked with Swift's libraries, there is no library for tests.
#if canImport(Testing)
  public import Testing

  /// Expects that a body leaks nothing: each leak is an issue of the test, with the chain that closes it.
  ///
  ///     @Test func `a session lets go of its player`() async throws {
  ///       try await expectNoLeaks(of: ["App"]) { Session().play() }
  ///     }
  ///
  /// - Parameters:
  ///   - modules: only leaks count that hold an object of one of these modules, such as "App"; empty for all.
  ///   - body: what is to leak nothing; what lives on after it is no leak.
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
