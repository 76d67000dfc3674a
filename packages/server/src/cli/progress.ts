import type { CommandContext } from './process/context.ts';

const progressMs = 1_000;

/** Prints at most once a second. */
export function createProgress({ clock, warn }: CommandContext): (what: string) => void {
  let nextMs = clock.monotonic() + progressMs;
  return (what) => {
    if (clock.monotonic() < nextMs) return;
    nextMs = clock.monotonic() + progressMs;
    warn(`reading ${what}`);
  };
}
