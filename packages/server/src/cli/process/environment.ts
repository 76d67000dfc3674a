import type { Environment } from '../../config/choose-file.ts';
import { report } from '../../config/field.ts';
import { described, reader } from '../../config/reader.ts';
import { oneOf, port } from '../../config/scalars.ts';
import type { ValuesOf } from '../../config/section.ts';
import { key, readKeys } from '../../config/section.ts';
import type { Tree } from '../../config/tree.ts';
import { mustBe } from '../../lib/sentences.ts';
import { missingAppsPolicies } from '../../operations/apps/file-plan.ts';
import { UsageError } from './usage-error.ts';

/**
 * Excludes variables of OpenTelemetry and libraries. Variables only described here are checked with
 * the file.
 */
export const environmentKeys = {
  MODEL_GATEWAY_CONFIG: key('The configuration file', described({})),
  MODEL_GATEWAY_CONFIG_TEXT: key('The configuration itself', described({})),
  MODEL_GATEWAY_STORE: key('Overrides `store`', described({})),
  MODEL_GATEWAY_KEYS: key('The key ring', described({})),
  AWS_BEARER_TOKEN_BEDROCK: key('The key of platforms of a kind', described({})),
  MODEL_GATEWAY_ACTOR: key(
    'Name of the actor of a command',
    reader({ type: 'string' }, (field) => {
      const actor = field.tree.kind === 'scalar' ? field.tree.text : '';
      if (/^[^\s\p{Cc}\p{Cf}\p{Cs}]{1,128}$/u.test(actor)) return actor;
      const rule =
        'a name of 1–128 visible characters without spaces, for example ann@acme.example';
      return report(field, mustBe(rule, JSON.stringify(actor)));
    }),
  ),
  MODEL_GATEWAY_MISSING_APPS: key(
    'Handling of missing apps at startup',
    oneOf(missingAppsPolicies),
  ),
  MODEL_GATEWAY_LOG: key(
    'The level of the log',
    oneOf(['debug', 'info', 'warn', 'error', 'silent']),
  ),
  MODEL_GATEWAY_LOG_FORMAT: key('The form of the log', oneOf(['json', 'text'])),
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
    // Shells use empty variables for "not set". An empty actor is an error.
    if (text === undefined || (text === '' && name !== 'MODEL_GATEWAY_ACTOR')) return [];
    return [[name, { kind: 'scalar', text, written: text, isPlain: false }]];
  });
  const tree: Tree = { kind: 'table', entries: new Map(entries) };
  const values = readKeys({ path: '', tree, problems }, environmentKeys);
  return { values, problems };
}
