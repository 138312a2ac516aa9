import Device
import EventLoop
import Glibc
import Lifecycle
import Observe
import Settings
public import Terminal
import WebSocketClient

/// `eightbells agent`, and the program `eightbells-agent`, which is the same without the hub.
public enum AgentCommand {
  /// All of its verbs; the parameters are those of `run`.
  package static func verbs(program: String, name: String) -> [Verb] {
    [AgentOptions.verb(program: program, name: name)] + AgentKeys.verbs(program, name)
      + AnchorVerbs.verbs(program, name)
  }

  /// Runs until the agent is ended.
  /// - Parameters:
  ///   - program: the program's name in messages.
  ///   - name: the command's; empty for the program that is nothing else.
  /// - Returns: never in good order: the process ends with the agent's exit status.
  public static func run(_ words: [String], program: String, name: String) throws(CommandError) {
    if words.first == AgentKeys.word {
      return try AgentKeys.run(Array(words.dropFirst()), program: program, name: name)
    }
    if words.first == AnchorVerbs.word {
      return try AnchorVerbs.run(Array(words.dropFirst()), program: program, name: name)
    }
    let verb = AgentOptions.verb(program: program, name: name)
    let arguments = try verb.parse(words, note: AgentOptions.note)
    if arguments.has("version") { return print("\(program) \(productVersion)") }
    if arguments.has("last-words") {
      return try lastWords(of: AgentOptions.stateForLastWords(arguments, verb))
    }
    let options = try AgentOptions(arguments, verb)
    keepNoLargeBlocks()
    SignalWatcher.block(Agent.signals)
    if let home = options.home, !home.address.isSecure, !home.address.isLoopback {
      printError(
        "\(program): warning: \(home.hub) is not encrypted: whoever is on the way can read the secret and all "
          + "notifications; https:// is for everything but this machine.")
    }
    let loop = EventLoop(time: SystemTime())
    let agent: Agent
    do throws(DeviceError) {
      agent = try self.agent(options, loop)
    } catch {
      throw CommandError(error.message)
    }
    agent.start()
    loop.run()
    guard let failure = agent.failure else { return }
    throw failure
  }

  /// The agent in its folder. A card that cannot be written keeps no anchor from being watched: its agent is in memory.
  private static func agent(_ options: AgentOptions, _ loop: EventLoop) throws(DeviceError) -> Agent {
    do throws(DeviceError) {
      return try Agent(options, StateFolder(options.state), loop: loop)
    } catch {
      guard options.anchor != nil, error.isOfDisk, let memory = try? StateFolder(inMemoryFor: options.state) else {
        throw error
      }
      let agent = try Agent(options, memory, loop: loop)
      let reason = "\(error.message) The watch goes on; what it keeps is lost when the machine is switched off."
      agent.flight.note("state in memory: \(error.message)")
      agent.log.error("the state is kept in memory alone", ["reason": reason])
      return agent
    }
  }

  private static func lastWords(of path: String) throws(CommandError) {
    let path = StateFolder.inUse(path)
    guard access(path, F_OK) == 0 else {
      throw CommandError("\(path) is not there; --state DIR names an agent's folder.")
    }
    do throws(DeviceError) {
      let folder = try StateFolder(reading: path)
      guard let lines = FlightRecorder.lines(in: folder), let last = lines.last else {
        throw DeviceError("\(path) has no flight recorder: no agent has run there.")
      }
      let anchor = FlightRecorder.lines(in: folder, name: FlightRecorder.anchorName) ?? []
      // Each begins with its time.
      for line in anchor.isEmpty ? lines : (lines + anchor).sorted(by: { $0.prefix(24) < $1.prefix(24) }) {
        print(Layout.plain(line))
      }
      if try !folder.take() {
        print("The agent is running.")
      } else if last.dropFirst(25).hasPrefix("end ") {
        print("The agent has ended in good order.")
      } else {
        print("The agent ended without a word: it was killed, it failed, or the machine went off.")
      }
    } catch {
      throw CommandError(error.message)
    }
  }
}
