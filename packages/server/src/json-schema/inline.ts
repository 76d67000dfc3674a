import { nextTurn } from '../lib/clock.ts';
import { compile, type SchemaText, type Validate } from './compile.ts';

/** Compiles small schemas in the thread that answers requests, a few in each turn of its loop. */
export interface InlineCompiler {
  /** The validator; undefined when this turn has compiled enough, or when it cannot be done. */
  compile(schema: SchemaText, places: number): Validate | undefined;
}

/** `placesMax` is for one turn of the event loop, since compilations in one turn add up. */
export function createInlineCompiler({ placesMax }: { placesMax: number }): InlineCompiler {
  let placesThisTurn = 0;
  return {
    compile(schema, places) {
      if (placesThisTurn > 0 && placesThisTurn + places > placesMax) return undefined;
      if (placesThisTurn === 0) void nextTurn().then(startTurn);
      placesThisTurn += places;
      try {
        return compile(schema, { isLarge: false });
      } catch {
        /* It looked sound and is not: a thread will say so, too. */
        return undefined;
      }
    },
  };

  function startTurn() {
    placesThisTurn = 0;
  }
}
