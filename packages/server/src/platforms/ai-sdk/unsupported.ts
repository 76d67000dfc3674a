import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { Encoded } from '../wires/codec/encoded.ts';

/** What an encoder of the AI SDK writes, or in its words what the wire cannot say. */
export async function orProblem(encode: () => Promise<Encoded>): Promise<Encoded> {
  try {
    return await encode();
  } catch (error) {
    if (UnsupportedFunctionalityError.isInstance(error)) return { problem: error.message };
    throw error;
  }
}
