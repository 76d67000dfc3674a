/** Compiles only if both types are identical. */
export function assertSame<One, Other>(
  _isSame: (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2
    ? true
    : 'the types differ',
): void {}
