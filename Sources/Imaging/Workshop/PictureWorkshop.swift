public import EventLoop
public import Observe
import Synchronization

/// The hub's side of the program that decodes: starts it, hands it jobs, and starts it again when it dies.
public final class PictureWorkshop: @unchecked Sendable {
  public enum State: Equatable, Sendable {
    case starting
    /// With the level of protection that this machine gave.
    case ready(sandbox: String)
    /// With what to install or to build.
    case missing(String)
    /// It is there and does not run.
    case failing(String)
  }

  private let loop: EventLoop
  private let log: Log
  private let current = Mutex(State.starting)

  /// - Parameters:
  ///   - program: the path of `eightbells-pictures`; nil: beside this program.
  ///   - workers: the pictures that are made at a time.
  public init(program: String?, workers: Int = 2, loop: EventLoop, log: Log) {
    (self.loop, self.log) = (loop, log)
  }

  /// For the doctor and for pages.
  public var state: State { current.withLock { $0 } }

  /// Runs the workers until the task is cancelled.
  public func run() async throws { while true { try await loop.pause(for: 3600) } }

  /// Makes a picture's sizes. Jobs wait in a room that is bounded; urgent ones are first.
  public func make(_ job: PictureJob, urgent: Bool) async throws(PictureError) -> MadePicture {
    throw .notInstalled("eightbells-pictures")
  }

  /// Writes a video as H.264 in MP4, at most 720 pixels high, without what tells of its origin.
  /// - Parameters:
  ///   - source: a regular file, open for reading.
  ///   - target: an empty regular file, open for reading and writing.
  public func video(_ source: Int32, into target: Int32) async throws(PictureError) {
    throw .notInstalled("eightbells-pictures")
  }
}
