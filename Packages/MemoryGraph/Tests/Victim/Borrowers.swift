import Synchronization

/// A lender retains its borrower, which refers back without a count, in places that Swift's metadata hardly describes.
final class Lender {
  var borrower: AnyObject?
}
nonisolated(unsafe) private var lenders: [Lender] = []

protocol Borrowing {}

enum Borrower {
  struct Loan: @unchecked Sendable, Borrowing {
    unowned let lender: Lender
    var sum = 0
  }
  struct RawLoan: @unchecked Sendable {
    unowned(unsafe) let lender: Lender
  }
  struct OnlyLoan: ~Copyable {
    unowned let lender: Lender
  }
  enum Contract {
    case loan(Loan)
    case gift(Lender)
    case none
  }

  final class Locked: Sendable {
    let loan: Mutex<Loan>
    init(_ loan: Loan) { self.loan = Mutex(loan) }
  }
  final class LockedRaw: Sendable {
    let loan: Mutex<RawLoan>
    init(_ lender: Lender) { loan = Mutex(RawLoan(lender: lender)) }
  }
  final class BesideAtomic {
    let payments = Atomic<Int>(0)
    let loan: Loan
    let known: Unmanaged<Lender>
    init(_ loan: Loan) { (self.loan, known) = (loan, .passUnretained(loan.lender)) }
  }
  final class Uncopied {
    let loan: OnlyLoan
    init(_ lender: Lender) { loan = OnlyLoan(lender: lender) }
  }
  final class Listed {
    var loans: [2 of Loan]
    init(_ loan: Loan) { loans = [loan, loan] }
  }
  final class AnyLoan {
    var loan: any Borrowing
    init(_ loan: Loan) { self.loan = loan }
  }
  final class Contracted {
    var contract: Contract
    init(_ loan: Loan) { contract = .loan(loan) }
  }
  final class Packed<each Value> {
    var values: (repeat each Value)
    init(_ values: repeat each Value) { self.values = (repeat each values) }
  }
  final class Shelf: ManagedBuffer<Loan, Loan> {}

  /// A buffer whose free slots contain stale words.
  final class Slots: ManagedBuffer<Int, Int> {}
  nonisolated(unsafe) static var slots: [Slots] = []

  @inline(never) static func make() {
    lend { Locked($0) }
    lend { LockedRaw($0.lender) }
    lend { BesideAtomic($0) }
    lend { Uncopied($0.lender) }
    lend { Listed($0) }
    lend { AnyLoan($0) }
    lend { Contracted($0) }
    lend { Packed(1, $0) }
    lend { loan in
      let shelf = Shelf.create(minimumCapacity: 2) { _ in loan } as! Shelf
      shelf.withUnsafeMutablePointerToElements { $0.initialize(repeating: loan, count: 2) }
      return shelf
    }
    makeSlots()
  }

  @inline(never) private static func lend(_ borrower: (Loan) -> AnyObject) {
    let lender = Lender()
    lender.borrower = borrower(Loan(lender: lender))
    live(lender, "lender")
    lenders.append(lender)
  }

  /// Frees memory with words that refer to the block itself, and allocates it again.
  @inline(never) private static func makeSlots() {
    let room = 184
    let blocks = (0..<8).map { _ in
      let block = UnsafeMutablePointer<UInt>.allocate(capacity: room + 4)
      block.initialize(repeating: UInt(bitPattern: block) + 32, count: room + 4)
      return block
    }
    for block in blocks { block.deallocate() }
    for _ in blocks {
      let buffer = Slots.create(minimumCapacity: room) { _ in 0 } as! Slots
      live(buffer, "slots")
      slots.append(buffer)
    }
  }
}

nonisolated(unsafe) let borrowers: [Trial] = [
  Trial(
    name: "borrowers",
    explanation: "Lenders keep borrowers that know them without ownership, in a Mutex, beside an Atomic, in an "
      + "InlineArray, a value of any type, an enumeration, a parameter pack, a ManagedBuffer; and there are buffers "
      + "with free slots.",
    expected: "nothing", make: { count in for _ in 0..<count { Borrower.make() } })
]
