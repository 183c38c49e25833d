import ArgumentParser
import EggCommands
import Glibc

/// The least that a durable command takes that ArgumentParser reads: `eggctl-skeleton FILE WORDS...` reads the words
/// with eggctl's verbs, adds 128 bytes to the file, and waits until they are on the disk.
@main
struct Skeleton {
  static func main() throws {
    let words = Array(CommandLine.arguments.dropFirst())
    guard let file = words.first else { exit(64) }
    _ = try Eggctl.parseAsRoot(Array(words.dropFirst()))
    let descriptor = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    let line = [UInt8](repeating: 0x20, count: 128)
    guard write(descriptor, line, line.count) == line.count, fdatasync(descriptor) == 0 else { exit(1) }
  }
}
