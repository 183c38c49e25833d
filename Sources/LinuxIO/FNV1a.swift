/// FNV-1a (draft-eastlake-fnv): tells texts apart that nobody chose to be alike.
package enum FNV1a {
  package static func hash64(_ bytes: [UInt8]) -> UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }

  package static func hash128(_ bytes: [UInt8]) -> UInt128 {
    bytes.reduce(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d) { ($0 ^ UInt128($1)) &* (1 << 88 | 0x13b) }
  }
}
