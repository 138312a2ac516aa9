import Glibc

/// Threads that never rest: whatever is looked at is in the middle of something.
enum Busy {
  final class Item {
    var number = 0
  }
  /// A thread's items. Only the array holds them, and every word of it moves when one is put in front.
  final class Line {
    var items: [Item] = []
    init(_ count: Int) { for _ in 0..<count { items.append(Item()) } }
  }
  nonisolated(unsafe) static var lines: [Line] = []

  /// One line for each thread. Its items are moved many at a time, in registers of the processor's that hold several
  /// words at once and that nobody else looks into: just then some of them are nowhere else.
  static func make(_ count: Int) {
    for _ in 0..<4 { lines.append(Line(count)) }
    for line in lines { for item in line.items { live(item, "item") } }
    for line in lines {
      var thread = pthread_t()
      pthread_create(
        &thread, nil,
        { context in
          let line = Unmanaged<Line>.fromOpaque(context!).takeUnretainedValue()
          while true { line.items.insert(line.items.removeLast(), at: 0) }
        }, Unmanaged.passUnretained(line).toOpaque())
    }
  }
}

/// Objects that are still held, and that somebody has retained by hand and forgotten.
enum OverRetained {
  final class Ticket {
    var number = 0
  }
  nonisolated(unsafe) static var tickets: [Ticket] = []

  static func make(_ count: Int) {
    // What grows leaves old storage behind. Whoever gets that memory next may leave the old words there: references to
    // the tickets, for all anybody knows, which explain a count that is too high.
    tickets.reserveCapacity(2 * count)
    for number in 0..<2 * count {
      let ticket = Ticket()
      tickets.append(ticket)
      live(ticket, number < count ? "forgotten" : "ticket")
      if number < count { _ = Unmanaged.passRetained(ticket) }
    }
  }
}
