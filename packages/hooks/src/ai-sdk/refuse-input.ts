// Whether a tool takes an input that a hook put in place of the model's.
import type { ToolInput } from '../embed/tool-gate.ts';

/** A schema of the SDK's own, or of a library that follows Standard Schema. */
interface Checks {
  readonly validate?: (value: unknown) => unknown;
  readonly '~standard'?: { readonly validate: (value: unknown) => unknown };
}

/** Why not, in the schema's words; undefined where it does, or where the schema cannot say. */
export async function refuseInput(schema: unknown, input: ToolInput): Promise<string | undefined> {
  const checks = await readSchema(schema);
  if (checks === undefined) return undefined;
  const standard = checks['~standard'];
  if (standard !== undefined) return standardIssues(await standard.validate(input));
  return checks.validate === undefined ? undefined : failure(await checks.validate(input));
}

/** A schema may be made by a function when it is first needed. */
async function readSchema(schema: unknown): Promise<Checks | undefined> {
  const made: unknown =
    typeof schema === 'function' && !('~standard' in schema) ? await schema() : await schema;
  return (typeof made === 'object' && made !== null) || typeof made === 'function' ? made : undefined;
}

function standardIssues(result: unknown): string | undefined {
  const { issues } = result as { readonly issues?: readonly { readonly message: string }[] };
  return issues?.map(({ message }) => message).join('; ');
}

function failure(result: unknown): string | undefined {
  const said = result as { readonly success: boolean; readonly error?: Error };
  return said.success ? undefined : (said.error?.message ?? 'it does not fit the schema');
}
