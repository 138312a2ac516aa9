/// Readable values of one live object: texts, numbers and pictures, of all sizes.
final class Logbook {
  var ship = "Aurora"
  var captain = "Grace Hopper, rear admiral"
  var motto = String(repeating: "Per aspera ad astra. ", count: 20)
  var nobody: String?
  var mate: String? = "Ada"
  var umlaut = "Größe"
  var crew = 7
  var depth: Int8 = -5
  var year: UInt16 = 65535
  var draught = 2.5
  var speed: Float = 6.25
  var isAfloat = true
  var isAground: Bool?
  var port: Int? = 42
  var none: Int32?
  var picture: [UInt8] = []
  var ports = [3: "Bremen", 5: "Oslo"]
  var legs: [Leg] = [Leg(miles: 12, to: "Kiel"), Leg(miles: 30, to: "Malmö")]
  var watches: [String: Entry] = [:]

  struct Leg {
    var miles: Int
    var to: String
  }
}

nonisolated(unsafe) var logbook: Logbook?

@inline(never) func makeLogbook() {
  let book = Logbook()
  // The smallest PNG: one pixel. Appended, since an array literal would be in the program, not in the heap.
  book.picture += [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6,
    0, 0, 0, 0x1F, 0x15, 0xC4, 0x89, 0, 0, 0, 13, 0x49, 0x44, 0x41, 0x54, 0x78, 0xDA, 0x63, 0x64, 0xF8, 0xCF, 0x50,
    0x0F, 0, 3, 0x86, 1, 0x80, 0x5A, 0x34, 0x7D, 0x6B, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]
  book.watches = ["dog watch": Entry()]
  live(book, "Logbook")
  live(book.watches["dog watch"]!, "Entry")
  logbook = book
}
