// The public surface of @codey/hooks/testing: a suite that an agent runs against its own integration of the engine.
export { conformanceCases } from './cases.ts';
export type { ConformanceCase } from './define-case.ts';
export type {
  CallableTool,
  ConformanceHost,
  ConformanceSession,
  HumanStandIn,
  ModelAnswer,
  ModelCall,
  ModelStandIn,
  OpenedSession,
  OpenOptions,
  RunEnd,
  ScriptedCall,
} from './host.ts';
export { type ConformanceResult, runConformance, type RunConformanceOptions, whyNotAsked } from './run.ts';
