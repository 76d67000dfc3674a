import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import type { Encoded } from '../wires/codec/encoded.ts';

/** Returns the library's reason when the wire cannot express the request. */
export async function orProblem(encode: () => Promise<Encoded>): Promise<Encoded> {
  try {
    return await encode();
  } catch (error) {
    if (UnsupportedFunctionalityError.isInstance(error)) return { problem: error.message };
    throw error;
  }
}
