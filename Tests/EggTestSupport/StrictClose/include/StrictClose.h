/* Nothing to call: a program that links StrictClose.c closes by it. */
