import { type Clock, systemClock } from '../../src/lib/clock.ts';

const dayMs = 86_400_000;
const startedAt = Date.now();
const offset = Math.floor(startedAt / dayMs) * dayMs + dayMs / 2 - startedAt;

/**
 * The machine's clock, set to noon of today when it is loaded. A test that books a call and then
 * reads the day's calls fails on the machine's own clock when midnight passes between the two.
 */
export const noonClock: Clock = { ...systemClock, now: () => systemClock.now() + offset };
