import EggCommands

@main
struct EggctlMain {
  static func main() { Eggctl.runProcess() }
}
