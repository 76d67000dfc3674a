import type { JsonObject } from '@model-gateway/contract';
import type { Log } from '../../lib/log.ts';
import { writeJson } from '../json-value.ts';
import type { Fit, SchemaText, Validate } from './compile.ts';
import { createInlineCompiler } from './inline.ts';
import { type Inspection, inspect } from './inspect.ts';
import { createPool, type PoolOutcome } from './pool.ts';
import { problemAt, type SchemaProblem, shown } from './problem.ts';
import { isStrictSchema } from './strict.ts';
import { createTextCache } from './text-cache.ts';

/** Callers' own JSON Schemas: whatever one is, the process goes on with its other requests. */
export interface Schemas {
  /** A schema that answers can be checked by, or what is wrong with it. Never rejects. */
  compile(app: string, schema: JsonObject): Promise<CompiledSchema | SchemaProblem | Crowded>;
  close(): void;
}

/** The app has so many costly schemas to compile that this one's turn did not come. */
export interface Crowded {
  readonly kind: 'crowded';
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
  /** What a thread says about it; undefined for one that is compiled inline. */
  readonly verdict: Promise<SchemaProblem | Crowded | undefined> | undefined;
}

/** Small schemas are compiled here and kept; all others are compiled and run on threads. */
export function createSchemas({ log }: { log: Log }): Schemas {
  const pool = createPool({ log });
  // The largest that is compiled inline takes 140 kB.
  const kept = createTextCache<Entry>({ entriesMax: 500, charactersMax: 8_000_000 });
  const inline = createInlineCompiler({ placesMax: schemaLimits.placesPerTurn });
  return { compile: compileFor, close: pool.close };

  async function compileFor(app: string, schema: JsonObject) {
    const text = writeJson(schema);
    if (text === undefined) return problemAt('', 'is nested too deeply');
    const entry = kept.get(text) ?? open(app, schema, text);
    if (entry.kind === 'problem') return entry;
    const { isStrict, verdict } = entry;
    const wrong = verdict === undefined ? undefined : await verdict;
    if (wrong !== undefined) return wrong;
    const check: CompiledSchema['check'] = (json, answer) => checkFor(app, entry, json, answer);
    return { kind: 'compiled', isStrict, check } as const;
  }

  function open(app: string, schema: JsonObject, text: string): Entry | SchemaProblem {
    const { charactersMax, weightMax, placesPerTurn } = schemaLimits;
    if (text.length > charactersMax) {
      return problemAt('', `is ${text.length} characters long; at most ${charactersMax} are taken`);
    }
    const inspection = inspect(schema);
    if (inspection.kind === 'problem') return inspection;
    const { dialect, weight, paths } = inspection;
    const places = paths.size;
    const isSmall = weight <= weightMax && places <= placesPerTurn;
    const isInline = isSmall && !hasInnerNames(schema, text);
    const verdict = isInline ? undefined : judge(app, { text, dialect }, inspection);
    const isStrict = isStrictSchema(schema);
    const sizes = { weight, places, isInline };
    const entry = { kind: 'entry' as const, text, dialect, isStrict, ...sizes, verdict };
    const made = { ...entry, validate: undefined };
    kept.set(text, made);
    return made;
  }

  async function judge(app: string, schema: SchemaText, { patterns }: Inspection) {
    const outcome = await pool.run(app, { schema, value: undefined });
    // Another time there may be a thread, and time, for it.
    if (outcome.kind === 'crowded' || outcome.kind === 'exhausted') kept.delete(schema.text);
    if (outcome.kind === 'crowded') return { kind: 'crowded' } as const;
    return problemOf(outcome, patterns);
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

function problemOf(
  outcome: PoolOutcome,
  patterns: ReadonlyMap<string, string>,
): SchemaProblem | undefined {
  if (outcome.kind === 'exhausted') return problemAt('', 'takes too long to compile; simplify it');
  if (outcome.kind !== 'refused') return undefined;
  const { pattern, text } = outcome;
  if (pattern === undefined) return problemAt('', `cannot be compiled: ${shown(text)}`);
  return problemAt(patterns.get(pattern) ?? '', 'holds no regular expression');
}
