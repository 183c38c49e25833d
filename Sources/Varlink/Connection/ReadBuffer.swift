/// Where all connections of a server read into, one after the other: an idle one holds no buffer.
final class ReadBuffer {
  let bytes: UnsafeMutableRawBufferPointer

  init(count: Int) {
    bytes = .allocate(byteCount: count, alignment: 16)
  }

  deinit {
    bytes.deallocate()
  }
}
