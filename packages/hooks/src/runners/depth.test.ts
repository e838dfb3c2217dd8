import { describe, expect, it } from 'vitest';
import { type Ancestry, ancestry } from './depth.ts';
import { createProc, type Proc } from './proc.ts';
import { createProcessHost } from './process.ts';

/** Parents from the nearest on; null is one that may not be looked at. */
function family(...environments: (Record<string, string> | null)[]): Proc {
  return {
    ...createProc('darwin'),
    environment(pid) {
      const environment = environments[pid - 100];
      return environment ? (name) => environment[name] : null;
    },
    parent: (pid) => (pid - 100 < environments.length ? pid + 1 : null),
  };
}

function look(environment: Record<string, string>, ...parents: (Record<string, string> | null)[]) {
  return ancestry({ environment, parentPid: 100, proc: family(...parents) });
}

describe('ancestry', () => {
  it('is nothing where a person started the program', () => {
    expect(look({ HOME: '/' }, { HOME: '/' })).toEqual({ depth: 0, insideSession: false });
  });

  it('takes the larger depth of environment and parents [contract.depth.bounded]', () => {
    expect(look({ CODEY_HOOK_DEPTH: '2' }, { CODEY_HOOK_DEPTH: '1' }).depth).toBe(2);
    expect(look({}, {}, { CODEY_HOOK_DEPTH: '3' }).depth).toBe(3);
  });

  it.each(['', '-1', '1e9', 'many', '99999'])('is not misled by a depth of “%s”', (text) => {
    expect(look({ CODEY_HOOK_DEPTH: text }, { CODEY_HOOK_DEPTH: '1' }).depth).toBe(1);
  });

  it('sees a session above a child that cleared its environment [contract.trust.agent-cannot]', () => {
    expect(look({}, null, { CODEY_SESSION_MARKER: 's1' })).toEqual({ depth: 0, insideSession: true });
  });

  it('sees the host itself above a child that replaced its shell and cleared its environment [contract.trust.agent-cannot]', () => {
    const proc: Proc = {
      ...family({}, {}),
      commandLine: (pid) => (pid === 101 ? ['node', '/opt/agent.js', '-p', 'x'] : ['sh', './go.sh']),
    };
    const isHost = (commandLine: readonly string[]) => commandLine[1] === '/opt/agent.js';
    expect(ancestry({ environment: {}, parentPid: 100, proc, isHost }).insideSession).toBe(true);
    expect(ancestry({ environment: {}, parentPid: 100, proc }).insideSession).toBe(false);
  });

  it('names the pane of the nearest session', () => {
    const parents = [{ CODEY_SESSION_PANE: 'w1:p2' }, { CODEY_SESSION_PANE: 'w1:p1' }];
    expect(look({}, ...parents).herdrPane).toBe('w1:p2');
  });

  it('ends where parents name each other', () => {
    const proc = { ...createProc('darwin'), parent: (pid: number) => (pid === 100 ? 101 : 100) };
    expect(ancestry({ environment: {}, parentPid: 100, proc }).depth).toBe(0);
  });

  it.runIf(process.platform === 'linux')('reads what a real parent was started with', async () => {
    const seen: Ancestry[] = [];
    const proc = createProc();
    let parentPid = 0;
    await createProcessHost().run({
      argv: ['/bin/sh', '-c', 'echo ready; sleep 0.2'],
      cwd: '/',
      environment: { PATH: '/usr/bin:/bin', CODEY_HOOK_DEPTH: '1', CODEY_SESSION_MARKER: 's1' },
      input: '',
      deadlineMs: 60_000,
      marker: { name: 'M', value: 'm' },
      outputCap: 10,
      onStart: (pid) => {
        parentPid = pid;
      },
      onOutput: () => void seen.push(ancestry({ environment: {}, parentPid, proc })),
    });
    expect(seen).toEqual([{ depth: 1, insideSession: true }]);
  });
});
