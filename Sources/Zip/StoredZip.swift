/// A zip whose files are stored as they are, so that its length is known before its first byte is made, and any part of
/// it can be made alone (APPNOTE 6.3.10). For pictures and videos, which do not become smaller.
public struct StoredZip: Sendable {
  public let entries: [ZipEntry]
  /// The names in the zip, in the order of the entries.
  public let names: [String]
  /// Bytes in all.
  public let length: Int
  /// The beginning of each entry's header.
  private let starts: [Int]
  /// The beginning of the directory at the end.
  private let directory: Int
  private let directoryBytes: Int

  /// A part of a zip.
  public enum Piece: Equatable, Sendable {
    case bytes([UInt8])
    /// A range of an entry's content.
    case content(entry: Int, Range<Int>)
  }

  public init(_ entries: [ZipEntry]) {
    self.entries = entries
    names = ZipNames.safe(entries.map(\.name))
    var starts: [Int] = []
    starts.reserveCapacity(entries.count)
    var (position, directory) = (0, 0)
    for (entry, name) in zip(entries, names) {
      starts.append(position)
      directory += ZipHeaders.directoryBytes(entry, name: name, at: position)
      position += ZipHeaders.localBytes(entry, name: name) + entry.size
    }
    self.starts = starts
    self.directory = position
    directoryBytes = directory
    length = position + directory + ZipHeaders.endBytes(count: entries.count, directory: position, size: directory)
  }

  /// The pieces of a range, made one after the other: of the headers, only those that are asked for are in memory.
  public func pieces(of range: Range<Int>) -> some Sequence<Piece> {
    precondition(range.lowerBound >= 0 && range.upperBound <= length, "\(range) of \(length) bytes")
    return Pieces(zip: self, range: range)
  }

  /// Makes the headers of one entry, or its content, at a time.
  private struct Pieces: Sequence, IteratorProtocol {
    let zip: StoredZip
    var position: Int
    let end: Int

    init(zip: StoredZip, range: Range<Int>) {
      self.zip = zip
      (position, end) = (range.lowerBound, range.upperBound)
      // The entry whose header or content the range begins in.
      var (low, high) = (0, zip.starts.count)
      while low < high {
        let middle = (low + high) / 2
        if zip.starts[middle] <= position { low = middle + 1 } else { high = middle }
      }
      if position < zip.directory {
        (index, place) = (low - 1, zip.starts[low - 1])
      } else {
        (index, place) = (zip.entries.count, zip.directory)
      }
    }

    /// The next entry of the files, then that of the directory counted on behind them, and the beginning of it.
    private var index: Int
    private var place: Int
    private var isContent = false

    mutating func next() -> Piece? {
      while position < end {
        let count = zip.entries.count
        if index < count, isContent {
          let content = place..<(place + zip.entries[index].size)
          let entry = index
          isContent = false
          index += 1
          place = content.upperBound
          let part = position..<Swift.min(end, content.upperBound)
          guard part.lowerBound < part.upperBound else { continue }
          position = part.upperBound
          return .content(
            entry: entry, (part.lowerBound - content.lowerBound)..<(part.upperBound - content.lowerBound))
        }
        let bytes: [UInt8]
        if index < count {
          bytes = ZipHeaders.local(zip.entries[index], name: zip.names[index])
          isContent = true
        } else if index < 2 * count {
          let number = index - count
          bytes = ZipHeaders.directory(zip.entries[number], name: zip.names[number], at: zip.starts[number])
          index += 1
        } else {
          bytes = ZipHeaders.end(count: count, directory: zip.directory, size: zip.directoryBytes)
        }
        let start = place
        place += bytes.count
        guard place > position else { continue }
        let part = Array(bytes[(position - start)..<(Swift.min(end, place) - start)])
        position += part.count
        return .bytes(part)
      }
      return nil
    }
  }
}
