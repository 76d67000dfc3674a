import { setTimeout as sleep } from 'node:timers/promises';
import { awsExport } from './aws-export.ts';
import type { AttackJob } from './jobs.ts';
import type { OperatorAttack } from './vector.ts';

// Operators' daily work at an excessive rate: files, open consoles, new keys.

type Count = (status: number) => void;

/** The service rejects larger files and closes their connection. */
const uploadBytes = 20 * 1_048_576;
const uploadsAtOnce = 2;
const consoles = 50;
const scrapers = 16;
const keyMs = 1_000;
const pollMs = 5_000;
/** The pause after a rejection. */
const againMs = 250;

/** Works through the admin listener until the process ends. Counts the responses. */
export function workAsOperators(job: AttackJob, { work }: OperatorAttack, count: Count) {
  if (work === 'uploads') {
    const bodies = uploads();
    for (let at = 0; at < uploadsAtOnce; at++) void uploadRepeatedly(job, bodies, count);
  } else if (work === 'consoles') {
    for (let at = 0; at < consoles; at++) void watchRepeatedly(job, count);
    for (let at = 0; at < scrapers; at++) void readRepeatedly(job, '/metrics', 0, count);
    void readRepeatedly(job, '/ready', keyMs, count);
  } else {
    void issueRepeatedly(job, count);
  }
}

interface Upload {
  readonly type: string;
  readonly path: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Deep, wide and valid files: each has the maximum size, or the maximum number of rows. */
function uploads(): readonly Upload[] {
  const path = '/admin/v1/reconcile/import';
  const wrapped = (text: string) => ({ path, type: 'application/json', body: bytesOf(text) });
  const names = Array.from({ length: 1_200_000 }, (_, at) => `"n${at}":1`);
  return [
    wrapped('['.repeat(uploadBytes - 1)),
    wrapped(`{${names.join(',')}}`),
    {
      path: `${path}?platform=aws&month=2026-10`,
      type: 'application/octet-stream',
      body: awsExport(500_000),
    },
  ];
}

async function uploadRepeatedly(job: AttackJob, bodies: readonly Upload[], count: Count) {
  for (let at = 0; ; at++) {
    const upload = bodies[at % bodies.length];
    if (upload === undefined) return;
    const { path, type, body } = upload;
    const headers = { 'content-type': type };
    const status = await request(job, path, { method: 'POST', body, headers });
    count(status);
    if (status >= 400) await sleep(againMs);
  }
}

/** Like a page, it follows the events, and polls where it gets none. */
async function watchRepeatedly(job: AttackJob, count: Count) {
  for (;;) {
    count(await request(job, '/admin/v1/events'));
    count(await request(job, '/admin/v1/overview'));
    await sleep(pollMs);
  }
}

async function readRepeatedly(job: AttackJob, path: string, everyMs: number, count: Count) {
  for (;;) {
    const status = await request(job, path);
    count(status);
    await sleep(status === 200 ? everyMs : againMs);
  }
}

async function issueRepeatedly(job: AttackJob, count: Count) {
  for (let at = 0; ; at++) {
    const body = JSON.stringify({ email: `person-${at}@acme.example`, reason: 'a new person' });
    const headers = { 'content-type': 'application/json' };
    count(await request(job, '/admin/v1/apps/attacker/keys', { method: 'POST', body, headers }));
    await sleep(keyMs);
  }
}

/** The status, once the response has ended; 0 without a response. */
async function request(
  { admin }: AttackJob,
  path: string,
  init: RequestInit = {},
): Promise<number> {
  const headers = { ...init.headers, authorization: `Bearer ${admin.token}` };
  try {
    const response = await fetch(`${admin.url}${path}`, { ...init, headers });
    for await (const _ of response.body ?? []);
    return response.status;
  } catch {
    // The listener is full, or has closed the connection.
    return 0;
  }
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
