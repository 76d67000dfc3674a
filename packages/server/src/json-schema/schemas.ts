import { availableParallelism } from 'node:os';
import type { JsonObject } from '@model-gateway/contract';
import { type Clock, nextTurn, systemClock } from '../lib/clock.ts';
import { writeJson } from '../lib/json-value.ts';
import type { Log } from '../lib/log.ts';
import { compile, type Fit, type SchemaText, type Validate } from './compile.ts';
import { createCpuBudget } from './cpu-budget.ts';
import type { CpuMsOf } from './cpu-limit.ts';
import { createPool } from './pool.ts';
import { type PoolLimits, poolLimits } from './pool-limits.ts';
import { problemAt, type SchemaProblem } from './problem.ts';
import { type Crowded, openSchema, type SchemaEntry, schemaLimits } from './schema-entry.ts';
import { createTextCache } from './text-cache.ts';
import { createTimedOutSchemas } from './timed-out-schemas.ts';
import { createVerdicts } from './verdicts.ts';

/** No schema can stop the process's other requests. */
export interface Schemas {
  /** Never rejects. */
  compile(app: string, schema: JsonObject): Promise<CompiledSchema | SchemaProblem | Crowded>;
  close(): void;
}

export interface CompiledSchema {
  readonly kind: 'compiled';
  readonly isStrict: boolean;
  /** `unchecked` when it takes too long. Never rejects. */
  check(json: ReadJson, answer: AnswerSize): Promise<Fit | Unchecked>;
}

export interface ReadJson {
  readonly value: unknown;
  readonly text: string;
}

/** Of the whole answer, which is checked in one go. */
export interface AnswerSize {
  /** Objects, lists and their contents. */
  readonly values: number;
  readonly characters: number;
}

export interface Unchecked {
  readonly kind: 'unchecked';
}

export interface SchemasParts {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly cpuMsOf?: CpuMsOf | undefined;
  /** This thread's part of the process; 1 if no other checks schemas. */
  readonly share?: number | undefined;
  readonly limits?: Partial<PoolLimits> | undefined;
}

/** Two apps with costly schemas must not wait for each other. */
const threadsMin = 2;

export function createSchemas(parts: SchemasParts): Schemas {
  const { log, clock = systemClock, cpuMsOf, share = 1 } = parts;
  const budget = createCpuBudget({ clock, share });
  const threadsMax = Math.max(threadsMin, Math.ceil(availableParallelism() * share));
  const limits = { ...poolLimits, threadsMax, ...parts.limits };
  const pool = createPool({ log, budget, limits, ...(cpuMsOf !== undefined && { cpuMsOf }) });
  const timedOut = createTimedOutSchemas({ clock });
  const verdicts = createVerdicts({ pool, budget, timedOut });
  // The largest that is compiled inline takes 140 kB.
  const cache = createTextCache<SchemaEntry>({ entriesMax: 500, charactersMax: 8_000_000 });
  const inline = createInlineCompiler({ nodesMax: schemaLimits.nodesPerTurn });
  return { compile: compileFor, close: pool.close };

  async function compileFor(app: string, schema: JsonObject) {
    const text = writeJson(schema);
    if (text === undefined) return problemAt('', 'is nested too deeply');
    const known = cache.get(text);
    const entry = known ?? openSchema(schema, text);
    if (entry.kind === 'problem') return entry;
    if (known === undefined) cache.set(text, entry);
    const wrong = entry.isInline ? undefined : await verdicts.judge(app, entry);
    if (wrong !== undefined) return wrong;
    const { isStrict } = entry;
    const check: CompiledSchema['check'] = (json, answer) => checkFor(app, entry, json, answer);
    return { kind: 'compiled', isStrict, check } as const;
  }

  async function checkFor(
    app: string,
    entry: SchemaEntry,
    json: ReadJson,
    answer: AnswerSize,
  ): Promise<Fit | Unchecked> {
    if (entry.isInline && stepsOf(entry, answer) <= schemaLimits.stepsMax) {
      entry.validate ??= inline.compile(entry, entry.nodes);
      if (entry.validate !== undefined) return entry.validate(json.value);
    }
    const { text, dialect } = entry;
    const outcome = await pool.run(app, { schema: { text, dialect }, value: json.text });
    return outcome.kind === 'fits' || outcome.kind === 'misfit' ? outcome : { kind: 'unchecked' };
  }
}

function stepsOf({ weight }: SchemaEntry, { values, characters }: AnswerSize): number {
  return weight * (values + characters / schemaLimits.charactersPerStep);
}

/** On the request thread, a few per turn of the event loop. */
interface InlineCompiler {
  /** Undefined when this turn's budget is used, or it cannot compile. */
  compile(schema: SchemaText, nodes: number): Validate | undefined;
}

/** `placesMax` is per turn of the event loop, since compilations add up. */
function createInlineCompiler({ nodesMax }: { nodesMax: number }): InlineCompiler {
  let nodesThisTurn = 0;
  return {
    compile(schema, nodes) {
      if (nodesThisTurn > 0 && nodesThisTurn + nodes > nodesMax) return undefined;
      if (nodesThisTurn === 0) void nextTurn().then(startTurn);
      nodesThisTurn += nodes;
      try {
        return compile(schema, { isLarge: false });
      } catch {
        /* It looked sound and is not: a thread will say so, too. */
        return undefined;
      }
    },
  };

  function startTurn() {
    nodesThisTurn = 0;
  }
}
