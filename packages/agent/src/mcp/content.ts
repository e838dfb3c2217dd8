// What a server answers, as text for a model or a person.
import { capOutput } from '../tools/output.ts';
import { isObject } from '@codey/hooks';

/** Text as it is; what is no text is named. */
export function renderContent(blocks: readonly unknown[]): string {
  return blocks
    .map(renderBlock)
    .filter((text) => text !== '')
    .join('\n');
}

/** A tool's result: its content, or its structured form where there is no other. */
export function renderResult(result: Readonly<Record<string, unknown>>): string {
  const { content, structuredContent } = result;
  const text = Array.isArray(content) ? renderContent(content) : '';
  if (text !== '') return capOutput(text);
  if (structuredContent !== undefined) return capOutput(JSON.stringify(structuredContent, null, 2));
  return '[no output]';
}

function renderBlock(block: unknown): string {
  if (!isObject(block)) return '';
  switch (block.type) {
    case 'text':
      return textOf(block.text);
    case 'image':
    case 'audio':
      return `[${block.type}, ${describeData(block)}]`;
    case 'resource':
      return isObject(block.resource) ? renderResource(block.resource) : '';
    case 'resource_link':
      return `[resource ${textOf(block.uri)}${block.name === undefined ? '' : `: ${textOf(block.name)}`}]`;
    default:
      return `[content of kind ${String(block.type)}, which cannot be shown]`;
  }
}

/** One part of a resource that was read, or that came with a result. */
export function renderResource(resource: Readonly<Record<string, unknown>>): string {
  if (typeof resource.text === 'string') return resource.text;
  return `[resource ${textOf(resource.uri)}, ${describeData({ ...resource, data: resource.blob })}]`;
}

function describeData({ mimeType, data }: Readonly<Record<string, unknown>>): string {
  const bytes = typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0;
  return `${typeof mimeType === 'string' ? mimeType : 'of unknown type'}, ${bytes.toLocaleString('en-US')} bytes, not shown`;
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
