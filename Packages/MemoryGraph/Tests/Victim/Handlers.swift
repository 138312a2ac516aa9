import Dispatch
import Glibc

/// Callbacks that are held by the object that they call: Dispatch sources, work items, continuations, and lists of
/// closures.

final class Signalman: @unchecked Sendable {
  var timer: (any DispatchSourceTimer)?
  var input: (any DispatchSourceRead)?
  var work: DispatchWorkItem?
  var signals = 0
  func signal() { signals += 1 }
}
nonisolated(unsafe) var signalmen: [Signalman] = []

final class Bell {
  var strokes: [() -> Void] = []
  var orders: [String: (Int) -> Void] = [:]
  var rung = 0
}
nonisolated(unsafe) var bells: [Bell] = []

/// Waits for an answer while it holds the continuation itself.
final class Asker: @unchecked Sendable {
  var checked: CheckedContinuation<Void, Never>?
  var unsafely: UnsafeContinuation<Void, Never>?
  var answers = 0

  func ask(checked isChecked: Bool) async {
    if isChecked {
      await withCheckedContinuation { checked = $0 }
    } else {
      await withUnsafeContinuation { unsafely = $0 }
    }
    answers += 1
  }
}
nonisolated(unsafe) var askers: [Asker] = []

nonisolated(unsafe) let handlers: [Trial] = [
  Trial(
    name: "sources",
    explanation: "Signalmen that keep a running timer, a source that waits for input, and a work item that nobody has "
      + "started, and whom the handlers of these keep; drop lets go of them.",
    expected: "three retain cycles that are still reached, through dispatch sources and a work item, COUNT times each; "
      + "after drop the work items have leaked, while timer and input are still waited for",
    make: { count in for _ in 0..<count { makeSignalmen() } },
    drop: {
      for signalman in signalmen where signalman.work != nil { leaked(signalman, "Signalman") }
      signalmen = []
    }),
  Trial(
    name: "sighted", explanation: "Signalmen whose timer, input and work item know them weakly or without ownership.",
    expected: "nothing", make: { count in for _ in 0..<count { makeSighted() } }),
  Trial(
    name: "strokes", explanation: "Bells that keep lists of closures which ring them; drop lets go of them.",
    expected:
      "two retain cycles that are still reached, Bell.strokes and Bell.orders, COUNT times each; they leak when "
      + "they are dropped",
    make: { count in for _ in 0..<count { makeBells() } },
    drop: {
      for bell in bells where !bell.strokes.isEmpty || bell.orders["ring"] != nil { leaked(bell, "Bell") }
      bells = []
    }),
  Trial(
    name: "answers", explanation: "Tasks wait for a continuation that only their own object keeps; drop lets go of it.",
    expected: "nothing, since they end when the tasks are resumed: harmless are Asker.checked and "
      + "Asker.unsafely, COUNT times each; after drop nobody can resume them, and they have leaked",
    make: { count in
      for _ in 0..<count { makeAskers() }
      settle()
    },
    drop: {
      for asker in askers { leaked(asker, "Asker") }
      askers = []
      settle()
    }),
]

@inline(never) func makeSignalmen() {
  let (timed, listening, working) = (Signalman(), Signalman(), Signalman())
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { timed.signal() }
  timer.schedule(deadline: .now() + 3600, repeating: 3600)
  timer.resume()
  timed.timer = timer
  let input = DispatchSource.makeReadSource(fileDescriptor: silence)
  input.setEventHandler { listening.signal() }
  input.setCancelHandler { listening.signals = 0 }
  input.resume()
  listening.input = input
  working.work = DispatchWorkItem { working.signal() }
  for signalman in [timed, listening, working] { live(signalman, "held by its own handler") }
  signalmen += [timed, listening, working]
}

/// A descriptor that never becomes readable; its writing end is kept open.
private let silence: Int32 = {
  var ends: [Int32] = [0, 0]
  pipe(&ends)
  return ends[0]
}()

@inline(never) func makeSighted() {
  let (timed, listening, working) = (Signalman(), Signalman(), Signalman())
  let timer = DispatchSource.makeTimerSource()
  timer.setEventHandler { [weak timed] in timed?.signal() }
  timer.schedule(deadline: .now() + 3600, repeating: 3600)
  timer.resume()
  timed.timer = timer
  let input = DispatchSource.makeReadSource(fileDescriptor: silence)
  input.setEventHandler { [unowned listening] in listening.signal() }
  input.resume()
  listening.input = input
  working.work = DispatchWorkItem { [weak working] in working?.signal() }
  for signalman in [timed, listening, working] { live(signalman, "known weakly by its own handler") }
  signalmen += [timed, listening, working]
}

@inline(never) func makeBells() {
  let (striking, ordered, quiet) = (Bell(), Bell(), Bell())
  striking.strokes = [{ [weak striking] in striking?.rung += 2 }, { striking.rung += 1 }]
  ordered.orders = ["ring": { ordered.rung += $0 }]
  quiet.orders = ["be quiet": { [unowned quiet] in quiet.rung -= $0 }]
  for bell in [striking, ordered, quiet] { live(bell, "with closures that ring it") }
  bells += [striking, ordered, quiet]
}

@inline(never) func makeAskers() {
  for isChecked in [true, false] {
    let asker = Asker()
    Task {
      markThread()
      await asker.ask(checked: isChecked)
    }
    live(asker, "waits for its own answer")
    askers.append(asker)
  }
}
