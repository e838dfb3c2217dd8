// Payload fields that several events share, said once.
import * as v from 'valibot';

export const toolName = v.pipe(v.string(), v.description('Name of the tool, for instance run_shell'));

export const toolInput = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description('Input of the call, as the tool will get it'),
);
