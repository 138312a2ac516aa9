import Objects
import Testing
import Wire

struct AccessTests {
  static let ada = Caller(user: "ada", roles: ["Editors"])

  @Test func `an access list grants by id, by role and to everybody`() throws {
    let list = try AccessList(["*": ["read": true], "ada": ["write": true], "role:Readers": ["write": true]])
    #expect(list.mayRead(.stranger) && !list.mayWrite(.stranger))
    #expect(list.mayWrite(Self.ada) && !list.mayWrite(Caller(user: "bob")))
    #expect(list.mayWrite(Caller(user: "bob", roles: ["Readers"])))
    #expect(!AccessList().mayRead(Self.ada) && AccessList().mayRead(.master))
    #expect(try AccessList(list.json) == list)
  }

  @Test(
    arguments: [
      "x", ["*": true], ["*": ["read": 1]], ["*": ["own": true]], ["": ["read": true]],
    ] as [JSON])
  func `an access list that means nothing is refused`(json: JSON) {
    #expect { try AccessList(json) } throws: { ($0 as? ObjectError)?.code == 123 }
  }

  /// The number of the refusal of an action; 0 where it depends on the object.
  static func refusal(_ permissions: JSON, _ action: ClassPermissions.Action, _ caller: Caller) -> Int? {
    do throws(ObjectError) {
      return try ClassPermissions(permissions).check(action, by: caller, on: "Note") == nil ? nil : 0
    } catch {
      return error.code
    }
  }

  @Test func `a class lets those do something whom it names`() {
    let permissions: JSON = [
      "find": ["*": true], "get": ["requiresAuthentication": true], "create": ["role:Editors": true],
      "update": ["pointerFields": ["author"]], "writeUserFields": ["owner"], "delete": [:],
    ]
    #expect(Self.refusal(permissions, .find, .stranger) == nil)
    #expect(Self.refusal(permissions, .get, .stranger) == 101)
    #expect(Self.refusal(permissions, .get, Self.ada) == nil)
    #expect(Self.refusal(permissions, .create, Caller(user: "bob")) == 119)
    #expect(Self.refusal(permissions, .create, Self.ada) == nil)
    #expect(Self.refusal(permissions, .update, Self.ada) == 0)
    #expect(Self.refusal(permissions, .update, .stranger) == 119)
    #expect(Self.refusal(permissions, .delete, Self.ada) == 0)
    #expect(Self.refusal(permissions, .count, Self.ada) == 119)
    #expect(Self.refusal(permissions, .count, .master) == nil)
  }

  @Test func `a pointer in the object gives rights to whom it leads`() throws {
    let permissions = try ClassPermissions(["get": ["pointerFields": ["author", "readers"]]])
    func note(_ field: String, _ value: JSON) -> StoredObject {
      StoredObject(className: "Note", id: "a", createdAt: 0, updatedAt: 0, fields: [.init(field, value)])
    }
    let toAda = StoredObject.pointer(to: "ada", of: "_User")
    try permissions.check(.get, by: Self.ada, note("author", toAda))
    try permissions.check(.get, by: Self.ada, note("readers", [toAda]))
    for other in [note("other", toAda), note("author", StoredObject.pointer(to: "ada", of: "Person"))] {
      #expect(throws: ObjectError.notFound) { try permissions.check(.get, by: Self.ada, other) }
    }
  }

  @Test func `protected fields are hidden, unless a group lets see them`() throws {
    var permissions = ClassPermissions.open
    permissions.protectedFields = ["*": ["a", "b"], "role:Editors": ["a"], "userField:owner": []]
    var note = StoredObject(className: "Note", id: "a", createdAt: 0, updatedAt: 0)
    #expect(permissions.hidden(from: .stranger, in: note) == ["a", "b"])
    #expect(permissions.hidden(from: Self.ada, in: note) == ["a"])
    #expect(permissions.hidden(from: .master, in: note) == [])
    note.set("owner", StoredObject.pointer(to: "bob", of: "_User"))
    #expect(permissions.hidden(from: Caller(user: "bob"), in: note) == [])
    #expect(permissions.hiddenFromQueries(by: Self.ada, on: "Note") == ["a"])
  }

  @Test(
    arguments: [
      ["fly": ["*": true]], ["find": ["*": 1]], ["find": true], ["find": ["a b": true]], ["readUserFields": "owner"],
    ] as [JSON])
  func `permissions that mean nothing are refused`(json: JSON) {
    #expect { try ClassPermissions(json) } throws: { ($0 as? ObjectError)?.code == 107 }
  }

  @Test func `a class is kept as it is`() throws {
    var schema = ClassSchema.new("_User")
    schema.fields["likes"] = .init(.number, isRequired: true, defaultValue: 0, rules: nil)
    schema.fields["photos"] = .init(.relation("Photo"))
    schema.permissions.grants[.find] = nil
    schema.rings = [["topic": "photos"]]
    #expect(try ClassSchema(kept: schema.json).json == schema.json)
  }
}
