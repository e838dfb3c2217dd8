// What exactly the user agrees to, as one digest. Pure.
import type { HookDefinition } from '../config/hook.ts';
import type { SettingsFile, SettingsValues } from '../config/settings.ts';
import { digestOf } from './canonical.ts';
import type { AnyHook } from './trust.ts';

/** A covered file by name, with a text that differs when its link, target or content does. */
export type FileMarks = Readonly<Record<string, string>>;

/**
 * Digest of a hook without its files. Every field counts but where it stands: moving a hook within its file, or adding
 * another one above it, is no change. A field that hooks get one day counts without being named here.
 */
export function definitionDigest(hook: AnyHook): string {
  if (!('handler' in hook)) {
    const { id: _id, source: _source, ...rest } = hook;
    return digestOf(rest);
  }
  const { id: _id, source: _source, group: _group, matcher, condition, ...rest } = hook;
  return digestOf({ ...rest, matcher: matcher.text, if: condition?.text });
}

/** A hook and its files. `definition` is its `definitionDigest`. */
export function hookFingerprint(definition: string, files: FileMarks): string {
  return digestOf({ definition, files });
}

/**
 * The settings of a repository's file that need the user's agreement, by key as people write it. Rules that deny or ask
 * only take away and need none; neither does a switch that is off or a list that is empty.
 */
export function reviewedSettings(values: SettingsValues): Readonly<Record<string, unknown>> {
  const { permissions, ...rest } = values;
  const named = {
    ...rest,
    'permissions.allow': permissions?.allow.map(({ rule }) => rule.text),
    'permissions.mode': permissions?.mode,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => saysSomething(value)));
}

/** Digest of each setting that needs agreement; empty where none does. */
export function settingMarks(file: Pick<SettingsFile, 'values'>): FileMarks {
  return Object.fromEntries(
    Object.entries(reviewedSettings(file.values)).map(([key, value]) => [key, digestOf(value)]),
  );
}

/** `name` is the file's path as the store knows it: what was agreed to in one file says nothing about another. */
export function settingsFingerprint(name: string, marks: FileMarks): string {
  return digestOf({ settings: name, marks });
}

/** What runs, as it was written: a command line, a program with its arguments, an address or a prompt. */
export function whatRunsExactly(hook: AnyHook): string {
  if (!('handler' in hook)) return hook.command;
  return handlerText(hook.handler);
}

function handlerText(handler: HookDefinition['handler']): string {
  switch (handler.type) {
    case 'command':
    case 'worker':
      return handler.args === undefined
        ? handler.command
        : [handler.command, ...handler.args].map((word) => JSON.stringify(word)).join(' ');
    case 'http':
      return handler.url;
    case 'prompt':
    case 'agent':
      return handler.prompt;
    case 'function':
      return handler.name;
  }
}

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === false) return false;
  return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
}
