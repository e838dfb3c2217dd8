// The section of the events page on what hooks may answer.
import * as v from 'valibot';
import { policyCatalogue, policyEventNames } from '../../packages/hooks/src/policy/catalogue.ts';
import type { OutputField } from '../../packages/hooks/src/policy/define-event.ts';
import { commonSpecificAnswers, specificAnswers, topLevelAnswers } from './answers.ts';
import { jsonBlock, linkTo, table, typeWord } from './markdown.ts';
import { fieldsOf, objectSchema } from './object-schema.ts';

export function answersPart(): string {
  return `### What a hook answers

Exit code 0 is success, and stdout that is a JSON object is the answer. Exit code 2 blocks, with stderr as the reason unless the
JSON gives one. Any other end is a failure of the hook, and so is text that starts with \`{\` and is no JSON or gives one of the
keys below a value it cannot have. A failure is shown and journaled, and only a deny, a block, an ask or \`"continue": false\` in
the output still counts.

Keys at the top level:

${table(['key', 'value', 'what it does'], rows(topLevelAnswers(['block', 'continue'])))}

Keys of \`hookSpecificOutput\`, which may also hold the name of the event as \`hookEventName\`:

${table(['key', 'value', 'what it does', 'where'], specificRows())}

A call that is stopped with a reason:

${jsonBlock({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'pushes are release-managed' } } })}

The same in the short form:

${jsonBlock({ decision: 'block', reason: 'pushes are release-managed' })}

A call that runs with other input than the model gave:

${jsonBlock({ hookSpecificOutput: { updatedInput: { command: 'npm ci --ignore-scripts' } } })}`;
}

function rows(entries: v.ObjectEntries): string[][] {
  return fieldsOf(objectSchema(v.object(entries))).map(({ path, schema }) => [
    `\`${path}\``,
    typeWord(schema),
    schema.description ?? '',
  ]);
}

function specificRows(): string[][] {
  const onEvery = rows(commonSpecificAnswers(['allow', 'deny', 'ask'])).map((row) => [...row, 'every event']);
  const onSome = Object.entries(specificAnswers).flatMap(([field, entries]) =>
    rows(entries).map((row) => [...row, eventsWith(field as OutputField)]),
  );
  return [...onEvery, ...onSome];
}

function eventsWith(field: OutputField): string {
  return policyEventNames
    .filter((name) => policyCatalogue[name].output.includes(field))
    .map(linkTo)
    .join(', ');
}
