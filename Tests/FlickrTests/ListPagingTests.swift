import Testing

@testable import Flickr

struct ListPagingTests {
  typealias Paging = ListPaging<Int>

  /// Puts a list together from what `answer` gives for each page asked for, and its how many-eth request.
  static func read(_ answer: (Int, Int) -> Paging.Page) -> (items: [Int], asked: [Int]) {
    var paging = Paging { "\($0)" }
    var items: [Int] = []
    var asked: [Int] = []
    while asked.count < 50 {
      asked.append(paging.page)
      let (fresh, next) = paging.take(answer(paging.page, asked.count { $0 == paging.page }))
      items += fresh
      if next == .end { break }
    }
    return (items, asked)
  }

  static func page(_ range: Range<Int>, of total: Int?, pages: Int? = nil, number: Int? = nil) -> Paging.Page {
    Paging.Page(items: Array(range), entries: range.count, number: number, pages: pages, total: total)
  }

  static func range(_ page: Int, _ count: Int) -> Range<Int> { min(count, (page - 1) * 500)..<min(count, page * 500) }

  @Test(arguments: [0, 1, 499, 500, 501, 1_000, 1_203])
  func `each item comes once, with a call for 500`(count: Int) {
    let (items, asked) = Self.read { page, _ in Self.page(Self.range(page, count), of: count) }
    #expect(items == Array(0..<count) && asked.count == max(1, (count + 499) / 500))
    let (unnumbered, _) = Self.read { page, _ in Self.page(Self.range(page, count), of: nil) }
    #expect(unnumbered == Array(0..<count))
  }

  @Test func `1,203 pictures with a short page 2, which is whole when it is asked for again`() {
    let (items, asked) = Self.read { page, attempt in
      Self.page(page == 2 && attempt == 1 ? 503..<1_000 : Self.range(page, 1_203), of: 1_203)
    }
    #expect(items == Array(0..<1_203) && asked == [1, 2, 2, 3])
  }

  @Test func `a page that stays short is taken as it is, with what either attempt had`() {
    let (items, asked) = Self.read { page, attempt in
      Self.page(page != 2 ? Self.range(page, 1_203) : attempt == 1 ? 500..<997 : 503..<1_000, of: 1_203)
    }
    #expect(items.sorted() == Array(0..<1_203) && asked == [1, 2, 2, 3])
    let (fewer, _) = Self.read { page, _ in Self.page(page == 2 ? 500..<900 : Self.range(page, 1_203), of: 1_203) }
    #expect(fewer.count == 1_103)
  }

  @Test func `pages that repeat past the end are the end`() {
    let (items, asked) = Self.read { page, _ in Self.page(Self.range(min(page, 2), 1_000), of: nil) }
    #expect(items == Array(0..<1_000) && asked == [1, 2, 3])
    let (numbered, _) = Self.read { page, _ in Self.page(0..<500, of: 100_000, number: 1) }
    #expect(numbered == Array(0..<500))
  }

  @Test func `a picture that moves to the next page while the list is read comes once`() {
    let (items, _) = Self.read { page, _ in Self.page(page == 1 ? 0..<500 : 499..<700, of: 701) }
    #expect(items == Array(0..<700))
  }

  @Test(arguments: [501, 502, 1_203])
  func `a list that becomes shorter while it is read is cut, also where its last page goes`(count: Int) {
    var paging = Paging { "\($0)" }
    #expect(paging.take(Self.page(0..<500, of: count, number: 1)).next == .ask(page: 2))
    // One of the first page is removed, and the first of the second page moves up.
    let left = count - 1
    let second =
      left > 500
      ? Self.page(501..<min(count, 1_001), of: left, number: 2) : Self.page(1..<501, of: left, number: 1)
    #expect(paging.take(second).next == .end && paging.isCut)
  }

  @Test(arguments: [(1, true), (2, true), (3, false)])
  func `a list that breaks off before its last page is cut, and one whose last page is empty is not`(
    empty: Int, isCut: Bool
  ) {
    var paging = Paging { "\($0)" }
    var (items, asked): ([Int], [Int]) = ([], [])
    while asked.count < 50 {
      asked.append(paging.page)
      let range = paging.page == empty ? 0..<0 : Self.range(paging.page, 1_203)
      let (fresh, next) = paging.take(Self.page(range, of: 1_203, number: paging.page))
      items += fresh
      if next == .end { break }
    }
    #expect(paging.isCut == isCut && asked == Array(1...empty) + [empty], "an empty page is asked for once more")
    #expect(items == Array(0..<(empty - 1) * 500), "those before it are taken")
  }
}
