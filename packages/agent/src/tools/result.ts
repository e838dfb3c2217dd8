// The two results a tool gives most: it worked, or it could not be done.
import type { ToolResult } from './tool.ts';

export function ok(output: string): ToolResult {
  return { kind: 'ok', output };
}

/** @param message for the model: what happened, where, and what to do instead */
export function failed(message: string): ToolResult {
  return { kind: 'failed', error: 'failed', output: message };
}

export function cancelled(message: string): ToolResult {
  return { kind: 'failed', error: 'cancelled', output: message };
}
