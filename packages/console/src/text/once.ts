/** Makes a value at its first use: a browser needs a millisecond for each format. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
