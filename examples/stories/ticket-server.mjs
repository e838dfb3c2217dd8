// An MCP server with one tool, which asks back before it opens a ticket.
import { createInterface } from 'node:readline';

const tool = {
  name: 'open',
  description: 'Opens a ticket.',
  inputSchema: { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] },
};
const form = {
  mode: 'form',
  message: 'How urgent is it?',
  requestedSchema: { type: 'object', properties: { priority: { type: 'string' } }, required: ['priority'] },
};
/** Calls whose form is out, by the id of the question. */
const open = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params, result } = JSON.parse(line);
  if (method === 'initialize') {
    const { protocolVersion } = params;
    answer(id, {
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'tickets', version: '1' },
    });
  } else if (method === 'tools/list') answer(id, { tools: [tool] });
  else if (method === 'tools/call') {
    open.set(`form-${id}`, id);
    send({ id: `form-${id}`, method: 'elicitation/create', params: form });
  } else if (open.has(id)) {
    const text =
      result?.action === 'accept' ? `opened with priority ${result.content.priority}` : 'not opened';
    answer(open.get(id), { content: [{ type: 'text', text }] });
  } else if (id !== undefined && method !== undefined) answer(id, {});
}

function answer(id, result) {
  send({ id, result });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
