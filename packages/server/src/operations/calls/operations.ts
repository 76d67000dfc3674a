import { formatUsd } from '../../lib/money.ts';
import { badValue } from '../context/admin-error.ts';
import { maskActor, maskCall, maskRow } from '../context/masking.ts';
import { insteadOfFlag } from '../description/deprecated.ts';
import {
  argument,
  flag,
  type Input,
  id,
  line,
  oneOf,
  optional,
  text,
  usd,
} from '../description/field.ts';
import { type Operating, type Operation, operation } from '../description/operation.ts';
import { sameReference } from '../description/text-lines.ts';
import { day } from '../description/time-fields.ts';
import { erasureLines } from '../users/erase-user.ts';
import { callId, filters, searchOf } from './call-filters.ts';
import { findCall } from './calls.ts';
import { correctCall, planCorrection } from './corrections.ts';
import { findCallId, findCalls, noSuchCall } from './find-calls.ts';
import { callLines, callListLines, correctionLines, repricedLines } from './lines.ts';
import { findMostExpensive } from './most-expensive-calls.ts';
import { readReceipt } from './receipt.ts';
import { planReprice, repriceCalls } from './reprice.ts';
import { stats } from './stats-operation.ts';

const orders = ['newest', 'cost'] as const;
const orderHelp = 'newest, or cost: most expensive first, searched for up to 2 s (default: newest)';

const list = operation({
  name: 'calls list',
  about: 'list finished calls, newest first',
  right: 'spend',
  http: ['GET /calls'],
  apps: 'own',
  opens: 'store',
  input: {
    ...filters,
    order: optional(insteadOfFlag('dearest', 'cost', oneOf(orders, orderHelp, 'order'))),
    after: optional(callId('continue after this call, the last of the previous page')),
  },
  example: { app: 'search' },
  commands: [{ document: ({ items: calls, ...page }) => ({ calls, ...page }) }],
  result: async () => (await import('../documents/calls-pages.ts')).CallList,
  async run(operating, { order, after, ...search }) {
    if (order === 'cost' && after !== undefined)
      throw badValue('after', 'a list by cost has no next page; remove after');
    if (order === 'cost') return listMostExpensive(operating, search);
    const { calls: rows, ...page } = await findCalls(operating.admin, {
      ...searchOf(operating, search),
      after,
    });
    return { items: maskCalls(operating, rows), ...page };
  },
  warnings: async ({ admin }, { app: name, user }) =>
    user === undefined ? [] : erasureLines(admin, { app: name, userId: user }),
  lines: callListLines,
});

const mostExpensive = operation({
  name: 'calls dearest',
  about: 'list finished calls with a cost, most expensive first',
  right: 'spend',
  http: ['GET /dearest-calls'],
  replacedBy: 'GET /admin/v1/calls?order=cost',
  apps: 'own',
  input: filters,
  commands: [],
  result: async () => (await import('../documents/calls-pages.ts')).MostExpensiveCalls,
  run: listMostExpensive,
});

async function listMostExpensive(operating: Operating, search: Input<typeof filters>) {
  const { calls: rows, unsearched } = await findMostExpensive(
    operating.admin,
    searchOf(operating, search),
  );
  return { items: maskCalls(operating, rows), unsearched };
}

function maskCalls<Row extends { readonly app: string; readonly userId: string | null }>(
  { session, admin }: Operating,
  rows: readonly Row[],
): readonly Row[] {
  return rows.map((call) => maskRow(session, admin.store.ring, call));
}

const show = operation({
  name: 'calls show',
  about: 'show a call with its result, attempts and cost',
  right: 'spend',
  opens: 'store',
  input: { id: argument(id("call id, or the gateway's request id")) },
  example: { id: 'call_01' },
  result: async () => (await import('../documents/calls.ts')).ShownCall,
  run: ({ admin }, input) => findCall(admin, input.id),
  lines: callLines,
});

const receipt = operation({
  name: 'calls receipt',
  about: "show a call's receipt, by call id, request id or the platform's id for the call",
  right: 'spend',
  http: ['GET /calls/:id'],
  apps: 'own',
  input: { id: id("call id, request id, or the platform's id for the call") },
  commands: [],
  result: async () => (await import('../documents/calls.ts')).Receipt,
  async run({ admin, session, apps }, input) {
    const callId = await findCallId(admin, input.id, apps);
    if (callId === undefined) throw noSuchCall(input.id);
    const read = await readReceipt(admin, callId);
    const remarks = read.remarks.map((remark) => maskActor(session, remark));
    return { ...read, remarks, call: maskCall(session, admin.store.ring, read.call) };
  },
});

const correction = {
  id: argument(id('call id')),
  usd: usd('actual cost in USD, exact decimal'),
  reference: optional(
    line(255, 'idempotency reference: one correction per reference', 'reference'),
  ),
};

const correct = operation({
  name: 'calls correct',
  about: "correct a finished call's cost, once per reference",
  right: 'money',
  kind: 'change',
  http: ['PUT /calls/:id/correction'],
  apps: { of: 'call' },
  opens: 'store',
  input: correction,
  example: { id: 'call_01', usd: '0.0125' },
  commands: [
    {
      input: { ...correction, force: flag('same as --yes') },
      toInput: ({ force: _, ...given }) => given,
      document: ({ call }) => call,
    },
  ],
  result: async () => (await import('../documents/calls.ts')).CorrectedCall,
  async plan({ admin, session }, input) {
    const planned = await planCorrection(admin, correctionOf(input));
    const { costUsd: before, usd: after, isDone } = planned;
    const changed = { action: 'call.correct', subject: input.id, before, after };
    const call = maskCall(session, admin.store.ring, await findCall(admin, input.id));
    return { changes: isDone || before === after ? [] : [changed], result: { ...planned, call } };
  },
  danger: {
    async subject(input, { admin }) {
      const { isLarge, isDone } = await planCorrection(admin, correctionOf(input));
      return isLarge && !isDone ? input.id : undefined;
    },
    intent: (planned) => (planned.isLarge && !planned.isDone ? correctionLines(planned) : []),
    planned: correctionLines,
  },
  async run({ admin, session }, input) {
    const planned = await planCorrection(admin, correctionOf(input));
    const call = await correctCall(admin, correctionOf(input));
    return { ...planned, call: maskCall(session, admin.store.ring, call) };
  },
  warnings: async ({ admin }, input) =>
    (await planCorrection(admin, correctionOf(input))).isDone ? [sameReference] : [],
  lines: ({ call }) => callLines(call),
});

function correctionOf({ id: callId, usd: cost, reference }: Input<typeof correction>) {
  return { callId, usd: formatUsd(cost), reference };
}

const reprice = operation({
  name: 'calls reprice',
  about: 'rebook past calls of a model at its current price',
  right: 'money',
  kind: 'change',
  opens: 'store',
  needs: ['catalog'],
  input: {
    model: text('model id; it must have a price', 'id'),
    since: day('first UTC day to reprice'),
  },
  example: { model: 'house-model', since: '2026-11-21' },
  result: async () => (await import('../documents/calls.ts')).RepriceResult,
  plan: async ({ admin, catalog }, input) => ({
    changes: [],
    result: await planReprice(admin, catalog, input),
  }),
  danger: {
    subject: ({ model }) => model,
    intent: (planned) => [
      "Calls will be rebooked at their model's current price:",
      ...repricedLines(planned),
    ],
  },
  run: ({ admin, catalog }, input) => repriceCalls(admin, catalog, input),
  lines: repricedLines,
});

export const calls: readonly Operation[] = [
  list,
  mostExpensive,
  stats,
  show,
  receipt,
  correct,
  reprice,
];
