// Programs that do what files say which no word of the command names.
import { baseName } from '../condition/wrappers.ts';

/** Why a command runs more than its words name; undefined where nothing is known of that kind. */
export function runsMore(words: readonly string[]): string | undefined {
  const name = baseName(words[0] ?? '');
  if (taskRunners.has(name)) return `${name} runs what it finds in the project or fetches`;
  if (name === 'eval') return 'eval runs text as a command line';
  if (!interpreters.test(name)) return undefined;
  const option = words.slice(1).find((word) => !word.startsWith('-') || inlineOptions.test(word));
  return option !== undefined && inlineOptions.test(option)
    ? `${name} ${option} runs a program that is not a file named here`
    : undefined;
}

const taskRunners: ReadonlySet<string> = new Set(
  [
    'ant bazel bazelisk buck2 bun bunx bundle cargo cmake composer corepack deno devbox direnv docker docker-compose',
    'dotnet gmake go gradle gradlew hatch husky invoke just lefthook lein lerna make mise mix mvn mvnw ninja nix',
    'nix-shell nox npm npx nx pdm pipenv pipx pnpm pnpx podman poetry pre-commit rake rails rye sbt task tox turbo uv',
    'uvx yarn yarnpkg',
  ].flatMap((line) => line.split(' ')),
);

const interpreters = /^(?:python|pypy|node|nodejs|ruby|perl|php|lua|Rscript)[\d.]*$/;
const inlineOptions = /^(?:-[a-zA-Z]*[cemprE]|--(?:eval|print|import|require|loader)(?:=.*)?)$/;
