import type { JsonObject } from '@model-gateway/contract';
import type { SchemaText, Validate } from './compile.ts';
import { inspect } from './inspect.ts';
import { problemAt, type SchemaProblem } from './problem.ts';
import { isStrictSchema } from './strict.ts';

export const schemaLimits = {
  /** In JSON. Platforms take less. */
  charactersMax: 262_144,
  weightMax: 1_000,
  /** Nested schemas per turn of the event loop: 15 ms cold. */
  placesPerTurn: 64,
  /** Worst-case inline comparisons: 20 ms cold. */
  stepsMax: 300_000,
  charactersPerStep: 32,
} as const;

/** The app's time is used up, or no thread was free. */
export interface Crowded {
  readonly kind: 'crowded';
  readonly waitMs: number;
}

export interface KeptSchema extends SchemaText {
  readonly kind: 'entry';
  readonly isStrict: boolean;
  readonly weight: number;
  readonly places: number;
  readonly isInline: boolean;
  validate: Validate | undefined;
  readonly patterns: ReadonlyMap<string, string>;
  verdict: 'sound' | SchemaProblem | undefined;
  readonly judging: Map<string, Promise<SchemaProblem | Crowded | undefined>>;
}

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

/** Only the compiler follows such names. The root's own does not count. */
function hasInnerNames(schema: JsonObject, text: string): boolean {
  const names = text.match(/"\$(?:id|anchor|dynamicAnchor)":/g)?.length ?? 0;
  return names > (Object.hasOwn(schema, '$id') ? 1 : 0);
}
