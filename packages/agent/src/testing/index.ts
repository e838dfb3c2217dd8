// For tests of whatever talks to a model: providers on the loopback interface that answer by a story.
export { startWireServer, type WireAnswer, type WireName, type WireServer } from './wire/index.ts';
