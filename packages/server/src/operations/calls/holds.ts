import type { Query } from '../../store/port/port.ts';
import * as sql from '../../store/queries/operator-statements.ts';
import * as tables from '../../store/schema/tables.ts';
import { appRow } from '../apps/apps.ts';
import { maskedCall } from '../context/seen.ts';
import { app, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { dollars, tableLines } from '../description/text-lines.ts';
import type { HoldDocument } from '../documents/calls.ts';
import { holdDocument } from './call-document.ts';

const list = operation({
  name: 'holds list',
  about: 'list the open holds: which running call holds how much, since when; the oldest first',
  right: 'look',
  http: ['GET /apps/:app/holds'],
  input: { app: optional(app('only those of one app')) },
  example: { app: 'search' },
  result: async () => (await import('../documents/calls.ts')).HoldDocuments,
  async run({ admin, who }, { app: name }) {
    const { store } = admin;
    const map: Query<readonly HoldDocument[]>['map'] = (rows) =>
      rows.map((row) => maskedCall(who, store.ring, holdDocument(tables.holds.read(row))));
    if (name === undefined) return store.read({ sql: sql.selectHolds, values: [], map });
    await appRow(admin, name);
    const holds = await store.read({ sql: sql.selectHoldsOfApp, values: [name], map });
    return holds.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  },
  lines: (open) =>
    tableLines(
      ['call', 'app', 'user', 'model', 'held', 'started', 'expires'],
      open.map((hold) => [
        ...[hold.id, hold.app, hold.userId ?? '-', hold.model, dollars(hold.heldUsd)],
        ...[hold.startedAt, hold.expiresAt],
      ]),
      'Nothing is held: no call is running.',
      ['held'],
    ),
});

export const holds: readonly Operation[] = [list];
