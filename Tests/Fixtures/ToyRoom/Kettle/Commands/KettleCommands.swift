import Hub
import Store

enum KettleCommands {
  static let all = [
    RoomCommand(onData: "kettle status", summary: "Says whether there is hot water.") { hub, _ in
      let kettle = try await hub.store.read { database throws(StoreError) in try database.kettle() }
      print(kettle?.words ?? "cold since ever")
    },
    RoomCommand(onData: "kettle put-on", summary: "Puts the kettle on.") { hub, _ in
      print(try await hub.commit(as: .commandLine) { change in try KettleChange.putOn(in: change) }.words)
    },
  ]
}
