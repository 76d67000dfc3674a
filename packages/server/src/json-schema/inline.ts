import { nextTurn } from '../lib/clock.ts';
import { compile, type SchemaText, type Validate } from './compile.ts';

/** On the request thread, a few per turn of the event loop. */
export interface InlineCompiler {
  /** Undefined when this turn's budget is used, or it cannot compile. */
  compile(schema: SchemaText, places: number): Validate | undefined;
}

/** `placesMax` is per turn of the event loop, since compilations add up. */
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
