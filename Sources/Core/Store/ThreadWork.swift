package import Lifecycle

extension WorkerThread {
  /// Does work on the thread, after all earlier jobs.
  /// - Returns: what it returned.
  package func run<T: Sendable, E: Error>(_ work: @escaping @Sendable () throws(E) -> T) async throws(E) -> T {
    let result = await withUnsafeContinuation { (continuation: UnsafeContinuation<Result<T, E>, Never>) in
      execute {
        do throws(E) {
          continuation.resume(returning: .success(try work()))
        } catch {
          continuation.resume(returning: .failure(error))
        }
      }
    }
    return try result.get()
  }
}
