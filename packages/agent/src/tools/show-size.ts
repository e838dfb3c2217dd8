// Writes a number of bytes for people.

/** `12 bytes`, `1.4 kB`, `2.1 GB`; steps of 1,000. */
export function showSize(bytes: number): string {
  if (bytes < 1_000) return `${bytes} byte${bytes === 1 ? '' : 's'}`;
  const units = ['kB', 'MB', 'GB', 'TB', 'PB', 'EB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 999.95 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
