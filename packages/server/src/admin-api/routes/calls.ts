import Type from 'typebox';
import { noSuchCall } from '../../operations/app-of.ts';
import { findCallId } from '../../operations/calls/call-ids.ts';
import { findDearest } from '../../operations/calls/dearest-calls.ts';
import { type CallSearch, findCalls } from '../../operations/calls/find-calls.ts';
import { readReceipt } from '../../operations/calls/receipt.ts';
import * as documents from '../../operations/documents.ts';
import { checkUser, masked, maskedActor, maskedCall } from '../../operations/seen.ts';
import { flagText, instantOf, instantText, limitOf, limitText, name, usdOf } from '../queries.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import { checkIsThere } from './today.ts';

const filters = {
  app: Type.Optional(name),
  user: Type.Optional(name),
  key: Type.Optional(name),
  model: Type.Optional(name),
  code: Type.Optional(name),
  since: Type.Optional(instantText),
  until: Type.Optional(instantText),
  minUsd: Type.Optional(name),
  estimated: Type.Optional(flagText),
  limit: Type.Optional(limitText),
} as const;

const dearest = route({
  method: 'GET',
  path: '/admin/v1/dearest-calls',
  action: 'spend',
  apps: 'own',
  summary: 'Finished calls that cost something, the dearest first',
  query: Type.Object(filters, { additionalProperties: false }),
  answer: documents.DearestCalls,
  async handle({ admin, who, apps, query }) {
    const { calls: found, unsearched } = await findDearest(
      admin,
      await searchOf({ admin, who, apps, query }),
    );
    return {
      body: { items: found.map((call) => masked(who, admin.store.ring, call)), unsearched },
    };
  },
});

const calls = route({
  method: 'GET',
  path: '/admin/v1/calls',
  action: 'spend',
  apps: 'own',
  summary: 'Finished calls, the newest first',
  query: Type.Object(
    {
      ...filters,
      after: Type.Optional(
        Type.String({ pattern: '^call_[0-9a-z]{10,40}$', rule: 'the id of a call' }),
      ),
    },
    { additionalProperties: false },
  ),
  answer: documents.CallsPage,
  async handle({ admin, who, apps, query }) {
    const search = await searchOf({ admin, who, apps, query });
    const found = await findCalls(admin, { ...search, after: query.after });
    const items = found.calls.map((call) => masked(who, admin.store.ring, call));
    return { body: { items, after: found.after, searchedBackTo: found.searchedBackTo } };
  },
});

/** What a query looks for, among what who asks may see. */
async function searchOf({
  admin,
  who,
  apps,
  query,
}: Pick<Asked, 'admin' | 'who' | 'apps'> & {
  readonly query: Type.Static<Type.TObject<typeof filters>>;
}): Promise<Omit<CallSearch, 'after'>> {
  const { app, user: userId, key: keyId, model, code } = query;
  checkUser(who, userId);
  if (app !== undefined) await checkIsThere(admin, app);
  return {
    ...{ app, userId, keyId, model, code, apps },
    since: instantOf(query.since, 'since'),
    until: instantOf(query.until, 'until'),
    minPicoUsd: usdOf(query.minUsd, 'minUsd'),
    isEstimated: query.estimated === 'true',
    limit: limitOf(query.limit),
  };
}

const call = route({
  method: 'GET',
  path: '/admin/v1/calls/:id',
  action: 'spend',
  apps: 'own',
  summary: "A call's receipt, by its own id, its request's or a platform's",
  answer: documents.Receipt,
  async handle({ admin, who, apps, parameters }) {
    const id = await findCallId(admin, parameters.id, apps);
    if (id === undefined) throw noSuchCall(parameters.id);
    const receipt = await readReceipt(admin, id);
    const remarks = receipt.remarks.map((remark) => maskedActor(who, remark));
    const shown = maskedCall(who, admin.store.ring, receipt.call);
    return { body: { ...receipt, remarks, call: shown } };
  },
});

/** Finished calls. */
export const callRoutes: readonly AnyRoute[] = [dearest, calls, call];
