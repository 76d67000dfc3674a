/** Most operations have the same key as the one before; a new string would be hashed again. */
export function createKeyOf() {
  let last = { a: '', b: '', c: '', key: '\n\n' };
  return (a: string, b: string, c = '') => {
    if (a === last.a && b === last.b && c === last.c) return last.key;
    last = { a, b, c, key: `${a}\n${b}\n${c}` };
    return last.key;
  };
}
