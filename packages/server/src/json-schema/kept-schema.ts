import type { JsonObject } from '@model-gateway/contract';
import type { SchemaText, Validate } from './compile.ts';
import { inspect } from './inspect.ts';
import { problemAt, type SchemaProblem } from './problem.ts';
import { isStrictSchema } from './strict.ts';

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

/** The app's costly schemas have had their time, or the turn of this one did not come. */
export interface Crowded {
  readonly kind: 'crowded';
  /** When it is worth trying again. */
  readonly waitMs: number;
}

/** A schema that is kept, with what is known of it. */
export interface KeptSchema extends SchemaText {
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

/** What is known of a schema from its text alone, or what is wrong with it. */
export function openSchema(schema: JsonObject, text: string): KeptSchema | SchemaProblem {
  const { charactersMax, weightMax, placesPerTurn } = schemaLimits;
  if (text.length > charactersMax) {
    return problemAt('', `is ${text.length} characters long; at most ${charactersMax} are taken`);
  }
  const inspection = inspect(schema);
  if (inspection.kind === 'problem') return inspection;
  const { dialect, weight, paths, patterns, endlessAt, untracked } = inspection;
  if (untracked !== undefined) return untracked;
  if (endlessAt !== undefined) {
    return problemAt(endlessAt, 'leads back to itself without a step into the value');
  }
  const places = paths.size;
  const isSmall = weight <= weightMax && places <= placesPerTurn;
  const isInline = isSmall && !hasInnerNames(schema, text);
  const isStrict = isStrictSchema(schema);
  return {
    ...{ kind: 'entry' as const, text, dialect, isStrict, weight, places, isInline, patterns },
    ...{ validate: undefined, verdict: undefined, judging: new Map() },
  };
}

/** Names that references may use; only the compiler follows them. The root's own is none. */
function hasInnerNames(schema: JsonObject, text: string): boolean {
  const names = text.match(/"\$(?:id|anchor|dynamicAnchor)":/g)?.length ?? 0;
  return names > (Object.hasOwn(schema, '$id') ? 1 : 0);
}
