// Takes the terminal and draws the empty screen by hand, within milliseconds of the start; the renderer draws over it.
import type { World } from '../start/world.ts';

/** Returns the way back for the case that nobody takes over. */
export function takeScreen({ stdin, stdout }: World): () => void {
  // A terminal that has not been told its size says 0.
  const columns = process.stdout.columns || 80;
  const rows = process.stdout.rows || 24;
  // Keys typed from now on wait for the composer instead of being echoed.
  stdin.setRawMode(true);
  const rule = '─'.repeat(columns);
  stdout.write(
    `\u001b[?1049h\u001b[2J\u001b[H 1 opening…\u001b[${rows - 3};1H${rule}\u001b[${rows - 1};1H${rule}\u001b[${rows - 2};2H`,
  );
  return () => {
    stdin.setRawMode(false);
    stdout.write('\u001b[?1049l\u001b[?25h');
  };
}
