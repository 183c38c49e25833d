import EggTime
import LinuxIO

extension SystemClock: DelayedCalls {}
