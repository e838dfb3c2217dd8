// The tools of an agent on the Vercel AI SDK, behind the hooks of whoever runs it.
import { type AiSdkTool, createToolGate, openHooks, withHooks } from '@codey/hooks/ai-sdk';

type ToolSet = Readonly<Record<string, AiSdkTool>>;

/** Give the tools to `generateText` or `streamText`, and close the hooks when the conversation ends. */
export async function govern<Tools extends ToolSet>(myTools: Tools, projectRoot: string, home: string) {
  const hooks = await openHooks({ projectRoot, home, environment: process.env, notify: console.error });
  const tools = withHooks(myTools, createToolGate(hooks));
  return { tools, hooks };
}
