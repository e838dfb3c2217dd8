// Every case of the suite, from the gate outwards.
import { backgroundCases } from './cases/background.ts';
import { gateCases } from './cases/gate.ts';
import { interruptCases } from './cases/interrupt.ts';
import { lifecycleCases } from './cases/lifecycle.ts';
import { permissionCases } from './cases/permission.ts';
import { promptCases } from './cases/prompt.ts';
import { resultCases } from './cases/result.ts';
import { rewriteCases } from './cases/rewrite.ts';
import { sessionCases } from './cases/session.ts';
import { stopCases } from './cases/stop.ts';
import { subagentCases } from './cases/subagent.ts';
import type { ConformanceCase } from './define-case.ts';

/** Every case of the suite. */
export const conformanceCases: readonly ConformanceCase[] = [
  ...gateCases,
  ...rewriteCases,
  ...resultCases,
  ...permissionCases,
  ...promptCases,
  ...stopCases,
  ...sessionCases,
  ...lifecycleCases,
  ...interruptCases,
  ...backgroundCases,
  ...subagentCases,
];
