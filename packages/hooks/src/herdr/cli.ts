// How herdr's command line wants to be spoken to. Pure: arguments out, sentences about its answers in.
import type { ProcessResult } from '../runners/process.ts';
import { messageOf, type PaneReport } from './reduce.ts';

/** Who reports, in herdr's words. Names beginning with `herdr:` and labels of agents it knows mean other rules. */
const source = 'custom:codey';
const agent = 'codey';

/** What herdr shows beside the state and keeps apart from it. */
export interface PaneMetadata {
  /** The session under `tokens.session`; absent takes it away. */
  readonly session?: string;
  /** What is waited for, beside the word `blocked`; absent takes it away. */
  readonly blockedLabel?: string;
}

/** Characters herdr keeps of a label. */
const labelLength = 80;
/** Enough for a reason; herdr sets no limit, but an argument has one. */
const messageLength = 500;

export function reportArguments(pane: string, report: PaneReport, sequence: number): readonly string[] {
  const message = messageOf(report);
  return [
    ...begin('report-agent', pane),
    '--state',
    report.state,
    ...(message === '' ? [] : ['--message', asValue(clip(message, messageLength))]),
    ...counted(sequence),
    '--agent-session-id',
    report.session,
  ];
}

export function releaseArguments(pane: string, sequence: number): readonly string[] {
  return [...begin('release-agent', pane), ...counted(sequence)];
}

export function metadataArguments(pane: string, metadata: PaneMetadata, sequence: number): readonly string[] {
  const { session, blockedLabel } = metadata;
  return [
    ...begin('report-metadata', pane),
    ...(blockedLabel === undefined
      ? ['--clear-state-labels']
      : ['--state-label', `blocked=${clip(blockedLabel, labelLength)}`]),
    ...(session === undefined ? ['--clear-token', 'session'] : ['--token', `session=${session}`]),
    ...counted(sequence),
  ];
}

/** The pane stands first: herdr takes the first argument for it, whatever it is. */
function begin(verb: 'report-agent' | 'release-agent' | 'report-metadata', pane: string): readonly string[] {
  return ['pane', verb, pane, '--source', source, '--agent', agent];
}

/** On every call: of a source that has counted once, herdr drops whatever comes without a number. */
function counted(sequence: number): readonly string[] {
  return ['--seq', String(sequence)];
}

export function metadataOf(report: PaneReport): PaneMetadata {
  const message = messageOf(report);
  return { session: report.session, ...(message !== '' && { blockedLabel: message }) };
}

export function sameMetadata(one: PaneMetadata, other: PaneMetadata | undefined): boolean {
  return other !== undefined && one.session === other.session && one.blockedLabel === other.blockedLabel;
}

/**
 * Why a call did not do what it should, undefined if it may have. Exit 0 is no proof: herdr answers the same for what it
 * ignores.
 */
export function explainCall({ end, stderr }: Pick<ProcessResult, 'end' | 'stderr'>): string | undefined {
  switch (end.kind) {
    case 'exited':
      return end.code === 0 ? undefined : (sentenceIn(stderr) ?? `herdr ended with exit code ${end.code}`);
    case 'signalled':
      return `herdr was ended by ${end.signal}`;
    case 'timed-out':
      return `herdr did not answer within ${end.afterMs / 1000} s`;
    case 'cancelled':
      return 'herdr had not answered when codey was left';
    case 'failed':
      return end.message;
    case 'answered':
      return undefined;
  }
}

/** An answer of herdr's server is one JSON line, a complaint of its command line is plain text. */
function sentenceIn(stderr: string): string | undefined {
  const [line = ''] = stderr.trim().split('\n');
  try {
    const { error } = JSON.parse(line) as { error?: { code?: unknown; message?: unknown } };
    const parts = [error?.code, error?.message].filter((part) => typeof part === 'string');
    if (parts.length > 0) return clip(parts.join(': '), messageLength);
  } catch {
    // Not JSON: the line itself is the sentence.
  }
  return line === '' ? undefined : clip(line, messageLength);
}

/**
 * herdr takes `--session=x`, `--remote …` and the like out of its arguments wherever they stand, values included; a space
 * in front makes it a value again.
 */
function asValue(text: string): string {
  return text.startsWith('-') ? ` ${text}` : text;
}

function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}
