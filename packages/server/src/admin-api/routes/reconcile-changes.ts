import { lastDayOfMonth } from '../../lib/clock.ts';
import { orNearest } from '../../lib/nearest.ts';
import {
  DaySettled,
  InvoiceFetch,
  InvoiceImported,
  InvoiceUpload,
  RawInvoice,
  Settlement,
} from '../../operations/documents.ts';
import { checkParts } from '../../operations/reconcile/invoice-parts.ts';
import { fetchInvoice } from '../../operations/reconcile/reconcile-fetch.ts';
import {
  type InvoiceImport,
  importInvoice,
  planImport,
} from '../../operations/reconcile/reconcile-import.ts';
import { planSettlement, settleDay } from '../../operations/reconcile/reconcile-settle.ts';
import { jsonType, mediaType } from '../http.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import type { UploadThread } from '../uploads/uploads.ts';
import { answerChange, dayOf, invalid, ofField, requireConfirmed } from './change.ts';

const bodyBytesMax = 20 * 1_048_576;
/** The largest month of a company, uncompressed. */
const fileBytesMax = 1_024 * 1_048_576;
const pagesType = 'application/x-ndjson';

/** What platforms bill, beside the books. */
export const reconcileChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/reconcile/import',
    action: 'money',
    apps: 'all',
    summary: "Imports a platform's invoice: all its files in JSON, or one raw file",
    query: RawInvoice,
    files: { types: ['text/csv', pagesType, 'application/octet-stream'], json: InvoiceUpload },
    answer: InvoiceImported,
    async handle(asked) {
      const { request, uploads } = asked;
      const isJson = jsonType.test(request.headers['content-type'] ?? '');
      const importing = isJson ? importFiles : importRawFile;
      return uploads.run(request.gone, async (thread) => ({
        body: await importing(asked, thread),
      }));
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/reconcile/fetch',
    action: 'money',
    apps: 'all',
    summary: 'Asks a platform what it bills on these UTC days, and imports that',
    body: InvoiceFetch,
    answer: InvoiceImported,
    async handle({ body, platforms, uploads, ...asked }) {
      const name = platformOf(asked, body.platform);
      const platform = platforms.find((each) => each.name === name) ?? { name };
      const range = { from: dayOf('from', body.from), to: dayOf('to', body.to) };
      const answer = await uploads.run(asked.request.gone, ({ read }) =>
        answerChange(asked, body, {
          make: (admin) => ofField('platform', fetchInvoice(admin, platform, range, read)),
        }),
      );
      return { body: answer };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/reconcile/settle',
    action: 'money',
    apps: 'all',
    summary: 'Books the estimates of a final day as it was billed',
    body: Settlement,
    answer: DaySettled,
    async handle({ body, catalog, ...asked }) {
      const day = dayOf('day', body.day);
      if (body.dryRun !== true) requireConfirmed(body.confirm, day);
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await ofField('day', planSettlement(admin, catalog, day));
          const changes = result.map(({ platform, app, model, beforeUsd, afterUsd }) => {
            const subject = `${app} on ${platform}, ${day}, ${model ?? 'all models'}`;
            return { action: 'invoice.settle', subject, before: beforeUsd, after: afterUsd };
          });
          return { changes, result };
        },
        make: (admin) => ofField('day', settleDay(admin, catalog, day)),
      });
      return { body: answer };
    },
  }),
];

/** A platform of the configuration. */
function platformOf({ config }: Pick<Asked, 'config'>, name: string): string {
  const names = config.platforms.map((platform) => platform.name);
  if (names.includes(name)) return name;
  throw invalid('platform', `${JSON.stringify(name)} is none of ${orNearest(name, names)}`);
}

type Importing = Asked<string, RawInvoice>;

/** A body of JSON with every file of an invoice. */
async function importFiles({ query, ...asked }: Importing, thread: UploadThread) {
  const [field] = Object.keys(query);
  if (field !== undefined) throw invalid(field, 'a body of JSON has its own; leave out the query');
  const upload = await thread.open(await asked.request.body(bodyBytesMax));
  const platform = platformOf(asked, upload.platform);
  await ofField('files', checked(upload.fileNames));
  return importRead(asked, upload, { platform, field: 'files', read: thread.readFiles });
}

/** A body that is one whole file of an invoice. */
async function importRawFile({ query, ...asked }: Importing, thread: UploadThread) {
  const { platform: name, month, reason, dryRun } = query;
  if (name === undefined) throw invalid('platform', 'a raw file needs it in the query');
  if (month === undefined) throw invalid('month', 'a raw file needs it in the query');
  const platform = platformOf(asked, name);
  const { request } = asked;
  const hasPages = mediaType(request.headers['content-type'] ?? '') === pagesType;
  const source = { name: 'the file', chunks: request.chunks(fileBytesMax), hasPages };
  return importRead(
    asked,
    { reason, dryRun: dryRun === 'true' },
    {
      ...{ platform, field: 'body', within: monthRange(month) },
      read: () => thread.read([source]),
    },
  );
}

async function importRead(
  asked: Omit<Importing, 'query'>,
  { reason, dryRun }: { readonly reason: string | undefined; readonly dryRun?: boolean },
  { field, ...invoice }: InvoiceImport & { readonly field: string },
) {
  const admin = { ...asked.admin, reason };
  return answerChange({ admin }, dryRun === undefined ? {} : { dryRun }, {
    async plan(planning) {
      return { changes: [], result: await ofField(field, planImport(planning, invoice)) };
    },
    make: (making) => ofField(field, importInvoice(making, invoice)),
  });
}

async function checked(names: readonly string[]) {
  checkParts(names);
}

function monthRange(month: string) {
  return { from: `${month}-01`, to: lastDayOfMonth(month) };
}
