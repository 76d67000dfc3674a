import type { Clock } from '../../lib/clock.ts';
import { type PlanSlice, type PlanWish, StoreError } from '../port.ts';
import type { Contact } from './contact.ts';
import { drawPlans } from './draw-plans.ts';
import { failureOf, isStaleConnection } from './failure.ts';
import type { StatementNames } from './statement-name.ts';
import { type Answer, createTrip, type Trip, type Wire } from './trip.ts';
import { createTripConnection } from './trip-connection.ts';

/** Draws from plans, one transaction after the other. */
export interface PlanDrawer {
  draw(wishes: readonly PlanWish[], now: number | undefined): Promise<readonly PlanSlice[]>;
  close(): Promise<void>;
}

/** How often a draw is tried in all. */
const triesMax = 3;

/**
 * A drawer with a connection of its own, on which its statement is planned once: that takes longer
 * than all else of a draw. `begin` has what begins a transaction.
 */
export function createPlanDrawer(parts: {
  readonly url: string;
  readonly begin: readonly string[];
  readonly clock: Clock;
  readonly names: StatementNames;
  readonly contact: Contact;
}): PlanDrawer {
  const { begin, names, contact } = parts;
  const connection = createTripConnection({ ...parts, onLost: contact.lost });
  let last: Promise<unknown> = Promise.resolve();
  return {
    draw(wishes, now) {
      // Two transactions cannot share a connection.
      const slices = last.then(() => drawPlans(transact, wishes, now));
      last = slices.catch(() => undefined);
      return slices;
    },
    close: connection.close,
  };

  /** What was drawn and never heard of is lost, so a draw may always be repeated. */
  async function transact(ask: (trip: Trip) => Answer): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      const wire = await connection.open();
      if ('error' in wire) throw wire.error;
      try {
        return await tryOnce(wire, ask);
      } catch (error) {
        connection.drop(wire.client);
        const isUnnamed = failureOf(error) === 'unnamed';
        if (isUnnamed) names.lost(error);
        if (tries === triesMax || !(isUnnamed || isStaleConnection(error))) throw error;
      }
    }
  }

  /** In one round trip: nobody waits for a lock that a replica holds while it does nothing. */
  async function tryOnce(wire: Wire, ask: (trip: Trip) => Answer): Promise<Answer> {
    const trip = createTrip(wire, { isNamed: names.isNamed() });
    for (const statement of begin) trip.ask(statement);
    const answer = ask(trip);
    const commit = trip.ask('commit');
    await trip.go();
    if (commit.tag !== 'COMMIT') throw new StoreError(`the commit came to ${commit.tag}`);
    return answer;
  }
}
