// Turns the text of a script file into the answers of the scripted model, or into a list of what is wrong with it.
import type { Document, LineCounter, Node } from 'yaml';
import type { Usage } from './model.ts';
import { isObject, suggest } from '@codey/hooks';

/** One answer of the scripted model. */
export interface ScriptEntry {
  readonly text: string;
  readonly calls: readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
  /** The provider fails with this sentence, after the text if there is any. */
  readonly error?: string;
  /** Waited before anything is streamed. */
  readonly delayMs: number;
  readonly usage: Usage;
}

export interface Script {
  readonly main: readonly ScriptEntry[];
  /** By the type or the name of a subagent or teammate. */
  readonly agents: ReadonlyMap<string, readonly ScriptEntry[]>;
}

export type ParsedScript =
  | { readonly kind: 'script'; readonly script: Script }
  /** Every problem of the file, each `file:line:column  what  (hint)`. */
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** A step into the file: keys and indexes from the top. */
type Place = readonly (string | number)[];

interface Finding {
  readonly place: Place;
  readonly message: string;
  readonly hint?: string;
  /** Point at the key itself, not at its value. */
  readonly atKey?: boolean;
}

/**
 * Reads YAML or JSON. A JSON file that is right never loads the YAML package; a wrong one does, because JSON is YAML
 * as far as places in the text are concerned.
 */
export async function parseScript(path: string, text: string): Promise<ParsedScript> {
  const json = parseJson(text);
  if (json !== undefined) {
    const checked = checkScript(json);
    if (checked.kind === 'script') return checked;
  }
  const yaml = await import('./yaml.ts');
  const lines = new yaml.LineCounter();
  const document = yaml.readDocument(text, lines);
  if (document.errors.length > 0) {
    return {
      kind: 'problems',
      problems: document.errors.map((error) => `${position(path, lines, error.pos[0])}  ${error.message}`),
    };
  }
  const plain = yaml.plainValue(document);
  if (!plain.ok)
    return { kind: 'problems', problems: [`${position(path, lines, 0)}  this script ${plain.message}`] };
  const checked = checkScript(plain.value);
  if (checked.kind === 'script') return checked;
  return {
    kind: 'problems',
    problems: checked.findings.map((finding) => {
      const at = position(path, lines, offsetOf(document, finding));
      return `${at}  ${finding.message}${finding.hint === undefined ? '' : `  (${finding.hint})`}`;
    }),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function position(path: string, lines: LineCounter, offset: number): string {
  const { line, col } = lines.linePos(offset);
  return `${path}:${line}:${col}`;
}

/** Where a finding is in the text; the nearest enclosing place when its own has none. */
function offsetOf(document: Document, finding: Finding): number {
  for (let depth = finding.place.length; depth >= 0; depth--) {
    const place = finding.place.slice(0, depth);
    const node = document.getIn(place, true) as Node | null | undefined;
    const wantsKey = finding.atKey === true && depth === finding.place.length;
    const offset = wantsKey || node?.range == null ? keyOffset(document, place) : node.range[0];
    if (offset !== undefined) return offset;
  }
  return 0;
}

function keyOffset(document: Document, place: Place): number | undefined {
  const parent = document.getIn(place.slice(0, -1), true) as { items?: unknown[] } | null | undefined;
  for (const item of parent?.items ?? []) {
    const key = (item as { key?: { value?: unknown; range?: readonly number[] } }).key;
    if (key?.value === place.at(-1)) return key?.range?.[0];
  }
  return undefined;
}

type Checked =
  | { readonly kind: 'script'; readonly script: Script }
  | { readonly kind: 'findings'; readonly findings: readonly Finding[] };

const topKeys = ['main', 'agents'];
const entryKeys = ['text', 'calls', 'error', 'delay_ms', 'usage'];
const callKeys = ['tool', 'input'];
const usageKeys = ['input', 'output'];

/** Checks everything before it gives up, so that a file is put right in one go. */
function checkScript(value: unknown): Checked {
  const findings: Finding[] = [];
  const script = Array.isArray(value)
    ? { main: checkEntries(value, [], findings), agents: new Map<string, readonly ScriptEntry[]>() }
    : checkTop(value, findings);
  return findings.length === 0 ? { kind: 'script', script } : { kind: 'findings', findings };
}

function checkTop(value: unknown, findings: Finding[]): Script {
  const agents = new Map<string, readonly ScriptEntry[]>();
  if (!isObject(value)) {
    findings.push({
      place: [],
      message: `a script is a list of answers or a map with main and agents, not ${kindOf(value)}`,
      hint: 'the smallest script is "- text: hello"',
    });
    return { main: [], agents };
  }
  checkKeys(value, topKeys, [], findings);
  if (isObject(value.agents)) {
    for (const [name, entries] of Object.entries(value.agents)) {
      agents.set(name, checkEntries(entries, ['agents', name], findings));
    }
  } else if (value.agents != null) {
    findings.push({
      place: ['agents'],
      message: `agents must map names to lists of answers, not ${kindOf(value.agents)}`,
    });
  }
  return { main: checkEntries(value.main, ['main'], findings), agents };
}

function checkEntries(value: unknown, place: Place, findings: Finding[]): ScriptEntry[] {
  if (value == null) return [];
  if (!Array.isArray(value)) {
    const [key, agent] = place;
    const name = agent === undefined ? String(key) : `the agent ${JSON.stringify(agent)}`;
    findings.push({
      place,
      message: `${name} must be a list of answers, not ${kindOf(value)}`,
      hint: 'put "- " before each answer',
    });
    return [];
  }
  return value.map((entry, index) => checkEntry(entry, [...place, index], findings));
}

function checkEntry(value: unknown, place: Place, findings: Finding[]): ScriptEntry {
  const nothing: ScriptEntry = { text: '', calls: [], delayMs: 0, usage: { input: 0, output: 0 } };
  if (!isObject(value)) {
    findings.push({
      place,
      message: `an answer must be a map with ${entryKeys.join(', ')}, not ${kindOf(value)}`,
      hint: 'did you mean "- text: …"?',
    });
    return nothing;
  }
  checkKeys(value, entryKeys, place, findings);
  const error = value.error == null ? undefined : checkText(value.error, [...place, 'error'], findings);
  return {
    text: value.text == null ? '' : checkText(value.text, [...place, 'text'], findings),
    calls: checkCalls(value.calls, [...place, 'calls'], findings),
    delayMs: checkCount(value.delay_ms, [...place, 'delay_ms'], findings),
    usage: checkUsage(value.usage, [...place, 'usage'], findings),
    ...(error === undefined ? {} : { error }),
  };
}

function checkCalls(value: unknown, place: Place, findings: Finding[]): ScriptEntry['calls'] {
  if (value == null) return [];
  if (!Array.isArray(value)) {
    findings.push({
      place,
      message: `calls must be a list, not ${kindOf(value)}`,
      hint: 'put "- " before each "tool:"',
    });
    return [];
  }
  return value.map((call: unknown, index) => checkCall(call, [...place, index], findings));
}

function checkCall(value: unknown, place: Place, findings: Finding[]): ScriptEntry['calls'][number] {
  if (!isObject(value)) {
    findings.push({ place, message: `a call must be a map with tool and input, not ${kindOf(value)}` });
    return { tool: '', input: {} };
  }
  checkKeys(value, callKeys, place, findings);
  if (value.tool == null || value.tool === '') {
    findings.push({
      place,
      message: 'the call does not say which tool',
      hint: 'add "tool: run_shell" or another tool',
    });
  }
  if (value.input != null && !isObject(value.input)) {
    findings.push({
      place: [...place, 'input'],
      message: `input must be a map of arguments, not ${kindOf(value.input)}`,
    });
  }
  return {
    tool: value.tool == null ? '' : checkText(value.tool, [...place, 'tool'], findings),
    input: isObject(value.input) ? value.input : {},
  };
}

function checkUsage(value: unknown, place: Place, findings: Finding[]): Usage {
  if (value == null) return { input: 0, output: 0 };
  if (!isObject(value)) {
    findings.push({ place, message: `usage must be a map with input and output, not ${kindOf(value)}` });
    return { input: 0, output: 0 };
  }
  checkKeys(value, usageKeys, place, findings);
  return {
    input: checkCount(value.input, [...place, 'input'], findings),
    output: checkCount(value.output, [...place, 'output'], findings),
  };
}

function checkText(value: unknown, place: Place, findings: Finding[]): string {
  if (typeof value === 'string') return value;
  findings.push({
    place,
    message: `${String(place.at(-1))} must be text, not ${kindOf(value)}`,
    hint: 'put it in quotes',
  });
  return '';
}

function checkCount(value: unknown, place: Place, findings: Finding[]): number {
  if (value == null) return 0;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  const got = typeof value === 'number' ? String(value) : kindOf(value);
  findings.push({ place, message: `${String(place.at(-1))} must be a whole number from 0, not ${got}` });
  return 0;
}

function checkKeys(value: object, known: readonly string[], place: Place, findings: Finding[]): void {
  for (const key of Object.keys(value)) {
    if (known.includes(key)) continue;
    const meant = suggest(key, known);
    findings.push({
      place: [...place, key],
      atKey: true,
      message: `unknown key ${JSON.stringify(key)}`,
      hint: meant === undefined ? `known here: ${known.join(', ')}` : `did you mean ${meant}?`,
    });
  }
}

function kindOf(value: unknown): string {
  if (value == null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return 'text';
  return `a ${typeof value}`;
}
