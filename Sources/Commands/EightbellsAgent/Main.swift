import Agent
import Crypto
import Glibc
import Terminal

/// The program `eightbells-agent`: a device without a screen, without the hub.
@main
struct Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    OpenSSL.staysToTheEnd()
    let words = Array(CommandLine.arguments.dropFirst())
    do throws(CommandError) {
      try AgentCommand.run(words, program: "eightbells-agent", name: "")
      try flushOutput()
    } catch {
      printError("eightbells-agent: \(error.message)")
      exit(error.exitCode)
    }
  }
}
