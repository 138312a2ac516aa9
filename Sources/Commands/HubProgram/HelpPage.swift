import Hub
import Terminal

/// `eightbells --help`: the hub's own commands, then those of each room.
package enum HelpPage {
  /// The hub's own commands.
  package static let names = [
    "serve", "doctor", "health", "link", "people", "token", "store", "backup", "restore", "agent", "memory", "help",
    "version",
  ]

  private static let own = """
    Eightbells keeps the watch while your phone sleeps.

      eightbells serve [--data DIR] [--listen HOST:PORT] [--demo]
          runs the hub
      eightbells doctor [--data DIR]
          says what is wrong with a set-up, and how to mend it
      eightbells health [--hub URL]
          asks a running hub whether it is well, for containers and monitors
      eightbells link --data DIR --role ROLE [--name NAME]
          makes a one-time link that signs somebody in, also while the hub runs
      eightbells people list --data DIR
          lists who belongs to the hub
      eightbells token create --data DIR --name NAME --role ROLE
          makes a token and prints it, also while the hub runs
      eightbells token list --data DIR
          lists the tokens, with their last use
      eightbells store verify|migrate --data DIR
          checks every row and every blob; brings the tables up to date
      eightbells store move --from DIR --to postgres://…
          moves the records to a PostgreSQL server, or back
      eightbells backup FILE --data DIR
          writes all that the hub keeps into one file, also while it runs
      eightbells restore FILE --data DIR
          puts a backup into a new or empty folder
      eightbells agent --hub URL --token SECRET [--json] [--exec CMD]
          makes this machine a device that a hub can ring
      eightbells --version
    """

  private static let last = """
    For developers: eightbells memory finds leaks in running Swift programs.

    Each command says more with --help, and so does eightbells help COMMAND.
    """

  static func text(_ rooms: RoomList) -> String {
    let groups = rooms.plans.filter { !$0.commands.isEmpty }.map { plan in
      let rows = plan.commands.map { command in
        ((["eightbells", command.verb.name] + command.verb.operands).joined(separator: " "), command.verb.summary)
      }
      return Layout.wrapped("\(plan.name): \(plan.summary)") + "\n" + Layout.rows(rows)
    }
    return ([own] + groups + [last]).joined(separator: "\n\n")
  }
}
