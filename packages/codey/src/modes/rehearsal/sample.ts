// The sample that `codey rehearse` plays outside a project: a tiny workspace, its hooks, and what the model will do.

/** Path in the workspace → text. A path that ends in `.sh` is made executable. */
export const sampleWorkspace: Readonly<Record<string, string>> = {
  'AGENTS.md': '# Greeter\n\nKeep greetings friendly and in English.\n',
  'greet.js': "export const greet = (name) => 'Hello ' + name;\n",
  '.codey/hooks/no-push.sh': [
    '#!/bin/sh',
    '# A policy hook: exit 2 blocks the call, stderr is the reason the model gets.',
    "echo 'pushes are done from CI' >&2",
    'exit 2',
    '',
  ].join('\n'),
  '.codey/hooks/tidy.sh': [
    '#!/bin/sh',
    '# A policy hook after each edit; a formatter would stand here.',
    "sed -i.bak 's/[[:space:]]*$//' greet.js && rm -f greet.js.bak",
    '',
  ].join('\n'),
  '.codey/settings.json': `${JSON.stringify(
    {
      hooks: {
        run_end: ['echo "$CODEY_SESSION: $CODEY_REASON" >> finished.log'],
        blocked: ['echo "waiting: $CODEY_MESSAGE" >> waiting.log'],
        PreToolUse: [
          {
            matcher: 'run_shell',
            hooks: [
              {
                type: 'command',
                if: 'run_shell(git push*)',
                command: '"$CODEY_PROJECT_DIR"/.codey/hooks/no-push.sh',
              },
            ],
          },
        ],
        PostToolUse: [
          {
            matcher: 'edit_file|write_file',
            hooks: [{ type: 'command', command: '"$CODEY_PROJECT_DIR"/.codey/hooks/tidy.sh', timeout: 20 }],
          },
        ],
        SessionStart: [
          { hooks: [{ type: 'command', command: 'echo "The greeter is released on Fridays."' }] },
        ],
      },
    },
    null,
    2,
  )}\n`,
};

export const sampleStory = `prompt: Make the greeting end with an exclamation mark, then publish it.
main:
  - text: I will look at the greeting first.
    calls:
      - tool: read_file
        input: {path: greet.js}
  - text: Now the change.
    calls:
      - tool: edit_file
        input: {path: greet.js, old_string: "'Hello ' + name;", new_string: "'Hello ' + name + '!';"}
  - text: And publish it.
    calls:
      - tool: run_shell
        input: {command: "git add -A && git push origin main"}
  - text: The greeting ends with an exclamation mark now. Pushing is done from CI here, so I left that.
`;

/** What is played in one's own project where no story is named: a bit of everything, harmless in a copy. */
export const projectStory = `prompt: Look around, write a note and publish it.
main:
  - text: I will look around first.
    calls:
      - tool: list_directory
        input: {path: .}
      - tool: run_shell
        input: {command: "git status --short"}
  - text: Now a note.
    calls:
      - tool: write_file
        input: {path: rehearsal-note.txt, content: "One line.\\n"}
  - text: And a correction.
    calls:
      - tool: edit_file
        input: {path: rehearsal-note.txt, old_string: "One line.", new_string: "A better line."}
  - text: Then everything is published.
    calls:
      - tool: run_shell
        input: {command: "git add -A && git commit -m note && git push origin main"}
  - text: That was the rehearsal.
`;
