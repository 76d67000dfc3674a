import fc from 'fast-check';

/** Up to this number of positions at which bytes are cut. */
export function cutsOf(bytes: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat(bytes), { maxLength: 30 });
}

/** Bytes in the pieces between the cuts; some of them are empty. */
export function splitAt(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const offsets = [0, ...cuts, bytes.length].sort((one, other) => one - other);
  return offsets.slice(1).map((offset, index) => bytes.subarray(offsets[index], offset));
}
