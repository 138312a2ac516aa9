import Hub
import Settings
import Terminal
import Wire

/// `eightbells app export|import`.
enum TransferCommands {
  static let all = [
    RoomCommand(
      onData: "app export", operands: ["ID"], usage: "--to DIR",
      options: [Option("to", "DIR", help: "a folder that is not there yet")],
      summary: """
        Writes all data of an app into a folder: classes and objects as NDJSON, and its files. Keys and sessions stay \
        out; the passwords of its users are in it as digests, so keep it to yourself.
        """
    ) { hub, arguments in
      guard let folder = arguments["to"], !folder.isEmpty else {
        throw CommandError(usage: "--to DIR: a folder that is not there yet is accepted.")
      }
      var export = AppExport()
      try await export.write(try AppCommands.id(arguments), of: hub, to: folder)
      print(Layout.plain("Wrote \(export.objects) \(export.objects == 1 ? "object" : "objects") to \(folder)."))
    },
    RoomCommand(
      onData: "app import", operands: ["DIR"], options: [Verb.json],
      summary: """
        Makes an app of a folder that export wrote, here or on another hub, and prints its new keys as JSON, as create \
        does. Ids, times, access lists and passwords stay.
        """
    ) { hub, arguments in
      print(try await AppImport(hub).read(arguments.words[0]).text)
    },
  ]
}
