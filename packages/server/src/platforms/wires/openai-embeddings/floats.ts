import { bodyLimits } from '@model-gateway/contract';
import type { Vector } from '../../../domain/vector.ts';
import { hasLongNumber } from '../../../lib/json-size.ts';

const none: Vector = [];

export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** Little-endian 32-bit floats; empty for invalid base64. */
export function floatsIn(text: string): Vector {
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

/** Commas close together, which are cheap to check, rule out a number that is too long. */
export function hasLongItem(text: string): boolean {
  const { jsonNumberCharactersMax } = bodyLimits;
  let start = 0;
  while (text.length - start > jsonNumberCharactersMax) {
    const commaAt = text.lastIndexOf(',', start + jsonNumberCharactersMax);
    if (commaAt < start) return hasLongNumber(text);
    start = commaAt + 1;
  }
  return false;
}
