import type { Environment } from '../../config/choose-file.ts';
import { report } from '../../config/field.ts';
import { described, type Reader, reader } from '../../config/reader.ts';
import { port } from '../../config/scalars.ts';
import { key, readKeys, type ValuesOf } from '../../config/section.ts';
import type { Tree } from '../../config/tree.ts';
import { orNearest } from '../../lib/nearest.ts';
import { missingAppsPolicies } from '../../operations/apps/file-plan.ts';
import { UsageError } from './usage-error.ts';

/**
 * Without OpenTelemetry's and libraries' variables. Variables only described here are checked with
 * the file.
 */
export const environmentKeys = {
  MODEL_GATEWAY_CONFIG: key('The configuration file', described({})),
  MODEL_GATEWAY_CONFIG_TEXT: key('The configuration itself', described({})),
  MODEL_GATEWAY_STORE: key('Overrides `store`', described({})),
  MODEL_GATEWAY_KEYS: key('The key ring', described({})),
  AWS_BEARER_TOKEN_BEDROCK: key('The key of platforms of a kind', described({})),
  MODEL_GATEWAY_ACTOR: key(
    'Who gives a command',
    plain(
      'no name; write 1–128 characters without spaces and characters that cannot be seen, such as ann@acme.example',
      (text) => (/^[^\s\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u.test(text) ? text : undefined),
    ),
  ),
  MODEL_GATEWAY_MISSING_APPS: key('What a start does with missing apps', word(missingAppsPolicies)),
  MODEL_GATEWAY_LOG: key(
    'The level of the log',
    word(['debug', 'info', 'warn', 'error', 'silent']),
  ),
  MODEL_GATEWAY_LOG_FORMAT: key('The form of the log', word(['json', 'text'])),
  PORT: key('The port for callers', port),
};

type EnvironmentValues = Partial<ValuesOf<typeof environmentKeys>>;

/** Throws a UsageError with a line for each invalid variable. */
export function readEnvironment(environment: Environment): EnvironmentValues {
  const { values, problems } = check(environment);
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return values;
}

export function environmentProblems(environment: Environment): readonly string[] {
  return check(environment).problems;
}

function check(environment: Environment) {
  const problems: string[] = [];
  const entries = Object.keys(environmentKeys).flatMap((name): readonly [string, Tree][] => {
    const text = environment[name];
    // An empty variable is what a shell leaves behind for "not set". An actor is set on purpose.
    if (text === undefined || (text === '' && name !== 'MODEL_GATEWAY_ACTOR')) return [];
    return [[name, { kind: 'scalar', text, written: text, isPlain: false }]];
  });
  const tree: Tree = { kind: 'table', entries: new Map(entries) };
  const values = readKeys({ path: '', tree, problems }, environmentKeys);
  return { values, problems };
}

function word<Word extends string>(words: readonly Word[]): Reader<Word> {
  return plain(
    (text) => `none of ${orNearest(text, words)}`,
    (text) => words.find((known) => known === text),
  );
}

function plain<T>(
  rule: string | ((text: string) => string),
  parse: (text: string) => T | undefined,
): Reader<T> {
  return reader({ type: 'string' }, (field) => {
    const text = field.tree.kind === 'scalar' ? field.tree.text : '';
    const wrong = typeof rule === 'string' ? rule : rule(text);
    return parse(text) ?? report(field, `${JSON.stringify(text)} is ${wrong}`);
  });
}
