import HubProgram

/// The program: `eightbells serve` and the commands beside it.
@main
struct Main {
  static func main() { Program(rooms: rooms).run() }
}
