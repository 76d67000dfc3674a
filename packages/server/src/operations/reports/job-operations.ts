import { focusLines } from '../../reports/focus.ts';
import { reportCsv, sumsDocument } from '../../reports/report.ts';
import { callsCsv } from '../calls/calls-csv.ts';
import { ConsoleError } from '../context/console-error.ts';
import { checkUser, maskRow } from '../context/masking.ts';
import type { JobResult, ProgressReporter } from '../context/parts.ts';
import type { Session } from '../context/session.ts';
import { rangeFields, rangeOf, refuseFaults, requestFaults } from '../description/day-range.ts';
import {
  app,
  appNames,
  flag,
  type Input,
  id,
  line,
  oneOf,
  optional,
} from '../description/field.ts';
import { type Operating, type Operation, ofType, operation } from '../description/operation.ts';
import { auditLedger } from '../health/audit.ts';
import { readFocus, withVendors } from './focus.ts';
import { splits, topRows } from './report-fields.ts';
import { readSpendRows, rowsMax } from './spend.ts';
import { namesFor, rowsMost, splitsMax } from './spend-operations.ts';

type Work = (reportProgress: ProgressReporter) => Promise<JobResult>;

const result = async () => (await import('../documents/jobs.ts')).Job;
const right = 'spend';
const dayMs = 86_400_000;

const input = {
  kind: oneOf(['report', 'audit', 'callsCsv'], 'kind of job', 'kind'),
  ...rangeFields,
  by: optional(splits(splitsMax)),
  apps: optional(appNames('only these apps')),
  top: topRows(rowsMost),
  format: optional(oneOf(['json', 'csv', 'focus'], 'format (default: json)', 'format')),
  app: optional(app('only calls of this app')),
  user: optional(line(200, 'only calls of this user', 'id')),
  key: optional(line(200, 'only calls of this key', 'id')),
  model: optional(line(200, 'only calls of this model', 'id')),
  code: optional(line(200, 'only calls with this result code', 'code')),
  platform: optional(line(200, 'only calls of this platform', 'name')),
  failed: flag('only failed calls: result code other than OK'),
};
type JobInput = Input<typeof input>;

const days = ['month', 'from', 'to'];
const fieldsOf: Readonly<Record<JobInput['kind'], readonly string[]>> = {
  report: [...days, 'by', 'apps', 'model', 'top', 'format'],
  audit: [],
  callsCsv: [...days, 'app', 'user', 'key', 'model', 'code', 'platform', 'failed'],
};

const start = operation({
  name: 'jobs start',
  about: 'start a long job: a report, an audit of every rule, or a file of calls',
  right,
  http: ['POST /reports'],
  apps: { byKind: { report: 'own', callsCsv: 'own', audit: 'all' } },
  needs: ['catalog', 'platformFacts', 'jobs'],
  commands: [],
  input,
  check({ kind, ...fields }) {
    refuseFaults([
      ...Object.entries(fields).map(([name, value]) => {
        const isOfOther = value !== undefined && !fieldsOf[kind].includes(name);
        return [isOfOther, name, `is an unknown field of ${kind}`] as const;
      }),
      ...requestFaults(fields),
    ]);
  },
  status: 202,
  result,
  async run(operating, request) {
    const work = worksOf[request.kind](operating, request);
    const job = operating.jobs.start(ownerOf(operating.session), request.kind, work);
    if (job !== undefined) return job;
    throw new ConsoleError('LIMITED', '5 reports are already queued; try again when one has ended');
  },
});

/**
 * Separates a token's jobs from those of a person with the same name. Another role or other apps do
 * not get the job: it contains data that its owner could see.
 */
function ownerOf({ via, name, id: of, role, apps }: Session): string {
  return via === 'token' ? `token:${of}` : JSON.stringify([name, role, apps]);
}

type JobContext = Operating<'catalog' | 'platformFacts'>;

/** Rejects invalid requests before the job waits. */
const worksOf: Readonly<
  Record<JobInput['kind'], (context: JobContext, request: JobInput) => Work>
> = {
  audit:
    ({ admin }) =>
    async (reportProgress) => {
      reportProgress('checking the rules of the ledger');
      return { result: await auditLedger(admin) };
    },
  report: reportWork,
  callsCsv: callsWork,
};

function reportWork(context: JobContext, request: JobInput): Work {
  const { admin, session, apps, catalog, platformFacts: platforms } = context;
  const { by = ['app'], model, format } = request;
  const range = rangeOf(request, admin.clock.now());
  const name = `report-${range.from}-${range.to}.csv`;
  return async (reportProgress) => {
    const progress = (text: string) => reportProgress(text);
    if (format === 'focus') {
      const query = { ...range, apps, model, top: request.top };
      const charges = await readFocus(admin, catalog, query, progress);
      return fileOf(
        name,
        await focusLines(charges, { ...admin, platforms: withVendors(platforms) }),
      );
    }
    const isFile = format === 'csv';
    const query = { ...range, by, apps, model, top: request.top ?? (isFile ? undefined : rowsMax) };
    const { rows, total, found } = await readSpendRows(admin, catalog, query, progress);
    const maskNames = namesFor(session, admin.store.ring, by);
    if (isFile) return fileOf(name, await reportCsv(by, rows, maskNames));
    const shown = rows.map(({ names, sums }) => ({
      names: maskNames(names),
      sums: sumsDocument(sums),
    }));
    return { result: { ...range, by, rows: shown, total: sumsDocument(total), found } };
  };
}

function fileOf(name: string, lines: readonly string[]): JobResult {
  return { file: { name, text: `${lines.join('\n')}\n` } };
}

function callsWork({ admin, session, apps }: JobContext, request: JobInput): Work {
  const { from, to } = rangeOf(request, admin.clock.now());
  const { app: of, user: userId, key: keyId, model, code, platform, failed } = request;
  checkUser(session, userId);
  const search = {
    ...{ app: of, userId, keyId, model, code, platform, isFailed: failed === true, apps },
    ...{ since: Date.parse(from), until: Date.parse(to) + dayMs },
    ...{ minPicoUsd: undefined, isEstimated: false },
  };
  return async (reportProgress) => {
    const { text, calls } = await callsCsv(admin, search, {
      mask: (call) => maskRow(session, admin.store.ring, call),
      onShare: (share) => reportProgress('reading the calls', share * 100),
    });
    return { file: { name: `calls-${from}-${to}.csv`, text }, result: { calls } };
  };
}

const one = { id: id('report id') };

/** Another replica may have the job. The message admits this, and names no owner. */
function requireJob<T>(job: T | undefined, { reads }: Operating<'reads'>, jobId: string): T {
  if (job !== undefined) return job;
  const { instanceId } = reads.live;
  throw new ConsoleError(
    'NOT_FOUND',
    `report ${jobId} is not in the process ${instanceId}; reports exist for 1 day, only in the process that created them`,
  );
}

const show = operation({
  name: 'jobs show',
  about: "show a report's progress and result; stored for 1 day",
  right,
  http: ['GET /reports/:id'],
  apps: 'none',
  needs: ['jobs', 'reads'],
  commands: [],
  input: one,
  result,
  run: async (operating, { id: of }) =>
    requireJob(operating.jobs.find(ownerOf(operating.session), of), operating, of),
});

const file = operation({
  name: 'jobs file',
  about: 'download the file of a finished report',
  right,
  http: ['GET /reports/:id/file'],
  apps: 'none',
  needs: ['jobs', 'reads'],
  commands: [],
  input: one,
  isFile: true,
  result: ofType<{ readonly csv: string; readonly name: string }>(),
  async run(operating, { id: of }) {
    const { text, name } = requireJob(
      operating.jobs.fileOf(ownerOf(operating.session), of),
      operating,
      of,
    );
    return { csv: text, name };
  },
});

const end = operation({
  name: 'jobs end',
  about: 'end a report and delete it',
  right,
  http: ['DELETE /reports/:id'],
  apps: 'none',
  needs: ['jobs', 'reads'],
  commands: [],
  input: one,
  result: async () => (await import('../documents/jobs.ts')).JobEnded,
  async run(operating, { id: of }) {
    const isEnded = operating.jobs.end(ownerOf(operating.session), of);
    return { ended: requireJob(isEnded || undefined, operating, of) };
  },
});

export const jobs: readonly Operation[] = [start, show, file, end];
