// Local servers that speak the providers' wire formats, for tests of anything that talks to a model.
export { startWireServer, type WireName, type WireServer } from './server.ts';
export type { WireAnswer } from './story.ts';
