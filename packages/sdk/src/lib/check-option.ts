import { isRecord } from './is-record.ts';

/** The longest wait of a Node timer; a longer one would fire at once. */
const timerMsMax = 2_147_483_647;

/** The options as a record; a TypeError for a non-object or an unknown name. */
export function checkNames(
  owner: string,
  value: unknown,
  known: readonly string[],
): Readonly<Record<string, unknown>> {
  const names = known.join(', ');
  if (!isRecord(value)) {
    throw new TypeError(`${owner}: the options must be an object with ${names}`);
  }
  for (const name of Object.keys(value)) {
    if (known.includes(name)) continue;
    throw new TypeError(`${owner}: unknown option ${name}; known options: ${names}`);
  }
  return { ...value };
}

/** A number of milliseconds that a timer can wait for; `otherwise` is the default. */
export function checkTimer(owner: string, name: string, value: unknown, otherwise: string): number {
  if (typeof value === 'number' && value > 0 && value <= timerMsMax) return value;
  throw new TypeError(
    `${owner}: ${name} must be milliseconds above 0 and at most ${timerMsMax}; ` +
      `it is ${show(value)}. Omit it for ${otherwise}`,
  );
}

/** A whole number from 1; `hint` completes the error message. */
export function checkCount(owner: string, name: string, value: unknown, hint: string): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1) return value;
  throw new TypeError(
    `${owner}: ${name} must be a whole number of at least 1; it is ${show(value)}${hint}`,
  );
}

/** Rejects any value but undefined or a function. */
export function checkFunction(owner: string, name: string, value: unknown, use: string): void {
  if (value === undefined || typeof value === 'function') return;
  throw new TypeError(`${owner}: ${name} must be a function${use}`);
}

function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
