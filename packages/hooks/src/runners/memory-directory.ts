// Where files lie in memory: making one on a disk takes six times as long, and what hooks are told need not touch a disk.

/** Linux's; elsewhere there is none. */
export const memoryDirectory = '/dev/shm';
