import Glibc

/// Something that sleeps until it is given work, such as an event loop.
public protocol Sleeper: AnyObject {
  func wakeUp()
}

/// The sleepers that a thread is to wake when it has handed over everything. A thread that gives many pieces of work to
/// a loop would otherwise be interrupted by that loop after the first of them.
public final class Wakes {
  private var sleepers: [any Sleeper] = []

  /// The wakes of the calling thread, while it gathers some.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    let code = pthread_key_create(&key, nil)
    precondition(code == 0, "Cannot make a key for threads: error \(code)")
    return key
  }()

  private static var ofThread: Wakes? {
    pthread_getspecific(key).map { Unmanaged<Wakes>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Wakes the sleeper, at once or when the calling thread is done with what it gathers.
  public static func wake(_ sleeper: any Sleeper) {
    if let wakes = ofThread { wakes.sleepers.append(sleeper) } else { sleeper.wakeUp() }
  }

  /// Wakes nobody until `body`, which must be short, is done.
  public static func gather(_ body: () -> Void) {
    guard ofThread == nil else { return body() }
    let wakes = Wakes()
    pthread_setspecific(key, Unmanaged.passUnretained(wakes).toOpaque())
    withExtendedLifetime(wakes) { body() }
    pthread_setspecific(key, nil)
    for sleeper in wakes.sleepers { sleeper.wakeUp() }
  }
}
