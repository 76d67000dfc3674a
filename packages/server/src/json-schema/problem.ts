import { joinPath, type ValueProblem } from '../lib/json-value.ts';
import { clip, quote } from '../lib/sentences.ts';

/** The reason why a value is not a valid schema, and its location. */
export interface SchemaProblem extends ValueProblem {
  readonly kind: 'problem';
}

export function problemAt(path: string, text: string): SchemaProblem {
  return { kind: 'problem', path: clip(path, pathCharactersMax), text };
}

/** Makes a caller's text safe for messages. */
export function shown(text: string): string {
  return quote(text, textCharactersMax);
}

export function pathOfPointer(pointer: string): string {
  const parts = pointerParts(pointer) ?? [];
  return clip(parts.reduce<string>(joinPath, ''), pathCharactersMax);
}

/** Undefined unless it is a JSON pointer in a URL fragment. */
export function pointerParts(reference: string): readonly string[] | undefined {
  if (reference === '#') return [];
  if (!reference.startsWith('#/')) return undefined;
  try {
    return decodeURIComponent(reference.slice(2))
      .split('/')
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    /* A percent sign without a valid escape: not a URL fragment. */
    return undefined;
  }
}

const pathCharactersMax = 200;
const textCharactersMax = 80;
