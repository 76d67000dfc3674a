import { nextUtcMonthMs, utcMonthOf } from '../../lib/clock.ts';
import { listedNames } from '../../lib/nearest.ts';
import { pseudonymOf, pseudonymsOf } from '../../lib/pseudonym.ts';
import { isWalletOwner, userIdRule } from '../../registry/user-id.ts';
import { putErasure, selectErasures, selectHoldsOf } from '../../store/queries/erasures.ts';
import type { UserErasure } from '../../store/schema/erasure-table.ts';
import { appRow } from '../apps/apps.ts';
import { AdminError } from '../context/admin-error.ts';
import { auditLine } from '../context/audit-line.ts';
import type { AdminContext } from '../context/context.ts';
import { withLease } from '../context/lease.ts';
import { type Field, FieldFault, field } from '../description/field.ts';
import type { UserErased } from '../documents/wallets.ts';
import { eraseClosed, type OpenErasure, openErasures } from './erasures.ts';

type Owner = Pick<UserErased, 'app' | 'userId'>;

/**
 * Throws an AdminError for an unregistered app, a user with a running call, or a missing pseudonym
 * key.
 */
export async function planErasure(context: AdminContext, owner: Owner): Promise<UserErased> {
  const { pseudonym, through } = await erasureOf(context, owner);
  return { ...owner, pseudonym, calls: null, namedUntil: endOf(through) };
}

/**
 * Past records lose the name at once, other records when they end. Sums stay, under a pseudonym.
 * Throws as {@link planErasure} does.
 */
export async function eraseUser(context: AdminContext, owner: Owner): Promise<UserErased> {
  return withLease(context, eraseLease, async () => {
    const erasure = await erasureOf(context, owner);
    const { app, pseudonym, through } = erasure;
    const subject = `${app}/${pseudonym}`;
    const line = auditLine(context, { action: 'user.erase', subject, after: `through ${through}` });
    await context.store.write([putErasure(erasure), line]);
    const { calls, isDone } = await eraseClosed(context, erasure);
    return { ...owner, pseudonym, calls, namedUntil: isDone ? null : endOf(through) };
  });
}

/** One process at a time: others would repeat the same work. */
export const eraseLease = 'users erase';

/** Finds erasures by the user's name; `app` undefined: any app. */
export async function findErasures(
  { store }: AdminContext,
  { app, userId }: { readonly app: string | undefined; readonly userId: string },
): Promise<readonly UserErasure[]> {
  const all = await store.read(selectErasures(app));
  return all.filter(
    (erasure) =>
      erasure.userId === userId ||
      pseudonymsOf(store.ring, erasure.app, userId).includes(erasure.pseudonym),
  );
}

/** Names the pseudonym of an erased user's data. */
export async function erasureLines(
  admin: AdminContext,
  user: Parameters<typeof findErasures>[1],
): Promise<readonly string[]> {
  return (await findErasures(admin, user)).map(({ app, pseudonym, askedAt, doneAt }) => {
    const requestedAt = new Date(askedAt).toISOString();
    const rest = doneAt === undefined ? '; current records still have the name' : '';
    const past = `past records are under ${pseudonym}${rest}`;
    return `This user of ${app} was erased on ${requestedAt}; ${past}.`;
  });
}

async function erasureOf(context: AdminContext, owner: Owner): Promise<OpenErasure> {
  const { store, clock } = context;
  const { app, userId } = owner;
  await appRow(context, app);
  if (store.ring === undefined) {
    throw new AdminError(
      'erasing a user requires a key ring: set MODEL_GATEWAY_KEYS for the service and this command (docs/operations.md#the-key-ring), restart the service, and try again',
    );
  }
  const holds = await store.read(selectHoldsOf(app, userId));
  if (holds.length > 0) {
    const calls = listedNames(holds.map(({ callId }) => callId));
    throw new AdminError(
      `this user has running calls: ${calls}; wait until they end, then try again`,
    );
  }
  const open = await openErasures(context);
  const before = open.find((each) => each.app === app && each.userId === userId);
  const nowMs = clock.now();
  // An erasure in progress keeps its pseudonym, whichever key is the newest by now.
  const pseudonym = before?.pseudonym ?? pseudonymOf(store.ring, app, userId);
  const through = utcMonthOf(nowMs);
  return { app, userId, pseudonym, through, askedAt: nowMs, doneAt: undefined };
}

function endOf(through: string): string {
  return new Date(nextUtcMonthMs(Date.parse(`${through}-01`))).toISOString();
}

export function userField(about: string): Field<string> {
  return field(
    { type: 'string' },
    {
      ...{ about, placeholder: 'user' },
      decode(checked) {
        const text = String(checked);
        if (isWalletOwner(text)) return text;
        throw new FieldFault(userIdRule);
      },
    },
  );
}
