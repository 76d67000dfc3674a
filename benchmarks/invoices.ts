import { createWriteStream, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { start } from '../harness/process.ts';
import { type Scope, withScope } from '../harness/scope.ts';
import { measureUploads } from './invoices/uploads.ts';
import { makeDataFolder } from './processes/data-folder.ts';
import { peakMegabytesOf } from './processes/peak-memory.ts';

// Imports a month of a large company's Cost and Usage Report with `reconcile import`, in its own
// process: 1,000,000 rows of 48 columns, as a file and compressed, into an empty SQLite. Then
// uploads raw files to a running service, and measures the added memory and a caller's longest
// wait.

const rows = 1_000_000;
const secondsMax = 60;
const megabytesMax = 300;
const apps = 40;
const models = ['openai.gpt-oss-120b', 'openai.gpt-5.6-luna', 'anthropic.claude-haiku-4-5'];
const kinds = ['input', 'output', 'cache-read'];
const launcher = join(import.meta.dirname, '../packages/server/bin/model-gateway.js');

/** Columns that the reader skips; filled, since skipping them costs time too. */
const others = [
  ...['bill_bill_type', 'bill_billing_entity', 'bill_billing_period_end_date'],
  ...['bill_billing_period_start_date', 'bill_invoicing_entity', 'bill_payer_account_id'],
  ...['bill_payer_account_name', 'cost_category', 'discount', 'discount_total_discount'],
  ...['identity_line_item_id', 'identity_time_interval', 'line_item_availability_zone'],
  ...['line_item_blended_cost', 'line_item_blended_rate', 'line_item_legal_entity'],
  ...['line_item_line_item_description', 'line_item_net_unblended_cost'],
  ...['line_item_net_unblended_rate', 'line_item_normalization_factor'],
  ...['line_item_normalized_usage_amount', 'line_item_operation', 'line_item_resource_id'],
  ...['line_item_tax_type', 'line_item_unblended_rate', 'line_item_usage_account_id'],
  ...['line_item_usage_account_name', 'pricing_currency', 'pricing_lease_contract_length'],
  ...['pricing_offering_class', 'pricing_public_on_demand_cost', 'pricing_public_on_demand_rate'],
  ...['pricing_purchase_option', 'pricing_rate_code', 'pricing_rate_id', 'pricing_term'],
  ...['product', 'product_comment', 'product_from_location'],
];
const head = [
  ...others,
  ...['line_item_usage_start_date', 'line_item_usage_end_date', 'line_item_product_code'],
  ...['line_item_usage_type', 'line_item_usage_amount', 'pricing_unit'],
  ...['line_item_unblended_cost', 'line_item_currency_code', 'line_item_line_item_type'],
  'resource_tags',
];

process.exitCode = (await withScope(900_000, measure)) ? 0 : 1;

async function measure(scope: Scope): Promise<boolean> {
  const folder = makeDataFolder(scope);
  const plain = join(folder, 'report.csv');
  const packed = join(folder, 'report.csv.gz');
  await pipeline(Readable.from(report()), createWriteStream(plain));
  await pipeline(Readable.from(report()), createGzip({ level: 1 }), createWriteStream(packed));
  const asFile = await importOf(folder, plain);
  const asGzip = await importOf(folder, packed);
  const uploaded = await measureUploads(scope, { folder, launcher, report: packed });
  return asFile && asGzip && uploaded;
}

async function importOf(folder: string, report: string): Promise<boolean> {
  const name = report.endsWith('.gz') ? 'gzip' : 'csv';
  const config = join(folder, `${name}.yaml`);
  writeFileSync(
    config,
    [
      `company: acme\nstore: sqlite:./${name}.db`,
      'platforms: { aws: { kind: bedrock-mantle, region: us-east-1, apiKey: none } }',
      'apps: [{ name: search }]\n',
    ].join('\n'),
  );
  const words = ['reconcile', 'import', '--platform', 'aws', '--file', report, '--json'];
  const startedMs = performance.now();
  const importing = start(process.execPath, [launcher, ...words, '--config', config], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, peakMegabytesOf(importing.child.pid));
  }, 100);
  const code = await importing.ended;
  clearInterval(timer);
  const seconds = (performance.now() - startedMs) / 1_000;
  const out = importing.stdout();
  const isRight = code === 0 && JSON.parse(out).totalUsd === expectedUsd();
  console.log(
    `${name}: ${rows} rows of ${head.length} columns in ${seconds.toFixed(1)} s, at most ${peakMegabytes} MB; ${isRight ? 'exact' : `WRONG: ${out}`}`,
  );
  return isRight && seconds <= secondsMax && peakMegabytes > 0 && peakMegabytes <= megabytesMax;
}

/** Hours, apps, models and kinds in turn, in pieces of a thousand rows. */
function* report(): Generator<string> {
  yield `${head.join(',')}\n`;
  const filler = others.map((name, index) => `${name.slice(0, 12)}-${index}`).join(',');
  const own = String(Math.floor(rows / 1_000));
  for (let piece = 0; piece < Number(own); piece++) {
    const lines = [];
    for (let at = 0; at < 1_000; at++) lines.push(rowAt(piece * 1_000 + at, filler));
    yield `${lines.join('\n')}\n`;
  }
}

function rowAt(n: number, filler: string): string {
  const hour = new Date(Date.UTC(2026, 10, 1, n % 720)).toISOString().slice(0, 19);
  const app = `app-${n % apps}`;
  const model = models[n % models.length];
  const kind = kinds[Math.floor(n / 3) % kinds.length];
  const tags = `"{""user_app"":""${app}"",""user_project"":""prod-acme-core-${app}""}"`;
  const cost = `0.${String(n % 1_000_000).padStart(12, '0')}`;
  const usage = `USE1-${model}-mantle-${kind}-tokens-standard,${n % 997}.5,1K tokens`;
  return `${filler},${hour}Z,${hour}Z,AmazonBedrock,${usage},${cost},USD,Usage,${tags}`;
}

/** 0 + 1 + … + 999,999 pico-USD. */
function expectedUsd(): string {
  return ((rows * (rows - 1)) / 2 / 1e12).toFixed(12).replace(/0+$/, '');
}
