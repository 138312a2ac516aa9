/// The known name most similar to a mistyped one; nil if none is similar enough.
public func suggestion(for text: String, among known: [String]) -> String? {
  let nearest = known.map { (name: $0, distance: editDistance(text, $0)) }.min { $0.distance < $1.distance }
  guard let nearest, nearest.distance <= max(1, text.count / 3) else { return nil }
  return nearest.name
}

/// The number of letters to be added, removed, changed or swapped with their neighbour to turn one text into the other
/// (optimal string alignment, in which a swap, the commonest typing mistake, counts once).
func editDistance(_ a: String, _ b: String) -> Int {
  let (a, b) = (Array(a), Array(b))
  var rows = [Array(0...b.count)]
  for i in a.indices {
    var row = [i + 1]
    for j in b.indices {
      var distance = min(rows[i][j] + (a[i] == b[j] ? 0 : 1), row[j] + 1, rows[i][j + 1] + 1)
      if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { distance = min(distance, rows[i - 1][j - 1] + 1) }
      row.append(distance)
    }
    rows.append(row)
  }
  return rows[a.count][b.count]
}
