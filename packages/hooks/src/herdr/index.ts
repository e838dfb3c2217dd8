// The surface of @codey/hooks/herdr: what a host loads only when it runs in a pane.
export { type CallOutcome, createHerdrCaller, type HerdrCaller } from './call.ts';
export { createPaneClaim, type PaneClaim } from './pane-claim.ts';
export { createHerdrReporter, type FollowedSession, type HerdrReporter } from './reporter.ts';
