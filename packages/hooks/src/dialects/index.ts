// The one place that knows which dialects there are.
import type { HookDefinition } from '../config/hook.ts';
import { claude } from './claude/index.ts';
import type { Dialect } from './dialect.ts';
import { native } from './native/index.ts';

export const dialects: Readonly<Record<HookDefinition['dialect'], Dialect>> = { native, claude };
