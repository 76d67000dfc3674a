import type { Vector } from '../../domain/vector.ts';
import { fieldOf } from '../../lib/json-value.ts';

const none: Vector = [];

/**
 * The vectors of an answer in the order of its texts, each of them empty that is none; undefined
 * for an answer of another shape. A server that writes an index twice has answered something else.
 */
export function readVectors(data: unknown): readonly Vector[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const vectors: Vector[] = new Array(data.length).fill(none);
  const filled = new Uint8Array(data.length);
  for (const [position, entry] of data.entries()) {
    const index = fieldOf(entry, 'index') ?? position;
    if (typeof index !== 'number' || filled[index] !== 0) return [];
    filled[index] = 1;
    vectors[index] = vectorOf(fieldOf(entry, 'embedding'));
  }
  return vectors;
}

function vectorOf(embedding: unknown): Vector {
  if (typeof embedding === 'string') return floatsIn(embedding);
  return Array.isArray(embedding) && embedding.every(isNumber) ? embedding : none;
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** The 32-bit floats of a text in base64, the lowest byte first. */
function floatsIn(text: string): Vector {
  const bytes = Buffer.from(text, 'base64');
  const isWhole = bytes.length % 4 === 0 && bytes.length === Buffer.byteLength(text, 'base64');
  if (!isWhole) return none;
  const floats = new Float32Array(bytes.length / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let index = 0; index < floats.length; index++) {
    const float = view.getFloat32(index * 4, true);
    if (!Number.isFinite(float)) return none;
    floats[index] = float;
  }
  return floats;
}
