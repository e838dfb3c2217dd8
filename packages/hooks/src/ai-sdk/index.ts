// The public surface of @codey/hooks/ai-sdk: the tools of the Vercel AI SDK behind the gate.
export { createToolGate, type ToolGate, type ToolGateOptions } from '../embed/tool-gate.ts';
export { openHooks, type OpenedHooks, type OpenHooksOptions, SettingsRefused } from '../embed/open-hooks.ts';
export { type AiSdkTool, ToolRefused, withHooks, type WithHooksOptions } from './with-hooks.ts';
