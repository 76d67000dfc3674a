import fc from 'fast-check';

/** Places at which up to so many bytes are cut. */
export function cutsOf(bytes: number): fc.Arbitrary<readonly number[]> {
  return fc.array(fc.nat(bytes), { maxLength: 30 });
}

/** Bytes in the pieces between the cuts; some of them are empty. */
export function cutUp(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts, bytes.length].sort((one, other) => one - other);
  return places.slice(1).map((place, index) => bytes.subarray(places[index], place));
}
