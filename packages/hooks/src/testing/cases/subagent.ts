// Agents beside the main one live under the same hooks.
import { defineCase } from '../define-case.ts';
import { expectSame, expectThat } from '../explain.ts';
import type { ModelStandIn } from '../host.ts';
import { type Stage, textOf } from '../stage.ts';
import { allowShell, blocking } from './gate.ts';

/** The main agent starts one subagent and is done; the subagent makes one call and answers. */
function family(
  stage: Stage,
  command: string,
): { model: ModelStandIn; heard: string[]; subagents: Set<string> } {
  const heard: string[] = [];
  const subagents = new Set<string>();
  const { subagent } = stage.host;
  let started = false;
  const calledBy = new Set<string>();
  return {
    heard,
    subagents,
    model({ agent, conversation }) {
      if (agent !== 'main') {
        subagents.add(agent);
        if (calledBy.has(agent)) return { text: 'report-4711' };
        calledBy.add(agent);
        return { calls: [stage.shell(command)] };
      }
      heard.push(conversation);
      if (started || subagent === undefined) return { text: 'done' };
      started = true;
      return { calls: [{ tool: subagent.name, input: subagent.input('Look into it.') }] };
    },
  };
}

export const subagentCases = [
  defineCase({
    id: 'subagent.calls-ask',
    promise:
      'Tool calls of a subagent ask the same hooks, told by its own agent_id, and a block holds for it too.',
    cites: ['contract.gate.every-caller'],
    needs: 'subagent',
    async play(stage) {
      stage.settings({ ...allowAll(stage), hooks: { PreToolUse: [blocking(stage, 'forbidden')] } });
      const { model, subagents } = family(stage, 'touch forbidden');
      const session = await stage.open({ model });
      await session.prompt('Delegate it.');
      await stage.until(() => stage.seen('SubagentStop').length > 0, 'the subagent ends');
      expectThat(!stage.has('forbidden'), 'A call of a subagent ran, although a PreToolUse hook blocked it.');
      const asked = stage.seen('PreToolUse').filter(({ tool_name }) => tool_name === stage.host.shell.name);
      expectSame(
        asked.map(({ agent_id }) => agent_id),
        [...subagents],
        'The hooks were not asked about the subagent’s call under its own name.',
      );
    },
  }),

  defineCase({
    id: 'subagent.start-blocked',
    promise: 'A block by SubagentStart keeps the subagent from starting, and its parent gets the reason.',
    cites: ['koder.event.subagentstart-block', 'koder.event.subagentstart-before-run'],
    needs: 'subagent',
    async play(stage) {
      stage.settings({
        ...allowAll(stage),
        hooks: { SubagentStart: [{ hooks: [stage.refuses('alone-please-4712')] }] },
      });
      const { model, heard, subagents } = family(stage, 'touch done');
      const session = await stage.open({ model });
      await session.prompt('Delegate it.');
      expectSame([...subagents], [], 'The subagent made a model call, although SubagentStart was blocked.');
      expectThat(heard.at(-1)?.includes('alone-please-4712') === true, 'The parent does not get the reason.');
    },
  }),

  defineCase({
    id: 'subagent.stop-withholds',
    promise:
      'A block by SubagentStop, which is told the output, withholds it: the parent gets the reason instead.',
    cites: ['koder.event.subagentstop-block', 'koder.event.subagentstop-payload'],
    needs: 'subagent',
    async play(stage) {
      stage.settings({
        ...allowAll(stage),
        hooks: { SubagentStop: [{ hooks: [stage.refuses('incomplete-4712')] }] },
      });
      const { model, heard } = family(stage, 'touch done');
      const session = await stage.open({ model });
      await session.prompt('Delegate it.');
      await stage.until(() => stage.seen('SubagentStop').length > 0, 'the subagent ends');
      // What a subagent has to say may come with the next prompt.
      await session.prompt('What did it find?');
      expectThat(
        textOf(stage.seen('SubagentStop')[0], 'output').includes('report-4711'),
        'SubagentStop does not hold the subagent’s output.',
      );
      const last = heard.at(-1) ?? '';
      expectThat(
        !last.includes('report-4711'),
        'The parent got an output that a SubagentStop hook withheld.',
      );
      expectThat(last.includes('incomplete-4712'), 'The parent does not get the reason.');
    },
  }),
];

function allowAll(stage: Stage) {
  const { allow } = allowShell(stage).permissions;
  const { subagent } = stage.host;
  return { permissions: { allow: subagent === undefined ? allow : [...allow, subagent.name] } };
}
