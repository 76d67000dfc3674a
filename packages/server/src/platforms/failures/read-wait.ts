import { fieldOf, isRecord } from '../../lib/json-value.ts';
import { parseRetryAfterMs } from '../../lib/retry.ts';
import { type WaitLine, waitLines } from '../statements/waits.ts';

type Headers = Readonly<Record<string, string>>;

export interface FailedResponse {
  readonly headers: Headers;
  readonly json: unknown;
  /** By the platform's clock, if given. */
  readonly nowMs: number;
  readonly isThrottled: boolean;
}

export type ReadWait = (response: FailedResponse) => number | undefined;

export const readWait = createWaitReader(waitLines);

export function createWaitReader(lines: readonly WaitLine[]): ReadWait {
  const resets = lines.filter(({ remainingHeader }) => remainingHeader !== undefined);
  const inBody = lines.filter(({ location }) => location.startsWith('error.'));
  const direct = lines.filter((line) => !resets.includes(line) && !inBody.includes(line));
  return ({ headers, json, nowMs, isThrottled }) => {
    const bodyValues = inBody.flatMap(({ location }) => valuesAt(json, location.split('.')));
    const all = [headers, ...bodyValues.filter(isRecord).map(lowerCaseNames)];
    const waits = [
      ...all.flatMap((given) =>
        direct.map((line) => durationMs(given[line.location], line, nowMs)),
      ),
      ...bodyValues.map((value) => durationMs(value, {}, nowMs)),
      ...(isThrottled ? all.map((given) => resetMs(resets, given, nowMs)) : []),
    ];
    return waits.find((waitMs) => waitMs !== undefined);
  };
}

/** Until the last exhausted limit resets; until the first if no remainder is reported. */
function resetMs(lines: readonly WaitLine[], headers: Headers, nowMs: number): number | undefined {
  const usedUp: number[] = [];
  const withoutRemaining: number[] = [];
  for (const line of lines) {
    for (const name of Object.keys(headers)) {
      const limited = limitedBy(line.location, name);
      if (limited === undefined) continue;
      const waitMs = durationMs(headers[name], line, nowMs);
      const remaining = headers[(line.remainingHeader ?? '').replace('*', () => limited)];
      if (waitMs === undefined) continue;
      if (remaining === undefined) withoutRemaining.push(waitMs);
      else if (Number(remaining) <= 0) usedUp.push(waitMs);
    }
  }
  if (usedUp.length > 0) return Math.max(...usedUp);
  return withoutRemaining.length > 0 ? Math.min(...withoutRemaining) : undefined;
}

/** The text for `*` in a header; empty for a location without `*`. */
function limitedBy(location: string, name: string): string | undefined {
  const [before = '', after] = location.split('*');
  if (after === undefined) return name === location ? '' : undefined;
  const isLonger = name.length > before.length + after.length;
  if (!isLonger || !name.startsWith(before) || !name.endsWith(after)) return undefined;
  return name.slice(before.length, name.length - after.length);
}

const itemsMax = 20;

/** `[]` means each item. Gemini wraps its error in a list. */
function valuesAt(value: unknown, [step, ...steps]: readonly string[]): readonly unknown[] {
  if (Array.isArray(value) && step === 'error') return valuesAt(value[0], ['error', ...steps]);
  if (step === undefined) return [value];
  const child = fieldOf(value, step.replace('[]', ''));
  if (!step.endsWith('[]')) return valuesAt(child, steps);
  const items = Array.isArray(child) ? child.slice(0, itemsMax) : [];
  return items.flatMap((item) => valuesAt(item, steps));
}

function lowerCaseNames(headers: Readonly<Record<string, unknown>>): Headers {
  const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), `${value}`]);
  return Object.fromEntries(entries);
}

const lengthMax = 64;

/** Seconds, `1m30.5s`, a date, or epoch seconds or milliseconds. */
function durationMs(value: unknown, { isMs }: Pick<WaitLine, 'isMs'>, nowMs: number) {
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) {
    const number = Number(text);
    if (isMs === true) return number;
    if (number < since1970) return number * 1_000;
    return Math.max(0, (number < since1970 * 1_000 ? number * 1_000 : number) - nowMs);
  }
  if (text.length > lengthMax) return undefined;
  if (/^\d{4}-\d\d-\d\dT/.test(text)) {
    const at = Date.parse(text);
    return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
  }
  return sumOf(text) ?? parseRetryAfterMs(text, nowMs);
}

/** Larger numbers are epoch seconds of 2001 and later, not durations. */
const since1970 = 1_000_000_000;

const unitMs: Readonly<Record<string, number>> = {
  ...{ ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 },
};

function sumOf(text: string): number | undefined {
  const part = /(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/y;
  let sum = 0;
  let end = 0;
  for (let match = part.exec(text); match !== null; match = part.exec(text)) {
    sum += Number(match[1]) * (unitMs[match[2] ?? ''] ?? 0);
    end = part.lastIndex;
  }
  return end === text.length && end > 0 ? sum : undefined;
}
