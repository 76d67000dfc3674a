import type { CpuBudget } from './cpu-budget.ts';
import type { Refused } from './messages.ts';
import type { Pool } from './pool.ts';
import { problemAt, type SchemaProblem, shown } from './problem.ts';
import type { Crowded, SchemaEntry } from './schema-entry.ts';
import type { TimedOutSchemas } from './timed-out-schemas.ts';

export interface Verdicts {
  /** Determined once, for all apps. Never rejects. */
  judge(app: string, schema: SchemaEntry): Promise<SchemaProblem | Crowded | undefined>;
}

const tryAgainMs = 1_000;

export function createVerdicts(parts: {
  readonly pool: Pool;
  readonly budget: CpuBudget;
  readonly timedOut: TimedOutSchemas;
}): Verdicts {
  const { pool, budget, timedOut } = parts;
  return { judge };

  async function judge(
    app: string,
    schema: SchemaEntry,
  ): Promise<SchemaProblem | Crowded | undefined> {
    const isSound = schema.verdict === 'sound';
    if (schema.verdict !== 'sound' && schema.verdict !== undefined) return schema.verdict;
    if (!isSound && timedOut.has(schema.text)) return tooLong;
    // Even a valid schema waits: checking its response would use more of the app's time.
    const waitMs = budget.waitMs(app);
    if (waitMs > 0) return { kind: 'crowded', waitMs };
    if (isSound) return undefined;
    // An app never waits for another app's job.
    const running = schema.judging.get(app) ?? compileOnThread(app, schema);
    schema.judging.set(app, running);
    return running;
  }

  async function compileOnThread(app: string, schema: SchemaEntry) {
    const { text, dialect, patterns } = schema;
    const outcome = await pool.run(app, { schema: { text, dialect }, value: undefined });
    schema.judging.delete(app);
    if (outcome.kind === 'crowded') return { waitMs: tryAgainMs, ...outcome };
    if (outcome.kind === 'exhausted') {
      // A thread without a processor proves nothing about the schema.
      if (outcome.isStarved !== true) timedOut.add(text);
      return tooLong;
    }
    const problem = outcome.kind === 'refused' ? problemOf(outcome, patterns) : undefined;
    schema.verdict = problem ?? 'sound';
    return problem;
  }
}

const tooLong = problemAt('', 'takes too long to compile; simplify it');

function problemOf(
  { pattern, text }: Refused,
  patterns: ReadonlyMap<string, string>,
): SchemaProblem {
  if (pattern === undefined) return problemAt('', `cannot be compiled: ${shown(text)}`);
  return problemAt(patterns.get(pattern) ?? '', 'is not a valid regular expression');
}
