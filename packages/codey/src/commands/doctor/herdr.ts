// Whether agents are reported to herdr from here. Nothing is started to find out.
import { access, constants } from 'node:fs/promises';
import { detectHerdr, resolveSettings } from '@codey/hooks';
import type { Check } from './finding.ts';

const variables = ['HERDR_ENV', 'HERDR_PANE_ID', 'HERDR_BIN_PATH'] as const;

export const checkHerdr: Check = async ({ loaded, world }) => {
  const { environment } = world;
  const pane = detectHerdr(environment);
  if (pane === undefined) {
    const there = variables.filter((name) => (environment[name] ?? '') !== '');
    return there.length === 0
      ? [{ about: 'herdr', state: 'ok', what: 'not in one of its panes; nothing is reported' }]
      : [
          {
            about: 'herdr',
            state: 'warning',
            what: `only ${there.join(', ')} of ${variables.join(', ')} is set as herdr sets them, so nothing is reported`,
            todo: 'start codey in a pane of herdr, not in a shell that outlived one',
          },
        ];
  }
  if (!resolveSettings(loaded, { agreed: () => false }).herdr.report)
    return [{ about: 'herdr', state: 'ok', what: `in pane ${pane.id}; herdr.report is off` }];
  try {
    await access(pane.program, constants.X_OK);
    return [{ about: 'herdr', state: 'ok', what: `agents are reported to pane ${pane.id}` }];
  } catch {
    return [
      {
        about: 'herdr',
        state: 'problem',
        what: `${pane.program} of HERDR_BIN_PATH cannot be run, so nothing can be reported`,
        todo: 'install herdr again, or unset HERDR_ENV',
      },
    ];
  }
};
