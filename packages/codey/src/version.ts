// The program's version, read from its manifest when the bundle is built.
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
