import { createHmac } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/** 96 bits, so no two users collide. */
const digits = 24;

/** Hides the user and changes with the ring's newest key. Without a ring it is the name. */
export function pseudonymOf(ring: KeyRing | undefined, app: string, userId: string): string {
  return ring === undefined ? userId : underKey(ring, ring.newest, app, userId);
}

/** One per key, newest first; without a ring, the name. */
export function pseudonymsOf(
  ring: KeyRing | undefined,
  app: string,
  userId: string,
): readonly string[] {
  if (ring === undefined) return [userId];
  return ring.keys().map(({ id }) => underKey(ring, id, app, userId));
}

function underKey(ring: KeyRing, id: string, app: string, userId: string): string {
  const key = ring.derive(id, 'users');
  if (key === undefined) throw new Error(`the ring has no key ${id}`);
  const digest = createHmac('sha256', key)
    .update(JSON.stringify([app, userId]))
    .digest('hex');
  return `u_${digest.slice(0, digits)}`;
}
