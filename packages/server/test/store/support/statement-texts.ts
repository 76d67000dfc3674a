/**
 * Every SQL text that a module exports: as a text, a statement, a list of them, or the result of a
 * function with any arguments.
 */
export function statementTexts(module: object): readonly string[] {
  return Object.values(module).flatMap((value: unknown) => textsOf(value));
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'function') return textsOf(Reflect.apply(value, undefined, anything));
  if (typeof value === 'string') return startsLikeSql.test(value) ? [inOneLine(value)] : [];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value !== 'object' || value === null) return [];
  return 'sql' in value ? textsOf(value.sql) : [];
}

const startsLikeSql = /^\s*(select|insert|update|delete|with)\s/;

function inOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** A list, an object, a text, a number: a statement's text is the same with any values. */
const anyValue: object = new Proxy(['x'], {
  get(target, name) {
    if (name === Symbol.toPrimitive) return () => '2026-11-21';
    if (name in target) return Reflect.get(target, name);
    return anyValue;
  },
});
const anything = [anyValue, anyValue, anyValue, anyValue];

/** The texts, each once and in order, as a readable file. */
export function statementFile(texts: readonly string[]): string {
  return [...new Set(texts)].toSorted().map(wrapped).join('\n\n').concat('\n');
}

function wrapped(text: string): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= 100) {
      lines.push(line);
      line = '  ';
    }
    line += line.trim() === '' ? word : ` ${word}`;
  }
  return [...lines, `${line};`].join('\n');
}
