// Local servers that speak the providers' wire formats, for tests of anything that talks to a model.
export { startWireServer, type WireName, type WireRequest, type WireServer } from './server.ts';
export type { WireAnswer, WireCall, WireTurn } from './story.ts';
