// One command, one file: this only finds it.
import type { NamedCommandLine } from '../cli/command-line.ts';
import type { World } from '../start/world.ts';

/** Returns the exit code. Each command is imported when it is asked for. */
export async function runCommand(commandLine: NamedCommandLine, world: World): Promise<number> {
  switch (commandLine.command) {
    case 'rehearse':
      return (await import('../modes/rehearse.ts')).rehearse(commandLine, world);
    case 'completions':
      return (await import('./completions.ts')).completions(commandLine, world);
    case 'doctor':
      return (await import('./doctor.ts')).doctor(commandLine, world);
    case 'hooks import':
      return (await import('./hooks-import.ts')).hooksImport(commandLine, world);
    case 'hooks list':
      return (await import('./hooks-list.ts')).hooksList(commandLine, world);
    case 'hooks validate':
      return (await import('./hooks-validate.ts')).hooksValidate(commandLine, world);
    case 'hooks schema':
      return (await import('./hooks-schema.ts')).hooksSchema(world);
    case 'hooks test':
      return (await import('./hooks-test.ts')).hooksTest(commandLine, world);
    case 'hooks trace':
      return (await import('./hooks-trace.ts')).hooksTrace(commandLine, world);
    case 'hooks trust':
      return (await import('./hooks-trust.ts')).hooksTrust(commandLine, world);
    case 'hooks why':
      return (await import('./hooks-why.ts')).hooksWhy(commandLine, world);
    case 'setup':
      return (await import('./setup.ts')).setup(commandLine, world);
    case 'sessions':
      return (await import('./sessions.ts')).sessions(commandLine, world);
    case 'mcp list':
      return (await import('./mcp-list.ts')).mcpList(commandLine, world);
    case 'mcp get':
      return (await import('./mcp-get.ts')).mcpGet(commandLine, world);
    case 'mcp add':
      return (await import('./mcp-add.ts')).mcpAdd(commandLine, world);
    case 'mcp remove':
      return (await import('./mcp-remove.ts')).mcpRemove(commandLine, world);
    case 'plugin list':
      return (await import('./plugin-list.ts')).pluginList(commandLine, world);
    case 'plugin install':
      return (await import('./plugin-install.ts')).pluginInstall(commandLine, world);
    case 'plugin validate':
      return (await import('./plugin-validate.ts')).pluginValidate(commandLine, world);
    case 'plugin enable':
    case 'plugin disable':
      return (await import('./plugin-switch.ts')).pluginSwitch(commandLine, world);
    case 'plugin remove':
      return (await import('./plugin-remove.ts')).pluginRemove(commandLine, world);
  }
}
