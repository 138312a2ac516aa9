/// Puts the pages of a list together. Flickr's pages are sometimes shorter than they should be; such a page is asked
/// for once more, then taken as it is. Past the end, pages repeat, and lists may change while they are read: each item
/// is taken once.
struct ListPaging<Item> {
  /// One answer: its items, and what it says about the list.
  struct Page {
    var items: [Item]
    /// Entries of the answer, with those that cannot be read.
    var entries: Int
    /// The number of this page, of all pages, and of all items.
    var number: Int?
    var pages: Int?
    var total: Int?
  }

  enum Step: Equatable {
    case ask(page: Int)
    case end
  }

  /// True if the list broke off before its last page, or became shorter while it was read.
  private(set) var isCut = false
  /// The page to ask for.
  private(set) var page = 1
  private let id: (Item) -> String
  private var known: Set<String> = []
  /// The short page, while it is asked for again.
  private var short: Page?
  /// The number of all items in the answer before.
  private var total: Int?

  init(id: @escaping (Item) -> String) { self.id = id }

  /// The number of different items so far.
  var count: Int { known.count }

  /// Takes the answer to the page asked for.
  /// - Returns: the items that are new, in their order, and the next step.
  mutating func take(_ answer: Page) -> (items: [Item], next: Step) {
    // Something was removed from a page that was read before: what has moved up to it is on none that is to come.
    if let now = answer.total, let before = total, now < before {
      isCut = true
      return ([], .end)
    }
    total = answer.total ?? total
    // Past its last page, Flickr answers with that one.
    if let number = answer.number, number < page { return ([], .end) }
    if answer.entries < expected(answer), short == nil {
      short = answer
      return ([], .ask(page: page))
    }
    var items = answer.items
    if let first = short {
      // The order of the longer one; what only the other has comes after it.
      items = first.items.count > items.count ? first.items + items : items + first.items
    }
    short = nil
    let fresh = items.filter { known.insert(id($0)).inserted }
    let isLast =
      if let total = answer.total { page * FlickrLimits.page >= total } else if let pages = answer.pages {
        page >= pages
      } else { answer.entries < FlickrLimits.page }
    isCut = answer.entries == 0 && !isLast
    guard !fresh.isEmpty, !isLast, page < FlickrLimits.pages else { return (fresh, .end) }
    page += 1
    return (fresh, .ask(page: page))
  }

  /// The entries that the page should have.
  private func expected(_ answer: Page) -> Int {
    if let total = answer.total { return min(FlickrLimits.page, max(0, total - (page - 1) * FlickrLimits.page)) }
    if let pages = answer.pages { return page < pages ? FlickrLimits.page : 0 }
    return 0
  }
}
