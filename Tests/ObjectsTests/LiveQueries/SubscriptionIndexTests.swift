import Objects
import Testing
import Wire

struct SubscriptionIndexTests {
  private func photo(_ fields: (String, JSON)...) -> StoredObject {
    StoredObject(
      className: "Photo", id: "p1", createdAt: 0, updatedAt: 0, fields: fields.map { JSON.Member($0.0, $0.1) })
  }

  @Test func `a change concerns those whose equality it meets, and those without one`() {
    var index = SubscriptionIndex<Int>()
    index.add(1, to: "Photo", equalities: [("album", QueryValue("a"))])
    index.add(2, to: "Photo", equalities: [("album", QueryValue("b"))])
    index.add(3, to: "Photo", equalities: [])
    index.add(4, to: "Song", equalities: [])
    index.add(5, to: "Photo", equalities: [("objectId", QueryValue("p1"))])
    #expect(index.candidates("Photo", [photo(("album", "a"))]) == [1, 3, 5])
    #expect(index.candidates("Photo", [photo(("album", "a")), photo(("album", "b"))]) == [1, 2, 3, 5])
    #expect(index.candidates("Film", []) == [] && index.concerns("Song") && !index.concerns("Film"))
  }

  @Test func `numbers are equal however they are written, lists by their members, pointers by what they lead to`() {
    var index = SubscriptionIndex<Int>()
    index.add(1, to: "Photo", equalities: [("n", QueryValue(2))])
    index.add(2, to: "Photo", equalities: [("by", QueryValue(StoredObject.pointer(to: "u", of: "_User")))])
    index.add(3, to: "Photo", equalities: [("n", QueryValue("2"))])
    let pointer: JSON = ["objectId": "u", "className": "_User", "__type": "Pointer"]
    #expect(index.candidates("Photo", [photo(("n", 2.0))]) == [1])
    #expect(index.candidates("Photo", [photo(("n", [1, 2.0]))]) == [1])
    #expect(index.candidates("Photo", [photo(("n", ["2"]), ("by", pointer))]) == [2, 3])
  }

  @Test func `what is removed is not found, and leaves nothing behind`() {
    var index = SubscriptionIndex<Int>()
    for id in 0..<100 { index.add(id, to: "Photo", equalities: id % 2 == 0 ? [("n", QueryValue(.int(id)))] : []) }
    index.add(0, to: "Song", equalities: [])
    #expect(!index.candidates("Photo", [photo(("n", 0))]).contains(0))
    for id in 0..<100 { index.remove(id) }
    #expect(index.count == 0 && !index.concerns("Photo") && !index.concerns("Song"))
  }
}
