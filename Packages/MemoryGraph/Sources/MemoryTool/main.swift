import CLinux
import Glibc
import MemoryCommand

// `memorygraph`: the memory graph alone, without any of the hub's libraries.
signal(SIGPIPE, SIG_IGN)
var words: [String] = []
var word = clinux_arguments()!
while let bytes = word.pointee {
  words.append(String(cString: bytes))
  word += 1
}
// The hub's command becomes this program, whose messages then use its name.
let name = words.first == "eightbells memory" ? "eightbells memory" : "memorygraph"
exit(MemoryCommand(program: name).run(Array(words.dropFirst())))
