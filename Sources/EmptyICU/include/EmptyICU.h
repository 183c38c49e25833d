/* Nothing is called here: see EmptyICU.c. */
