// Foundation's timers without a run loop: some leaked by Foundation alone, some in a ring with objects of the program's
// own, and some in a ring with a captured variable.
import Foundation

final class Poller {
  var timer: Timer?
  var polls = 0
}

@inline(never) func makePlain() {
  for _ in 0..<3 { _ = Timer(timeInterval: 100, repeats: true) { _ in } }
}

@inline(never) func makePollers() {
  for number in 0..<4 {
    let poller = Poller()
    poller.timer = Timer(timeInterval: 100, repeats: true) { _ in poller.polls += 1 }
    if number % 2 == 0 { poller.timer?.invalidate() }
  }
}

@inline(never) func makeCaptured() {
  for _ in 0..<2 {
    var timer: Timer?
    timer = Timer(timeInterval: 100, repeats: true) { _ in timer?.invalidate() }
    _ = timer
  }
}

/// In a deep call of its own, to overwrite what earlier calls have left on the stack.
@inline(never) func scrub(_ depth: Int) {
  withUnsafeTemporaryAllocation(byteCount: 4096, alignment: 16) { $0.initializeMemory(as: UInt8.self, repeating: 0) }
  if depth > 0 { scrub(depth - 1) }
}

makePlain()
makePollers()
makeCaptured()
scrub(64)
print("ready")
fflush(stdout)
_ = readLine()
