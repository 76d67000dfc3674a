import { availableParallelism } from 'node:os';
import type { JsonObject } from '@model-gateway/contract';
import { type Clock, systemClock } from '../lib/clock.ts';
import { writeJson } from '../lib/json-value.ts';
import type { Log } from '../lib/log.ts';
import type { Fit, SchemaText, Validate } from './compile.ts';
import { createCpuBudget } from './cpu-budget.ts';
import type { CpuMsOf } from './cpu-limit.ts';
import { createHopeless } from './hopeless.ts';
import { createInlineCompiler } from './inline.ts';
import { inspect } from './inspect.ts';
import type { Refused } from './messages.ts';
import { createPool, type PoolLimits, poolLimits } from './pool.ts';
import { problemAt, type SchemaProblem, shown } from './problem.ts';
import { isStrictSchema } from './strict.ts';
import { createTextCache } from './text-cache.ts';

/** Callers' own JSON Schemas: whatever one is, the process goes on with its other requests. */
export interface Schemas {
  /** A schema that answers can be checked by, or what is wrong with it. Never rejects. */
  compile(app: string, schema: JsonObject): Promise<CompiledSchema | SchemaProblem | Crowded>;
  close(): void;
}

/** The app's costly schemas have had their time, or the turn of this one did not come. */
export interface Crowded {
  readonly kind: 'crowded';
  /** When it is worth trying again. */
  readonly waitMs: number;
}

/** A schema that has been found sound. */
export interface CompiledSchema {
  readonly kind: 'compiled';
  /** Whether platforms with a strict mode take it. */
  readonly isStrict: boolean;
  /** Whether a value fits; `unchecked` when nobody can tell in reasonable time. Never rejects. */
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

/** Bounds of what is done with schemas, and where. */
export const schemaLimits = {
  /** Characters of a schema as JSON. Platforms take less. */
  charactersMax: 262_144,
  /** What an inline schema may weigh. */
  weightMax: 1_000,
  /** Schemas within schemas that are compiled inline in one turn of the event loop: 15 ms cold. */
  placesPerTurn: 64,
  /** Comparisons that an inline check may take at worst: 20 ms cold. */
  stepsMax: 300_000,
  /** Characters that a text is read or matched by in the time of one comparison. */
  charactersPerStep: 32,
} as const;

interface Entry extends SchemaText {
  readonly kind: 'entry';
  readonly isStrict: boolean;
  readonly weight: number;
  /** How many schemas there are in it. */
  readonly places: number;
  readonly isInline: boolean;
  /** Set once it has been compiled inline, which is when a value must be checked. */
  validate: Validate | undefined;
  /** Its patterns' places: see `Inspection`. */
  readonly patterns: ReadonlyMap<string, string>;
  /** Whether a thread has compiled it, or what it found wrong. */
  verdict: 'sound' | SchemaProblem | undefined;
  /** Threads that find it out now, by the app that each works for. */
  readonly judging: Map<string, Promise<SchemaProblem | Crowded | undefined>>;
}

/** What schemas are checked with. */
export interface SchemasParts {
  readonly log: Log;
  /** What budgets and verdicts go by. */
  readonly clock?: Clock | undefined;
  /** How long a thread has worked; a test may say so in its place. */
  readonly cpuMsOf?: CpuMsOf | undefined;
  /** Bounds other than those of every service. */
  readonly limits?: Partial<PoolLimits> | undefined;
}

/** When a schema may have its turn that had none. */
const tryAgainMs = 1_000;
/** Two at least, so that two apps with costly schemas do not wait for each other. */
const threadsMin = 2;

/** Small schemas are compiled here and kept; all others are compiled and run on threads. */
export function createSchemas(parts: SchemasParts): Schemas {
  const { log, clock = systemClock, cpuMsOf } = parts;
  const budget = createCpuBudget({ clock });
  const threadsMax = Math.max(threadsMin, availableParallelism());
  const limits = { ...poolLimits, threadsMax, ...parts.limits };
  const pool = createPool({ log, budget, limits, ...(cpuMsOf !== undefined && { cpuMsOf }) });
  const hopeless = createHopeless({ clock });
  // The largest that is compiled inline takes 140 kB.
  const kept = createTextCache<Entry>({ entriesMax: 500, charactersMax: 8_000_000 });
  const inline = createInlineCompiler({ placesMax: schemaLimits.placesPerTurn });
  return { compile: compileFor, close: pool.close };

  async function compileFor(app: string, schema: JsonObject) {
    const text = writeJson(schema);
    if (text === undefined) return problemAt('', 'is nested too deeply');
    const entry = kept.get(text) ?? open(schema, text);
    if (entry.kind === 'problem') return entry;
    const wrong = entry.isInline ? undefined : await judge(app, entry);
    if (wrong !== undefined) return wrong;
    const { isStrict } = entry;
    const check: CompiledSchema['check'] = (json, answer) => checkFor(app, entry, json, answer);
    return { kind: 'compiled', isStrict, check } as const;
  }

  function open(schema: JsonObject, text: string): Entry | SchemaProblem {
    const { charactersMax, weightMax, placesPerTurn } = schemaLimits;
    if (text.length > charactersMax) {
      return problemAt('', `is ${text.length} characters long; at most ${charactersMax} are taken`);
    }
    const inspection = inspect(schema);
    if (inspection.kind === 'problem') return inspection;
    const { dialect, weight, paths, patterns, endlessAt } = inspection;
    if (endlessAt !== undefined) {
      return problemAt(endlessAt, 'leads back to itself without a step into the value');
    }
    const places = paths.size;
    const isSmall = weight <= weightMax && places <= placesPerTurn;
    const isInline = isSmall && !hasInnerNames(schema, text);
    const isStrict = isStrictSchema(schema);
    const entry = {
      ...{ kind: 'entry' as const, text, dialect, isStrict, weight, places, isInline, patterns },
      ...{ validate: undefined, verdict: undefined, judging: new Map() },
    };
    kept.set(text, entry);
    return entry;
  }

  /** What is wrong with a schema that threads compile; it is found out once, and by any app. */
  async function judge(app: string, entry: Entry): Promise<SchemaProblem | Crowded | undefined> {
    const isSound = entry.verdict === 'sound';
    if (entry.verdict !== 'sound' && entry.verdict !== undefined) return entry.verdict;
    if (!isSound && hopeless.has(entry.text)) return tooLong;
    // Its answer would take more of what the app has no more of.
    const waitMs = budget.waitMs(app);
    if (waitMs > 0) return { kind: 'crowded', waitMs };
    if (isSound) return undefined;
    // An app never waits for the turn of another one.
    const running = entry.judging.get(app) ?? compileOnThread(app, entry);
    entry.judging.set(app, running);
    return running;
  }

  async function compileOnThread(app: string, entry: Entry) {
    const { text, dialect, patterns } = entry;
    const outcome = await pool.run(app, { schema: { text, dialect }, value: undefined });
    entry.judging.delete(app);
    if (outcome.kind === 'crowded') return { waitMs: tryAgainMs, ...outcome };
    if (outcome.kind === 'exhausted') {
      // A thread that got no processor says nothing of the schema.
      if (outcome.isStarved !== true) hopeless.add(text);
      return tooLong;
    }
    const problem = outcome.kind === 'refused' ? problemOf(outcome, patterns) : undefined;
    entry.verdict = problem ?? 'sound';
    return problem;
  }

  async function checkFor(
    app: string,
    entry: Entry,
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
function stepsOf({ weight }: Entry, { values, characters }: AnswerSize): number {
  return weight * (values + characters / schemaLimits.charactersPerStep);
}

/** Names that references may use; only the compiler follows them. The root's own is none. */
function hasInnerNames(schema: JsonObject, text: string): boolean {
  const names = text.match(/"\$(?:id|anchor|dynamicAnchor)":/g)?.length ?? 0;
  return names > (Object.hasOwn(schema, '$id') ? 1 : 0);
}

const tooLong = problemAt('', 'takes too long to compile; simplify it');

function problemOf(
  { pattern, text }: Refused,
  patterns: ReadonlyMap<string, string>,
): SchemaProblem {
  if (pattern === undefined) return problemAt('', `cannot be compiled: ${shown(text)}`);
  return problemAt(patterns.get(pattern) ?? '', 'holds no regular expression');
}
