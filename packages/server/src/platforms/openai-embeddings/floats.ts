import type { Vector } from '../../domain/vector.ts';

const none: Vector = [];

/** Whether it is a number that can be written as JSON. */
export function isNumber(value: unknown): value is number {
  return Number.isFinite(value);
}

/** The 32-bit floats of a text in base64, the lowest byte first; none for what is no such text. */
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
