import Testing

@testable import Portfolio

struct FolderEntryTests {
  private func listed(_ names: [String], bytes: Int? = 3_000_000) -> [String] {
    names.map { FolderEntry(name: $0, path: $0, isFolder: false, version: "1", bytes: bytes) }.listed.map(\.name)
  }

  @Test(arguments: [
    (["IMG_2.MOV", "IMG_2.HEIC", "IMG_10.jpg", "IMG_10.mov"], ["IMG_2.HEIC", "IMG_10.jpg"]),
    // A third of the name, two films, two pictures, and what a camera names otherwise.
    (["a.heic", "a.jpg", "a.mov"], ["a.heic", "a.jpg", "a.mov"]), (["a.mov", "A.MOV"], ["A.MOV", "a.mov"]),
    (["a.heic", "a.jpg"], ["a.heic", "a.jpg"]), (["a.jpg", "a.mp4"], ["a.jpg", "a.mp4"]),
  ]) func `a live photo is its picture alone`(names: [String], left: [String]) {
    #expect(listed(names) == left)
  }

  @Test(arguments: [PortfolioLimits.momentBytes + 1, nil]) func `a long film is one by itself`(bytes: Int?) {
    #expect(listed(["a.jpg", "a.mov"], bytes: bytes) == ["a.jpg", "a.mov"])
  }
}
