import { isObject } from '@codey/hooks';
// What stands in settings about one MCP server, turned into something that can be started or reached.

export interface McpServerDefinition {
  /** As the user wrote it. */
  readonly name: string;
  readonly transport: StdioTransport | HttpTransport;
  /** Seconds a server has to be ready. */
  readonly startTimeout: number;
  /** Seconds one call may take; forms that wait for the user do not count. */
  readonly callTimeout: number;
  /** Which of its tools the agent gets, by name with `*`; all where nothing is said. */
  readonly tools?: readonly string[];
  /** Whether it is told in which directories the session works; some take those in place of their own arguments. */
  readonly roots: boolean;
  /** `settings.json`, or the plugin it comes with: for messages. */
  readonly place: string;
  /** Supplied by the repository: it does not get the variables that are kept from its hooks. */
  readonly fromRepository: boolean;
}

export interface StdioTransport {
  readonly kind: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface HttpTransport {
  readonly kind: 'http';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ParsedDefinition =
  | { readonly kind: 'server'; readonly server: McpServerDefinition }
  /** Kept in the settings and not started. */
  | { readonly kind: 'disabled'; readonly name: string }
  /** `message` says what is wrong and what would be right. */
  | { readonly kind: 'problem'; readonly name: string; readonly message: string };

export interface DefinitionOrigin {
  readonly place: string;
  readonly fromRepository: boolean;
  /** Values for `${NAME}` in arguments, variables, headers and addresses. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const defaultStartTimeout = 30;
/** Ten minutes: builds and searches behind a tool take long, and the user can interrupt. */
const defaultCallTimeout = 600;
const longestTimeout = 24 * 60 * 60;

/** Pure. Reads the shape that other agents use too, so that a definition can be copied from a server's own manual. */
export function parseDefinition(name: string, value: unknown, origin: DefinitionOrigin): ParsedDefinition {
  const problem = (message: string): ParsedDefinition => ({ kind: 'problem', name, message });
  if (!isObject(value)) return problem('it must be an object with "command" or "url"');
  if (name.trim() === '' || /[\p{Cc}/]/u.test(name))
    return problem('its name may hold neither a slash nor a control character');
  if (value.disabled === true) return { kind: 'disabled', name };
  const missing = new Set<string>();
  const expand = (text: string): string => expandVariables(text, origin.environment, missing);
  const transport = parseTransport(value, expand);
  if (typeof transport === 'string') return problem(transport);
  if (missing.size > 0)
    return problem(
      `it names variables that are not set: ${[...missing].join(', ')}; set them or take them out`,
    );
  const times = parseTimes(value);
  if (typeof times === 'string') return problem(times);
  const { tools, roots = true } = value;
  if (tools !== undefined && !isTexts(tools)) return problem('"tools" must be a list of tool names');
  if (typeof roots !== 'boolean') return problem('"roots" must be true or false');
  const { place, fromRepository } = origin;
  return {
    kind: 'server',
    server: {
      name,
      transport,
      ...times,
      ...(tools !== undefined && { tools }),
      roots,
      place,
      fromRepository,
    },
  };
}

function parseTransport(
  value: Readonly<Record<string, unknown>>,
  expand: (text: string) => string,
): StdioTransport | HttpTransport | string {
  const { command, args = [], env = {}, url, headers = {}, type } = value;
  if (command !== undefined && url !== undefined)
    return 'it has both "command" and "url"; a server is either started or reached';
  if (type === 'sse')
    return 'it is of type "sse", which newer servers no longer speak; give the address of their streamable HTTP endpoint';
  if (url !== undefined) {
    if (typeof url !== 'string') return '"url" must be an address';
    if (!isTextRecord(headers)) return '"headers" must be an object of strings';
    const address = expand(url);
    if (!isHttp(address)) return `"url" must begin with https:// or http://, not ${JSON.stringify(url)}`;
    return { kind: 'http', url: address, headers: mapValues(headers, expand) };
  }
  if (typeof command !== 'string' || command.trim() === '')
    return 'it needs "command", a program to start, or "url", an address';
  if (!isTexts(args)) return '"args" must be a list of strings';
  if (!isTextRecord(env)) return '"env" must be an object of strings';
  return { kind: 'stdio', command: expand(command), args: args.map(expand), env: mapValues(env, expand) };
}

function parseTimes(
  value: Readonly<Record<string, unknown>>,
): { readonly startTimeout: number; readonly callTimeout: number } | string {
  const { startTimeout = defaultStartTimeout, callTimeout = defaultCallTimeout } = value;
  for (const [key, seconds] of Object.entries({ startTimeout, callTimeout })) {
    if (typeof seconds !== 'number' || !(seconds > 0) || seconds > longestTimeout)
      return `"${key}" must be a number of seconds above 0`;
  }
  return { startTimeout: startTimeout as number, callTimeout: callTimeout as number };
}

/** `${NAME}` and `${NAME:-otherwise}`; names without a value are collected. */
function expandVariables(
  text: string,
  environment: DefinitionOrigin['environment'],
  missing: Set<string>,
): string {
  return text.replace(
    /\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g,
    (_, name: string, otherwise?: string) => {
      const value = environment[name] ?? otherwise;
      if (value === undefined) missing.add(name);
      return value ?? '';
    },
  );
}

function isHttp(address: string): boolean {
  return URL.canParse(address) && ['http:', 'https:'].includes(new URL(address).protocol);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function isTextRecord(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((each) => typeof each === 'string');
}

function mapValues(
  record: Readonly<Record<string, string>>,
  change: (text: string) => string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}
