import { availableParallelism } from 'node:os';
import type { JsonObject } from '@model-gateway/contract';
import { type Clock, systemClock } from '../lib/clock.ts';
import { writeJson } from '../lib/json-value.ts';
import type { Log } from '../lib/log.ts';
import type { Fit } from './compile.ts';
import { createCpuBudget } from './cpu-budget.ts';
import type { CpuMsOf } from './cpu-limit.ts';
import { createHopeless } from './hopeless.ts';
import { createInlineCompiler } from './inline.ts';
import { type Crowded, type KeptSchema, openSchema, schemaLimits } from './kept-schema.ts';
import { createPool } from './pool.ts';
import { type PoolLimits, poolLimits } from './pool-limits.ts';
import { problemAt, type SchemaProblem } from './problem.ts';
import { createTextCache } from './text-cache.ts';
import { createVerdicts } from './verdicts.ts';

/** Callers' own JSON Schemas: whatever one is, the process goes on with its other requests. */
export interface Schemas {
  /** A schema that answers can be checked by, or what is wrong with it. Never rejects. */
  compile(app: string, schema: JsonObject): Promise<CompiledSchema | SchemaProblem | Crowded>;
  close(): void;
}

/** A schema that has been found sound. */
export interface CompiledSchema {
  readonly kind: 'compiled';
  /** Whether platforms with a strict mode take it. */
  readonly isStrict: boolean;
  /** Whether a value fits; `unchecked` when it cannot be told in reasonable time. Never rejects. */
  check(json: ReadJson, answer: AnswerSize): Promise<Fit | Unchecked>;
}

/** A JSON value, and what it was read from. */
export interface ReadJson {
  readonly value: unknown;
  readonly text: string;
}

/** All the JSON of the answer that a value is a part of, since it is checked in one go. */
export interface AnswerSize {
  /** Objects, lists and what they hold. */
  readonly values: number;
  readonly characters: number;
}

/** The check took too long. */
export interface Unchecked {
  readonly kind: 'unchecked';
}

/** What schemas are checked with. */
export interface SchemasParts {
  readonly log: Log;
  /** What budgets and verdicts go by. */
  readonly clock?: Clock | undefined;
  /** How long a thread has worked; a test may say so in its place. */
  readonly cpuMsOf?: CpuMsOf | undefined;
  /** The part of the process that this is for: 1 where no other thread has schemas checked. */
  readonly share?: number | undefined;
  /** Bounds other than those of every service. */
  readonly limits?: Partial<PoolLimits> | undefined;
}

/** Two at least, so that two apps with costly schemas do not wait for each other. */
const threadsMin = 2;

/** Small schemas are compiled here and kept; all others are compiled and run on threads. */
export function createSchemas(parts: SchemasParts): Schemas {
  const { log, clock = systemClock, cpuMsOf, share = 1 } = parts;
  const budget = createCpuBudget({ clock, share });
  const threadsMax = Math.max(threadsMin, Math.ceil(availableParallelism() * share));
  const limits = { ...poolLimits, threadsMax, ...parts.limits };
  const pool = createPool({ log, budget, limits, ...(cpuMsOf !== undefined && { cpuMsOf }) });
  const hopeless = createHopeless({ clock });
  const verdicts = createVerdicts({ pool, budget, hopeless });
  // The largest that is compiled inline takes 140 kB.
  const kept = createTextCache<KeptSchema>({ entriesMax: 500, charactersMax: 8_000_000 });
  const inline = createInlineCompiler({ placesMax: schemaLimits.placesPerTurn });
  return { compile: compileFor, close: pool.close };

  async function compileFor(app: string, schema: JsonObject) {
    const text = writeJson(schema);
    if (text === undefined) return problemAt('', 'is nested too deeply');
    const known = kept.get(text);
    const entry = known ?? openSchema(schema, text);
    if (entry.kind === 'problem') return entry;
    if (known === undefined) kept.set(text, entry);
    const wrong = entry.isInline ? undefined : await verdicts.judge(app, entry);
    if (wrong !== undefined) return wrong;
    const { isStrict } = entry;
    const check: CompiledSchema['check'] = (json, answer) => checkFor(app, entry, json, answer);
    return { kind: 'compiled', isStrict, check } as const;
  }

  async function checkFor(
    app: string,
    entry: KeptSchema,
    json: ReadJson,
    answer: AnswerSize,
  ): Promise<Fit | Unchecked> {
    if (entry.isInline && stepsOf(entry, answer) <= schemaLimits.stepsMax) {
      entry.validate ??= inline.compile(entry, entry.places);
      if (entry.validate !== undefined) return entry.validate(json.value);
    }
    const { text, dialect } = entry;
    const outcome = await pool.run(app, { schema: { text, dialect }, value: json.text });
    return outcome.kind === 'fits' || outcome.kind === 'misfit' ? outcome : { kind: 'unchecked' };
  }
}

/** The most that a check can take. */
function stepsOf({ weight }: KeptSchema, { values, characters }: AnswerSize): number {
  return weight * (values + characters / schemaLimits.charactersPerStep);
}
