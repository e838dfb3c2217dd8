// How much of a hook's output is read as its answer.

/** Bytes; what comes after them is read and thrown away. */
export const outputCap = 1024 * 1024;
