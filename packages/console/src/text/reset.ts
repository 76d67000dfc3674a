import { dayText } from './days.ts';

const dayMs = 86_400_000;

/** `in 9 h 13 min`, or the day: `Dec 1`. */
export function resetText(at: string, nowMs: number): string {
  const left = Date.parse(at) - nowMs;
  if (Number.isNaN(left)) return '–';
  if (left < 0 || left > dayMs) return dayText(at);
  const minutes = Math.floor(left / 60_000);
  return minutes < 60
    ? `in ${minutes} min`
    : `in ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
