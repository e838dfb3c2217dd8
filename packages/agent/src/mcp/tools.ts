// A server's tools as tools of the agent: through the same gate, by the same rules.
import { guessSubject } from '@codey/hooks';
import * as v from 'valibot';
import { cancelled, failed, ok } from '../tools/result.ts';
import { defineTool, type Tool, type ToolContext, type ToolResult } from '../tools/tool.ts';
import type { OfferedTool } from './catalogue.ts';
import { renderResult } from './content.ts';
import { startDeadline } from './deadline.ts';
import type { OpenCall, OpenCalls } from './open-calls.ts';
import type { McpServer } from './server.ts';
import { inputSchemaOf } from './tool-schema.ts';

export interface ServerCalls {
  readonly server: McpServer;
  readonly callTimeoutMs: number;
  readonly open: OpenCalls;
}

/** Characters of a description: some servers send their whole manual. */
const descriptionCap = 4_000;

export function mcpTool(name: string, offered: OfferedTool, calls: ServerCalls): Tool {
  const description = offered.description.trim();
  return defineTool({
    name,
    description:
      description.length > descriptionCap
        ? `${description.slice(0, descriptionCap)} […]`
        : description || offered.name,
    // The server checks its input itself, and says what is wrong better than we could.
    input: v.record(v.string(), v.unknown()),
    inputSchema: inputSchemaOf(offered.inputSchema),
    // Only whether it may run beside others follows from what a server says of itself; what it may do does not.
    access: offered.readOnly ? 'network' : 'execute',
    // Which argument a server obeys is not known.
    subject: (input) => guessSubject(name, input),
    run: (input, context) => callTool(offered.name, input, context, calls),
  });
}

async function callTool(
  tool: string,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
  { server, callTimeoutMs, open }: ServerCalls,
): Promise<ToolResult> {
  const deadline = startDeadline(callTimeoutMs, context.signal, open.asking);
  let call: OpenCall | undefined;
  try {
    const client = await server.client(deadline.signal);
    call = open.begin(context.caller);
    const result = await call.run(() =>
      client.request(
        'tools/call',
        { name: tool, arguments: input },
        { signal: deadline.signal, onProgress: (text) => context.report(`${text}\n`) },
      ),
    );
    server.proven();
    const output = renderResult(result);
    return result.isError === true ? failed(output) : ok(output);
  } catch (error) {
    if (context.signal.aborted) return cancelled(`The call of ${server.name} was cancelled.`);
    const said = error instanceof Error ? error.message : String(error);
    if (deadline.passed())
      return { kind: 'failed', error: 'timed-out', output: `${server.name} did not answer: ${said}.` };
    return failed(`${server.name}: ${said}`);
  } finally {
    call?.end();
    deadline.end();
  }
}
