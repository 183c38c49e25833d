/* An ICU data package without entries, in place of the 33 MB that Foundation brings.
 *
 * Foundation's locales, calendars and collations read it; eggd uses none of them. ICU finds its package by this
 * symbol, which has the number of the toolchain's ICU; `make programs` fails if it is another. The layout is that of
 * ICU's own stub, see "Data Management" in its User Guide: an offset table with no entry.
 */
#include <stdint.h>

#ifdef NDEBUG
struct package {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size, reserved_word;
  uint8_t is_big_endian, charset_family, size_of_char, reserved_byte;
  uint8_t data_format[4], format_version[4], data_version[4];
  uint8_t padding[8];
  uint32_t entries;
  uint32_t no_entry[3];
};

/* Hidden: the shared Foundation of other programs keeps its own. */
__attribute__((visibility("hidden"), aligned(16))) const struct package icudt76_dat = {
    .header_size = 32,
    .magic = {0xda, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .size_of_char = 2,
    .data_format = {'T', 'o', 'C', 'P'},
    .format_version = {1, 0, 0, 0},
};
#endif
