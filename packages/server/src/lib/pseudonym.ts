import { createHmac } from 'node:crypto';
import type { KeyRing } from './key-ring.ts';

/** Hexadecimal digits: 96 bits, so that no two users have the same. */
const digits = 24;

/**
 * What an app's user is called where their name is not needed: the same for as long as the ring's
 * newest key is, and nothing that tells who it is. Without a ring it is the name.
 */
export function pseudonymOf(ring: KeyRing | undefined, app: string, userId: string): string {
  return ring === undefined ? userId : underKey(ring, ring.newest, app, userId);
}

/** What a user was called under each key of the ring, by the newest first; the name without one. */
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
