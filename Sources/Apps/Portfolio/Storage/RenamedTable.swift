import Galleries
import Store

/// Finds again what a source has under another name now, so that links, hearts, frames and orders stay.
extension Database {
  private static let isListedNow = """
    EXISTS (SELECT 1 FROM portfolio_places s JOIN portfolio_galleries g ON g.id = s.gallery
      WHERE s.picture = p.id AND s.is_missing = 0 AND g.run = ?)
    """

  /// Lets missing pictures, and galleries that are gone, take the places of new ones that are the same files.
  func takeRenamed(of portfolio: Int, run: Int, commit: Int) throws(StoreError) {
    let pairs = try renamedPictures(of: portfolio, run: run)
    guard !pairs.isEmpty else { return }
    // First, since it goes by the places that the pictures had.
    let galleries = try renamedGalleries(with: pairs, of: portfolio, run: run)
    for pair in pairs { try take(picture: pair.new, by: pair.old) }
    for pair in galleries { try take(gallery: pair.new, by: pair.old, commit: commit) }
  }

  /// Missing pictures and new ones that nobody has fetched: the same version and file name, or a version that no other
  /// picture has.
  private func renamedPictures(of portfolio: Int, run: Int) throws(StoreError) -> [(old: Int, new: Int)] {
    let old = try renamed(of: portfolio, run: run, "p.made IS NOT NULL AND NOT \(Self.isListedNow)")
    guard !old.isEmpty else { return [] }
    let new = try renamed(of: portfolio, run: run, "p.made IS NULL AND p.failure IS NULL AND \(Self.isListedNow)")
    guard !new.isEmpty else { return [] }
    var pairs: [(old: Int, new: Int)] = []
    var left: [String: [Int]] = [:]
    for one in old.reversed() { left["\(one.name)/\(one.version)", default: []].append(one.id) }
    var rest: [(id: Int, version: String)] = []
    for one in new {
      if let id = left["\(one.name)/\(one.version)"]?.popLast() {
        pairs.append((id, one.id))
      } else {
        rest.append((one.id, one.version))
      }
    }
    let unique = Set(
      try rows(
        """
        SELECT kind || ' ' || version FROM portfolio_pictures WHERE portfolio = ? GROUP BY kind, version
        HAVING count(*) = 2
        """, .int(portfolio)
      ) { $0.text(0) })
    let byVersion = Dictionary(old.map { ($0.version, $0.id) }, uniquingKeysWith: { first, _ in first })
    for one in rest where unique.contains(one.version) {
      if let id = byVersion[one.version] { pairs.append((id, one.id)) }
    }
    return pairs
  }

  private func renamed(
    of portfolio: Int, run: Int, _ condition: String
  ) throws(StoreError) -> [(id: Int, name: String, version: String)] {
    try rows(
      """
      SELECT p.id, p.source_id, p.kind || ' ' || p.version FROM portfolio_pictures p
      WHERE p.portfolio = ? AND \(condition) ORDER BY p.id
      """, .int(portfolio), .int(run)
    ) { row in (row.int(0), String(row.text(1).split(separator: "/").last ?? ""), row.text(2)) }
  }

  /// Galleries that are gone, each with the new one that most of its pictures are in which were found again.
  private func renamedGalleries(
    with pairs: [(old: Int, new: Int)], of portfolio: Int, run: Int
  ) throws(StoreError) -> [(old: Int, new: Int)] {
    let gone = Set(
      try rows(
        "SELECT id FROM portfolio_galleries WHERE portfolio = ? AND run <> ?", .int(portfolio), .int(run)
      ) { $0.int(0) })
    var new = Set(
      try rows(
        """
        SELECT g.id FROM portfolio_galleries g WHERE g.portfolio = ? AND g.run = ? AND NOT EXISTS (
          SELECT 1 FROM portfolio_places s JOIN portfolio_pictures p ON p.id = s.picture
          WHERE s.gallery = g.id AND p.made IS NOT NULL)
        """, .int(portfolio), .int(run)
      ) { $0.int(0) })
    var targets: [Int: [Int]] = [:]
    for pair in pairs {
      let now = try keys(ofGalleriesWith: pair.new)
      for gallery in try keys(ofGalleriesWith: pair.old) where gone.contains(gallery) {
        targets[gallery, default: []] += now
      }
    }
    var found: [(old: Int, new: Int)] = []
    for gallery in targets.keys.sorted() {
      let all = (targets[gallery] ?? []).sorted()
      // Some of them may have been moved elsewhere with the same tidying: more than half are also in the middle.
      guard let target = all.dropFirst(all.count / 2).first, all.count(where: { $0 == target }) * 2 > all.count,
        new.remove(target) != nil
      else { continue }
      found.append((gallery, target))
    }
    return found
  }

  private func keys(ofGalleriesWith picture: Int) throws(StoreError) -> [Int] {
    try rows("SELECT gallery FROM portfolio_places WHERE picture = ?", .int(picture)) { $0.int(0) }
  }

  /// Its file is looked at once more, since a version is not the file itself.
  private func take(picture new: Int, by old: Int) throws(StoreError) {
    guard let told = try portfolioPicture(key: new)?.source else { return }
    try run("DELETE FROM portfolio_places WHERE picture = ?", .int(old))
    try run("UPDATE portfolio_places SET picture = ? WHERE picture = ?", .int(old), .int(new))
    try run("DELETE FROM portfolio_pictures WHERE id = ?", .int(new))
    try run(
      "UPDATE portfolio_pictures SET source_id = ?, title = ?, file = ?, made = '' WHERE id = ?", .text(told.id),
      .text(told.title), .text(told.file), .int(old))
  }

  private func take(gallery new: Int, by old: Int, commit: Int) throws(StoreError) {
    guard let sourceID = try gallery(key: new)?.sourceID else { return }
    // Pictures that were not found again may have to stay until their owner says that they go.
    try run("UPDATE portfolio_places SET is_missing = 1 WHERE gallery = ?", .int(old))
    try run("UPDATE portfolio_places SET gallery = ? WHERE gallery = ?", .int(old), .int(new))
    try run(
      """
      UPDATE portfolio_galleries SET (title, text, tag, source_cover, source_group, notice, position, run) =
        (SELECT n.title, n.text, n.tag, n.source_cover, n.source_group, n.notice, n.position, n.run
         FROM portfolio_galleries n WHERE n.id = ?), changed = ? WHERE id = ?
      """, .int(new), .int(commit), .int(old))
    try run("DELETE FROM portfolio_galleries WHERE id = ?", .int(new))
    try run("UPDATE portfolio_galleries SET source_id = ? WHERE id = ?", .text(sourceID), .int(old))
  }

  /// Lets a copy that came with the last looks have what was a missing picture's. Files that are moved over a network
  /// are at both places for a while, and so are those that are moved while galleries are listed one after the other.
  func give(ofMissing missing: Int, run: Int, commit: Int) throws(StoreError) {
    let copy = try first(
      """
      SELECT p.id FROM portfolio_pictures o
      JOIN portfolio_pictures p ON p.portfolio = o.portfolio AND p.digest = o.digest AND p.id <> o.id
      WHERE o.id = ? AND o.made IS NOT NULL AND p.made IS NOT NULL AND p.tried >= ? AND \(Self.isListedNow)
      ORDER BY p.id LIMIT 1
      """, .int(missing), .int(run - 3), .int(run)
    ) { $0.int(0) }
    guard let copy else { return }
    let (new, old) = (Value.int(copy), Value.int(missing))
    try self.run(
      """
      UPDATE portfolio_favourite_lists SET changed = ?
      WHERE portfolio = (SELECT portfolio FROM portfolio_favourites WHERE picture = ?)
      """, .int(commit), old)
    // Each has one of these for a picture, and keeps its own.
    for (table, each) in [
      ("favourites", "1 = 1"), ("shares", "1 = 1"), ("sent_places", "t.sent = portfolio_sent_places.sent"),
      ("sent_marks", "t.client = portfolio_sent_marks.client AND t.kind = portfolio_sent_marks.kind"),
    ] {
      try self.run(
        """
        UPDATE portfolio_\(table) SET picture = ? WHERE picture = ?
          AND NOT EXISTS (SELECT 1 FROM portfolio_\(table) t WHERE t.picture = ? AND \(each))
        """, new, old, new)
    }
    try self.run("UPDATE portfolio_galleries SET chosen_cover = ? WHERE chosen_cover = ?", new, old)
  }
}
