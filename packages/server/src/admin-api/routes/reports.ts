import Type, { type Static } from 'typebox';
import { callsCsv } from '../../operations/calls/calls-csv.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import * as documents from '../../operations/documents.ts';
import { auditLedger } from '../../operations/health/audit-ledger.ts';
import { readFocus } from '../../operations/reports/focus.ts';
import type { JobResult, Tell } from '../../operations/reports/jobs.ts';
import { readSpendRows, rowsMax } from '../../operations/reports/spend.ts';
import { checkUser, masked } from '../../operations/seen.ts';
import type { Who } from '../../operations/who.ts';
import { focusLines } from '../../reports/focus.ts';
import { sumsDocument } from '../../reports/report.ts';
import { reportCsv } from '../../reports/report-csv.ts';
import { rangeOf } from '../queries.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import { dimensionsOf, namesFor } from './spend.ts';

type JobAsked = Static<typeof documents.JobAsked>;
type Work = (tell: Tell) => Promise<JobResult>;
type Making = Pick<Asked, 'admin' | 'who' | 'apps' | 'catalog' | 'config'>;

const dayMs = 86_400_000;

const start = route({
  method: 'POST',
  path: '/admin/v1/reports',
  action: 'spend',
  apps: { byKind: { report: 'own', callsCsv: 'own', audit: 'all' } },
  summary: 'Begins what takes long: a report of any days, an audit, a file of calls',
  body: documents.JobAsked,
  answer: documents.Job,
  status: 202,
  async handle({ body, jobs, ...making }) {
    const asked: JobAsked = body;
    const work = workOf(making, asked);
    const job = jobs.start(ownerOf(making.who), asked.kind, work);
    if (job !== undefined) return { body: job };
    throw new ConsoleError('LIMITED', 'five reports wait already: try again when one has ended');
  },
});

/**
 * Whose a job is: a token's are not those of a person of its name. Another role, or other apps, of
 * the same name do not get the job: it has the data that its owner was allowed to see.
 */
function ownerOf({ via, name, id, role, apps }: Who): string {
  return via === 'token' ? `token:${id}` : JSON.stringify([name, role, apps]);
}

/** What is asked for, refused before it waits. */
function workOf(making: Making, asked: JobAsked): Work {
  const { admin } = making;
  if (asked.kind === 'audit') {
    return async (tell) => {
      tell('checks every rule of the books');
      return { result: await auditLedger(admin) };
    };
  }
  const days = rangeOf(asked, admin.clock.now());
  return asked.kind === 'report' ? reportWork(making, asked, days) : callsWork(making, asked, days);
}

type Days = ReturnType<typeof rangeOf>;

function reportWork(
  { admin, who, apps, catalog, config }: Making,
  asked: Extract<JobAsked, { kind: 'report' }>,
  days: Days,
): Work {
  const { model } = asked;
  const name = `report-${days.from}-${days.to}.csv`;
  if (asked.format === 'focus') {
    const wanted = { ...days, apps, model, top: asked.top };
    return async (tell) => {
      const charges = await readFocus(admin, catalog, wanted, (text) => tell(text));
      return fileOf(name, await focusLines(charges, config));
    };
  }
  const by = dimensionsOf(asked.by.join(','));
  return async (tell) => {
    const isFile = asked.format === 'csv';
    const top = asked.top ?? (isFile ? undefined : rowsMax);
    const found = await readSpendRows(admin, catalog, { ...days, by, apps, model, top }, (text) =>
      tell(text),
    );
    const { rows } = found;
    const seen = namesFor(who, admin.store.ring, by);
    if (isFile) return fileOf(name, await reportCsv(by, rows, seen));
    const shown = rows.map(({ names, sums }) => ({ names: seen(names), sums: sumsDocument(sums) }));
    const total = sumsDocument(found.total);
    return { result: { ...days, by, rows: shown, total, found: found.found } };
  };
}

function fileOf(name: string, lines: readonly string[]): JobResult {
  return { file: { name, text: `${lines.join('\n')}\n` } };
}

function callsWork(
  { admin, who, apps }: Making,
  asked: Extract<JobAsked, { kind: 'callsCsv' }>,
  { from, to }: Days,
): Work {
  const { app, user: userId, key: keyId, model, code } = asked;
  checkUser(who, userId);
  const search = {
    ...{ app, userId, keyId, model, code, apps },
    ...{ since: Date.parse(from), until: Date.parse(to) + dayMs },
    ...{ minPicoUsd: undefined, isEstimated: false },
  };
  return async (tell) => {
    const { text, calls } = await callsCsv(admin, search, {
      seen: (call) => masked(who, admin.store.ring, call),
      onShare: (share) => tell('looks through the calls', share * 100),
    });
    return { file: { name: `calls-${from}-${to}.csv`, text }, result: { calls } };
  };
}

const one = '/admin/v1/reports/:id';

/** Another replica may have it: the words say so, and nothing of whose it is. */
function missing(id: string, { live }: Asked['reads']): ConsoleError {
  return new ConsoleError(
    'NOT_FOUND',
    `there is no report ${id} in ${live.instanceId}: a report stays a day in the process that began it, and ends with it`,
  );
}

const show = route({
  method: 'GET',
  path: one,
  action: 'spend',
  apps: 'none',
  summary: 'How far a report is, and what came of it; kept for a day',
  answer: documents.Job,
  async handle({ who, jobs, reads, parameters }) {
    const job = jobs.find(ownerOf(who), parameters.id);
    if (job === undefined) throw missing(parameters.id, reads);
    return { body: job };
  },
});

const file = route({
  method: 'GET',
  path: '/admin/v1/reports/:id/file',
  action: 'spend',
  apps: 'none',
  summary: 'The file of a report that is done',
  answer: Type.String({ description: 'RFC 4180' }),
  answerType: 'text/csv',
  async handle({ who, jobs, reads, parameters }) {
    const found = jobs.fileOf(ownerOf(who), parameters.id);
    if (found === undefined) throw missing(parameters.id, reads);
    return { csv: found.text, name: found.name };
  },
});

const end = route({
  method: 'DELETE',
  path: one,
  action: 'spend',
  apps: 'none',
  summary: 'Ends a report, and forgets it',
  answer: Type.Object({ ended: Type.Literal(true) }),
  async handle({ who, jobs, reads, parameters }) {
    if (!jobs.end(ownerOf(who), parameters.id)) throw missing(parameters.id, reads);
    return { body: { ended: true } };
  },
});

/** What takes long. */
export const reportRoutes: readonly AnyRoute[] = [start, show, file, end];
