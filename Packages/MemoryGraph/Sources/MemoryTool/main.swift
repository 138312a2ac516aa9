import Glibc
import MemoryCommand

// `memorygraph`: the memory graph alone, without any of the hub's libraries.
signal(SIGPIPE, SIG_IGN)
exit(MemoryCommand.run())
