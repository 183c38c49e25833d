import Dispatch
import EggStore
import EggTestSupport
import EggTime
import Foundation

/// Ends with what is wrong with the machine or the call, not with eggd.
func fail(_ text: String) -> Never {
  FileHandle.standardError.write(Data("eggd-simulate: \(text)\n".utf8))
  exit(70)
}

@main
enum Main {
  static func main() {
    Determinism.begin()
    SimulatedDisk.interpose()
    let arguments = Arguments(Array(CommandLine.arguments.dropFirst()))
    exit(Batch(arguments).run())
  }
}

/// `--name number` and `--name`.
struct Arguments {
  private var values: [String: UInt64] = [:]

  init(_ words: [String]) {
    var name: String?
    for word in words {
      if word.hasPrefix("--") {
        name = String(word.dropFirst(2))
        values[name ?? ""] = 1
      } else if let last = name, let number = UInt64(word) {
        values[last] = number
      } else {
        fail("what is '\(word)'?")
      }
    }
  }

  func number(_ name: String, _ usual: UInt64) -> UInt64 { values[name] ?? usual }
  func has(_ name: String) -> Bool { values[name] != nil }
}
