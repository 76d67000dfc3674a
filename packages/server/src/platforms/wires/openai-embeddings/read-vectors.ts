import type { Vector } from '../../../domain/vector.ts';
import { fieldOf } from '../../../lib/json-value.ts';
import { floatsIn, isNumber } from './floats.ts';

const none: Vector = [];

/**
 * In the order of the texts; unreadable vectors are empty. Undefined for another shape or a
 * repeated index. `read`: vectors parsed on arrival, to which the answer has indexes.
 */
export function readVectors(
  data: unknown,
  read?: readonly Vector[],
): readonly Vector[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const vectors: Vector[] = new Array(data.length).fill(none);
  const filled = new Uint8Array(data.length);
  for (const [position, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? position;
    if (typeof index !== 'number' || filled[index] !== 0) return [];
    filled[index] = 1;
    vectors[index] = vectorOf(fieldOf(entry, 'embedding'), read);
  }
  return vectors;
}

function vectorOf(embedding: unknown, read: readonly Vector[] | undefined): Vector {
  if (typeof embedding === 'string') return read?.[Number(embedding)] ?? floatsIn(embedding);
  return Array.isArray(embedding) && embedding.every(isNumber) ? embedding : none;
}
