import { isError } from './is-error.ts';
import { isObject } from './is-record.ts';

/** Removes one key from everything that an error shows. */
export interface Redactor {
  /** The text without the key. */
  text(text: string): string;
  /**
   * The cause itself when no part of it can show the key, else a copy with its name, message, stack
   * and code. Errors of a replaced `fetch` often contain the whole request, headers included.
   */
  cause(cause: unknown): unknown;
}

/** Below this length a "key" is a word of a test, and its removal would garble ordinary texts. */
const secretLengthMin = 6;
const depthMax = 5;
const valuesMax = 500;

/** Makes the redactor of a client's key. */
export function createRedactor(apiKey: string): Redactor {
  const holdsKey = (text: string): boolean =>
    apiKey.length >= secretLengthMin && text.includes(apiKey);
  const redact = (text: string): string =>
    holdsKey(text) ? text.replaceAll(apiKey, '[api key]') : text;

  return {
    text: redact,
    cause: (cause) => (isHarmless(cause, holdsKey) ? cause : copyOf(cause, redact, 0)),
  };
}

/** Only values that surely print as they look here are harmless: no getters, no foreign classes. */
function isHarmless(root: unknown, holdsKey: (text: string) => boolean): boolean {
  let valuesSeen = 0;
  return visit(root, 0);

  function visit(value: unknown, depth: number): boolean {
    valuesSeen += 1;
    if (typeof value === 'string') return !holdsKey(value);
    if (typeof value === 'function') return false;
    if (!isObject(value)) return true;
    if (depth > depthMax || valuesSeen > valuesMax) return false;
    if (isError(value)) {
      if (holdsKey(`${value.name}\n${value.message}\n${value.stack}`)) return false;
    } else if (!isPlain(value)) return false;
    return Reflect.ownKeys(value).every((key) => visitProperty(value, key, depth));
  }

  function visitProperty(owner: object, key: string | symbol, depth: number): boolean {
    // Newer Nodes make `stack` an own getter; its text was checked already.
    if (key === 'stack' && isError(owner)) return true;
    const property = Reflect.getOwnPropertyDescriptor(owner, key);
    if (property === undefined || !('value' in property)) return false;
    return !holdsKey(String(key)) && visit(property.value, depth + 1);
  }
}

function copyOf(value: unknown, redact: (text: string) => string, depth: number): unknown {
  if (typeof value === 'string') return redact(value);
  if (!isError(value)) return new Error('not shown: it might contain the key');
  const inner = value.cause === undefined || depth >= depthMax ? undefined : value.cause;
  const copy = new Error(
    redact(value.message),
    inner === undefined ? {} : { cause: copyOf(inner, redact, depth + 1) },
  );
  copy.name = redact(value.name);
  copy.stack = redact(value.stack ?? `${value.name}: ${value.message}`);
  const code: unknown = Reflect.get(value, 'code');
  if (typeof code === 'string') Object.assign(copy, { code: redact(code) });
  return copy;
}

function isPlain(value: object): boolean {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
