import Dispatch

/// Live objects, at least one for each case that leaks: the same types and the same paths, with one weak reference, or
/// with an owner.
enum Likenesses {
  nonisolated(unsafe) static var kept: [AnyObject] = []
  nonisolated(unsafe) static var registry: [String: Navigator] = [:]
  nonisolated(unsafe) static var numbered: [Int: Session] = [:]
  nonisolated(unsafe) static var continuation: UnsafeContinuation<Void, Never>?
  nonisolated(unsafe) static var feed: AsyncStream<Int>.Continuation?
  nonisolated(unsafe) static var handle: Task<Void, Never>?

  @inline(never) static func make() {
    makeHolders()
    makeWaiting()
    settle()
  }

  @inline(never) private static func makeHolders() {
    let (navigator, other) = (Navigator(), Navigator())
    navigator.instrument = Sextant(navigator: other)
    registry = ["navigator": navigator]
    live(navigator, "in a dictionary")
    live(other, "in an existential's box")

    let (session, payload) = (Session(), Session())
    session.state = .connected(payload, since: 1)
    numbered = [7: session]
    live(session, "in a dictionary by number")
    live(payload, "payload of a case with more in it")

    let (request, refused) = (Request(), Request())
    request.failure = Refusal(request: refused)
    live(request, "with an error")
    live(refused, "in the error's box")

    let (club, member) = (Club(), Member(1))
    club.members = [member]
    live(club, "with a set")
    live(member, "in a set")

    let (yacht, tender) = (Yacht(), Vessel())
    yacht.tender = tender
    live(yacht, "with what its superclass holds")
    live(tender, "held by a property of the superclass")

    let (tree, leaf) = (Tree<Session>(), Session())
    tree.root = .fork(.leaf(leaf), .leaf(session), owner: Tree())
    live(tree, "with an indirect enumeration")
    live(leaf, "in an indirect enumeration's box")

    let listener = Listener()
    registrations.append(Registration(listener: listener))
    live(listener, "registered weakly, and held elsewhere")
    kept += [request, club, yacht, tree, listener]
  }

  @inline(never) private static func makeWaiting() {
    // Before one of the threads waits for ever, with stale words on its stack.
    settle()
    let watch = Watch()
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler { [weak watch] in watch?.ticks += 1 }
    timer.schedule(deadline: .now() + 3600, repeating: 3600)
    timer.resume()
    watch.timer = timer
    live(watch, "held weakly by its timer")

    let sleeper = Watch()
    Task { await sleeper.tick() }
    live(sleeper, "held by a sleeping task alone")

    let reply = Reply()
    Task {
      await withUnsafeContinuation { Self.continuation = $0 }
      reply.text = "awake"
    }
    live(reply, "held by a task whose continuation is kept")

    let download = Download()
    let (parts, feed) = AsyncStream<Int>.makeStream()
    Self.feed = feed
    Task { await download.receive(parts) }
    live(download, "held by a task that reads a stream whose feed is kept")

    let first = Download()
    let inner = Task { await first.receive(parts) }
    handle = Task { await inner.value }
    live(first, "held by a task that another one waits for")

    let waiting = Watch()
    let busy = Ledger()
    Task { await busy.block() }
    waitUntilOthersSleep()
    Task {
      await busy.add(1)
      waiting.ticks += 1
    }
    live(waiting, "held by a task that waits for an actor's turn")
    kept.append(busy)

    let ledger = Ledger()
    ledger.auditor = { [weak ledger] in await ledger?.add(1) }
    live(ledger, "actor that its closure holds weakly")
    kept += [watch, ledger]
  }
}
