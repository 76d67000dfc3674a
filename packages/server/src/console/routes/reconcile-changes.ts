import { Buffer } from 'node:buffer';
import { checkParts } from '../../admin/invoice-parts.ts';
import { fetchInvoice, importInvoice, planImport } from '../../admin/reconcile-import.ts';
import { planSettlement, settleDay } from '../../admin/reconcile-settle.ts';
import { orNearest } from '../../lib/nearest.ts';
import {
  DaySettled,
  InvoiceFetch,
  InvoiceImported,
  InvoiceUpload,
  Settlement,
} from '../documents/index.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import { answerChange, dayOf, invalid, ofField, requireConfirmed } from './change.ts';

/** A month's export of a large company, and what its base64 takes. */
const uploadBytesMax = 20 * 1_048_576;

/** What platforms bill, beside the books. */
export const reconcileChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/reconcile/import',
    action: 'money',
    apps: 'all',
    summary: "Reads every part of a platform's invoice, in one transaction",
    body: InvoiceUpload,
    bodyBytesMax: uploadBytesMax,
    answer: InvoiceImported,
    async handle({ body, ...asked }) {
      const platform = platformOf(asked, body.platform);
      await ofField('files', checked(body.files));
      const invoice = () => ({ platform, sources: body.files.map(sourceOf) });
      const answer = await answerChange(asked, body, {
        async plan(admin) {
          const result = await ofField('files', planImport(admin, invoice()));
          return { changes: [], result };
        },
        make: (admin) => ofField('files', importInvoice(admin, invoice())),
      });
      return { body: answer };
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
    async handle({ body, platforms, ...asked }) {
      const name = platformOf(asked, body.platform);
      const platform = platforms.find((each) => each.name === name) ?? { name };
      const range = { from: dayOf('from', body.from), to: dayOf('to', body.to) };
      const answer = await answerChange(asked, body, {
        make: (admin) => ofField('platform', fetchInvoice(admin, platform, range)),
      });
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

type File = InvoiceUpload['files'][number];

async function checked(files: readonly File[]) {
  checkParts(files.map(({ name }) => name));
}

function sourceOf(file: File) {
  const bytes =
    'text' in file ? Buffer.from(file.text, 'utf8') : Buffer.from(file.base64, 'base64');
  return { name: file.name, chunks: chunksOf(bytes) };
}

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
