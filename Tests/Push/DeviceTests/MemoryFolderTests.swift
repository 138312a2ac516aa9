import Device
import Glibc
import Testing
import World

struct MemoryFolderTests {
  @Test func `what is kept in memory while the disk cannot be written is on it afterwards`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    let disk = try StateFolder(path)
    for name in ["requests", "pending"] { try disk.makeFolder(name) }
    for name in ["anchor.json", "pending/tea.json", "settings.json"] { try disk.write(name, [1]) }
    func seen(_ folder: StateFolder, _ name: String) -> [UInt8]? { folder.read(name, atMost: 10) }

    for count: UInt8 in [2, 3] {
      // The second one is that of a process that was killed.
      let memory = try StateFolder(inMemoryFor: path)
      #expect(memory.isInMemory && StateFolder.inUse(path) == memory.path && memory.path != path)
      #expect(seen(memory, "pending/tea.json") == [1] && seen(memory, "anchor.json") == [count - 1])
      #expect(try memory.take())
      #expect(throws: DeviceError.inUse(path)) { try disk.takeBack() }
      for name in ["anchor.json", "settings.json"] { try memory.write(name, [count]) }
    }
    try disk.takeBack()
    #expect(seen(disk, "anchor.json") == [3] && StateFolder.inUse(path) == path)
    #expect(seen(disk, "settings.json") == [1], "which the person may have changed meanwhile")
    try disk.takeBack()
    #expect(seen(disk, "anchor.json") == [3])
  }

  @Test func `a link in its place is not followed`() throws {
    let home = TemporaryFolder()
    let path = "\(home.path)/state"
    let others = "\(home.path)/others"
    let disk = try StateFolder(path)
    try StateFolder(others).write("letter", [1])
    let place = try StateFolder(inMemoryFor: path).path
    try disk.takeBack()
    #expect(symlink(others, place) == 0)
    defer { unlink(place) }
    try disk.takeBack()
    #expect(throws: DeviceError.self) { _ = try StateFolder(inMemoryFor: path) }
    #expect(StateFolder.inUse(path) == path && disk.read("letter", atMost: 10) == nil)
    #expect(try StateFolder(reading: others).read("letter", atMost: 10) == [1])
  }
}
