// `/peers`: a team of agents that outlives a session, used in the main agent's name.
import type { Answer, Mail, MainTeams, MemberStatus } from '@codey/agent';
import type { Command, CommandContext } from './command.ts';
import type { LiveList } from './live-list.ts';
import { sayingCreate, sayNoList } from './no-team.ts';
import { saySpawned } from './spawned.ts';
import { table } from './table.ts';
import { runTasks } from './tasks.ts';

type Said = Pick<CommandContext, 'say' | 'reply' | 'showList'>;

interface Verb {
  /** How it is written, behind the command. */
  readonly usage: string;
  readonly does: string;
  /** `false` where the words are not those it needs. */
  run(teams: MainTeams, words: string, said: Said): Promise<boolean>;
}

const verbs: Readonly<Record<string, Verb>> = {
  create: {
    usage: 'create <team>',
    does: 'makes a team, or opens one that is there',
    async run(teams, team, { say }) {
      if (team === '') return false;
      tell(
        await teams.create(team),
        (lead) => say('plain', `The team ${team} is open; you are ${lead} in it.`),
        say,
      );
      return true;
    },
  },
  spawn: {
    usage: 'spawn <name> <kind> <prompt>',
    does: 'starts a member',
    async run(teams, words, { say }) {
      const [, name, type, prompt] = /^(\S+)\s+(\S+)\s+(.+)$/s.exec(words) ?? [];
      if (name === undefined || type === undefined || prompt === undefined) return false;
      saySpawned(await teams.spawn({ name, type, prompt }), say);
      return true;
    },
  },
  send: {
    usage: 'send <member>|* <message>',
    does: 'writes to one member or to all',
    async run(teams, words, { say }) {
      const [, to, text] = /^(\S+)\s+(.+)$/s.exec(words) ?? [];
      if (to === undefined || text === undefined) return false;
      tell(await teams.send({ to, text }), (names) => say('plain', `Sent to ${names.join(', ')}.`), say);
      return true;
    },
  },
  inbox: {
    usage: 'inbox',
    does: 'mail that the main agent has not read',
    async run(teams, words, said) {
      if (words !== '') return false;
      showMail('Inbox', await teams.inbox(), said);
      return true;
    },
  },
  history: {
    usage: 'history',
    does: 'all mail of the team',
    async run(teams, words, said) {
      if (words !== '') return false;
      showMail('Mail', await teams.history(), said);
      return true;
    },
  },
  tasks: {
    usage: 'tasks …',
    does: 'the same as /tasks',
    async run(teams, words, said) {
      await runTasks(teams, words, said);
      return true;
    },
  },
  shutdown: {
    usage: 'shutdown [member]',
    does: 'ends one member of this session or all; mail and tasks stay',
    async run(teams, member, { say }) {
      if (/\s/.test(member)) return false;
      const ended = (names: readonly string[]): string =>
        names.length === 0 ? 'No member was alive.' : `Ended: ${names.join(', ')}.`;
      tell(
        await teams.shutdown(member === '' ? undefined : member),
        (names) => say('plain', ended(names)),
        say,
      );
      return true;
    },
  },
  cleanup: {
    usage: 'cleanup [team]',
    does: 'removes a team none of whose members is alive, with its mail and tasks',
    async run(teams, named, { say }) {
      if (/\s/.test(named)) return false;
      tell(
        await teams.cleanup(named === '' ? undefined : named),
        (team) => say('plain', `The team ${team} is removed.`),
        say,
      );
      return true;
    },
  },
};

export const peers: Command = {
  name: 'peers',
  summary: 'a team of agents: members, mail, tasks',
  argument: `[${Object.keys(verbs).join('|')}]`,
  complete: () =>
    Object.entries(verbs).map(([name, { usage, does }]) => ({
      value: `${name} `,
      label: usage,
      detail: does,
    })),
  async run(context, argument) {
    const { session, say } = context;
    if (session === undefined) return say('plain', 'The session is not open.');
    const { teams } = session.agents;
    if (argument === '') return context.showList(listMembers(teams));
    const [, name = '', words = ''] = /^(\S+)\s*(.*)$/s.exec(argument) ?? [];
    const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
    if (verb === undefined)
      return say('error', `There is no /peers ${name}. There are ${Object.keys(verbs).join(', ')}.`);
    const said =
      name === 'create' || name === 'tasks' ? context : { ...context, say: sayingCreate(say, teams) };
    if (!(await verb.run(teams, words.trim(), said))) say('error', `Write /peers ${verb.usage}.`);
  },
};

function listMembers(teams: MainTeams): LiveList {
  return {
    title: () => `Team ${teams.open().at(-1) ?? ''}`.trimEnd(),
    async read() {
      const answer = await teams.members();
      if (answer.kind === 'refused') return sayNoList(answer.reason, teams);
      const rows = answer.value.map(
        ({ name, role, alive, unread }) =>
          [name, `${alive ? `alive${roleWords[role]}` : 'gone'}, ${unread} unread`] as const,
      );
      return { kind: 'rows', rows };
    },
  };
}

const roleWords: Readonly<Record<MemberStatus['role'], string>> = {
  self: ', leads this session',
  lead: ', leads another session',
  member: '',
};

function showMail(title: string, answer: Answer<readonly Mail[]>, { say, reply }: Said): void {
  if (answer.kind === 'refused') say('error', answer.reason);
  else if (answer.value.length === 0) say('plain', 'There is no mail.');
  else
    reply(
      title,
      table(
        answer.value.map(({ time, from, to, text }) => [
          `${time.slice(0, 16).replace('T', ' ')} ${from} → ${to}`,
          text,
        ]),
      ),
    );
}

function tell<Value>(answer: Answer<Value>, done: (value: Value) => void, say: CommandContext['say']): void {
  if (answer.kind === 'done') done(answer.value);
  else say('error', answer.reason);
}
