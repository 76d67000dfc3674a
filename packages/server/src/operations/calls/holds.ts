import { firstCallIdAt } from '../../lib/id.ts';
import type { Query } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import { selectRunning, selectRunningCount } from '../../store/queries/running.ts';
import * as tables from '../../store/schema/tables.ts';
import { appRow } from '../apps/apps.ts';
import { withOperatorReads } from '../context/context.ts';
import { maskCall } from '../context/masking.ts';
import { app, count, line, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { dollars, tableLines } from '../description/text-lines.ts';
import type { HoldDocument } from '../documents/calls.ts';
import { holdDocument } from './call-document.ts';
import { callId } from './call-filters.ts';
import { idSlackMs } from './find-calls.ts';

const list = operation({
  name: 'holds list',
  about:
    'list open reservations (holds) of running calls, oldest first: call, amount and start time',
  right: 'look',
  http: ['GET /apps/:app/holds'],
  input: { app: optional(app('only calls of this app')) },
  example: { app: 'search' },
  result: async () => (await import('../documents/calls.ts')).HoldDocuments,
  async run({ admin, session }, { app: name }) {
    const { store } = admin;
    const map: Query<readonly HoldDocument[]>['map'] = (rows) =>
      rows.map((row) => maskCall(session, store.ring, holdDocument(tables.holds.read(row))));
    if (name === undefined) return store.read({ sql: sql.selectHolds, values: [], map });
    await appRow(admin, name);
    const holds = await store.read({ sql: sql.selectHoldsOfApp, values: [name], map });
    return holds.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  },
  lines: (open) =>
    tableLines(
      ['call', 'app', 'user', 'model', 'reserved', 'started', 'expires'],
      open.map((hold) => [
        ...[hold.id, hold.app, hold.userId ?? '-', hold.model, dollars(hold.heldUsd)],
        ...[hold.startedAt, hold.expiresAt],
      ]),
      'No reservations: no call is running.',
      ['reserved'],
    ),
});

const limitDefault = 50;
const limitMax = 200;

const newest = operation({
  name: 'holds newest',
  about: 'list and count running calls, newest first',
  right: 'look',
  http: ['GET /holds'],
  apps: 'own',
  input: {
    app: optional(app('only calls of this app')),
    model: optional(line(200, 'only calls of this model', 'id')),
    after: optional(callId('continue after this call, the last of the previous page')),
    limit: optional(count(limitMax, `maximum rows, up to ${limitMax} (default: ${limitDefault})`)),
  },
  commands: [],
  result: async () => (await import('../documents/calls.ts')).RunningCalls,
  async run({ admin, session, apps }, { app: name, model, after, limit = limitDefault }) {
    const { store, clock } = withOperatorReads(admin);
    if (name !== undefined) await appRow(admin, name);
    const before = after ?? firstCallIdAt(clock.now() + idSlackMs);
    const matches = await store.read(selectRunning({ apps, model }, before, limit + 1));
    const items = matches
      .slice(0, limit)
      .map((hold) => maskCall(session, store.ring, holdDocument(hold)));
    return {
      items,
      after: matches.length > limit ? (items.at(-1)?.id ?? null) : null,
      count: await store.read(selectRunningCount({ apps, model })),
    };
  },
});

/** The same list under the common name, without another route. */
const reservationsList: Operation = operation({ ...list, name: 'reservations list', http: [] });

export const reservations: readonly Operation[] = [reservationsList];
export const holds: readonly Operation[] = [list, newest];
