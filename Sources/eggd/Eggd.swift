import EggDaemon

@main
struct Eggd {
  static func main() {}
}
