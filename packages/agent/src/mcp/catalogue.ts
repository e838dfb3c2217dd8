// What one server offers: tools, resources and prompts, read page by page and item by item.
import type { McpClient } from './client.ts';
import { isObject } from '@codey/hooks';

export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The server says that it changes nothing. */
  readonly readOnly: boolean;
}

export interface OfferedResource {
  readonly uri: string;
  readonly name: string;
  readonly description: string;
}

export interface OfferedPrompt {
  readonly name: string;
  readonly description: string;
  readonly arguments: readonly {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

export interface Catalogue {
  readonly tools: readonly OfferedTool[];
  readonly resources: readonly OfferedResource[];
  readonly prompts: readonly OfferedPrompt[];
}

export const emptyCatalogue: Catalogue = { tools: [], resources: [], prompts: [] };

/** More than anybody offers on purpose; a server whose pages never end is cut off here. */
const mostItems = 10_000;
const mostPages = 200;

/**
 * An item that is not what it should be is left out and its neighbours stay. Rejects as `request` does; a server that
 * offers a list and then fails to give it has an empty one.
 */
export async function readCatalogue(client: McpClient, signal: AbortSignal): Promise<Catalogue> {
  const { offers } = client;
  const list = async <Item>(
    offered: boolean,
    method: string,
    key: string,
    read: (value: Readonly<Record<string, unknown>>) => Item | undefined,
  ): Promise<readonly Item[]> => (offered ? readList(client, { method, key, read, signal }) : []);
  const [tools, resources, prompts] = await Promise.all([
    list(offers.tools, 'tools/list', 'tools', readTool),
    list(offers.resources, 'resources/list', 'resources', readResource),
    list(offers.prompts, 'prompts/list', 'prompts', readPrompt),
  ]);
  return { tools, resources, prompts };
}

interface ListRequest<Item> {
  readonly method: string;
  readonly key: string;
  readonly read: (value: Readonly<Record<string, unknown>>) => Item | undefined;
  readonly signal: AbortSignal;
}

async function readList<Item>(client: McpClient, request: ListRequest<Item>): Promise<readonly Item[]> {
  const { method, key, read, signal } = request;
  const items: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && items.length < mostItems; page += 1) {
    const answer = await client.request(method, cursor === undefined ? {} : { cursor }, { signal });
    const listed = answer[key];
    if (!Array.isArray(listed)) break;
    for (const value of listed) {
      const item = isObject(value) ? read(value) : undefined;
      if (item !== undefined) items.push(item);
    }
    const next = answer.nextCursor;
    if (typeof next !== 'string' || next === cursor) break;
    cursor = next;
  }
  return items.slice(0, mostItems);
}

function readTool(value: Readonly<Record<string, unknown>>): OfferedTool | undefined {
  const { name, inputSchema, annotations } = value;
  if (typeof name !== 'string' || name === '') return undefined;
  return {
    name,
    description: text(value.description) || text(value.title),
    inputSchema: isObject(inputSchema) ? inputSchema : { type: 'object' },
    readOnly: isObject(annotations) && annotations.readOnlyHint === true,
  };
}

function readResource(value: Readonly<Record<string, unknown>>): OfferedResource | undefined {
  const { uri } = value;
  if (typeof uri !== 'string' || uri === '') return undefined;
  return { uri, name: text(value.title) || text(value.name) || uri, description: text(value.description) };
}

function readPrompt(value: Readonly<Record<string, unknown>>): OfferedPrompt | undefined {
  const { name, arguments: listed } = value;
  if (typeof name !== 'string' || name === '') return undefined;
  const args = Array.isArray(listed) ? listed.filter(isObject) : [];
  return {
    name,
    description: text(value.description) || text(value.title),
    arguments: args.flatMap((arg) =>
      typeof arg.name === 'string'
        ? [{ name: arg.name, description: text(arg.description), required: arg.required === true }]
        : [],
    ),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
