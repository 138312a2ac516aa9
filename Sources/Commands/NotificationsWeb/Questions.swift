#if arch(wasm32)
  import Notifications

  // The notifications' rules for notification-rules.js: a question as JSON in, an answer as JSON out, both as UTF-8 in
  // the memory of the module. The page asks for room for its question, writes it, asks, and reads the answer, which
  // stays until the next question.

  private nonisolated(unsafe) var room = UnsafeMutableBufferPointer<UInt8>(start: nil, count: 0)
  private nonisolated(unsafe) var length: Int32 = 0

  /// Memory of a number of bytes, instead of what was there before.
  private func makeRoom(_ count: Int) -> UnsafeMutablePointer<UInt8>? {
    room.deallocate()
    room = .allocate(capacity: count)
    return room.baseAddress
  }

  @_expose(wasm, "question_room") @_cdecl("question_room")
  public func exportedQuestionRoom(_ count: Int32) -> UnsafeMutablePointer<UInt8>? { makeRoom(Int(count)) }

  @_expose(wasm, "ask") @_cdecl("ask")
  public func exportedAsk() -> UnsafeMutablePointer<UInt8>? {
    let answered = answer(Array(room))
    let start = makeRoom(answered.count)
    _ = room.initialize(from: answered)
    length = Int32(answered.count)
    return start
  }

  @_expose(wasm, "answer_length") @_cdecl("answer_length")
  public func exportedAnswerLength() -> Int32 { length }
#else
  // As in PortableWeb: this lets a plain `swift build` build the product.
  @main struct Native { static func main() {} }
#endif
