import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { apiErrors, gatewayErrors } from '@model-gateway/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type CommandResult,
  type Desk,
  documentOf,
  openDesk,
} from '../../server/test/cli/support/desk.ts';

let desk: Desk;
let printed: CommandResult;
let document: unknown;
let remainingFiles: readonly string[];
beforeAll(async () => {
  desk = await openDesk();
  const temporary = join(desk.folder, 'temporary');
  await mkdir(temporary);
  vi.stubEnv('TMPDIR', temporary);
  // It needs no configuration: a missing file does not matter.
  printed = await desk.run(['demo', '--config', '/nowhere/gateway.yaml']);
  document = documentOf(await desk.run(['demo', '--json']));
  remainingFiles = await readdir(temporary);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await desk.close();
});

test('the demo leaves nothing behind', () => {
  expect(remainingFiles).toEqual([]);
});

test('the demo reaches each kind of limit and ends successfully', () => {
  expect(printed).toMatchObject({ code: 0, errors: [] });
  expect(document).toMatchObject({ ok: true });
  const steps = stepsOf(document);
  const codes = steps.map(({ code }) => code);
  for (const code of [
    'OK',
    'FORBIDDEN',
    'UNAUTHORIZED',
    'NO_SERVICE',
    'DISABLED',
    'TOO_MANY_REQUESTS',
    'LIMIT_EXCEEDED',
    'REQUEST_TOO_LONG',
    'BUDGET_EXCEEDED',
    'MODEL_NOT_PRICED',
    'MODEL_NOT_ALLOWED',
    'TRUNCATED',
    'THROTTLED',
    'TIMEOUT',
  ]) {
    expect(codes).toContain(code);
  }
  for (const step of steps) {
    expect(Object.keys(step)).toEqual(['group', 'id', 'title', 'status', 'code', 'says', 'ok']);
    expect(step.ok).toBe(true);
    if (step.code !== 'OK') expect(step.status).toBe(statusOf(String(step.code)));
  }
  expect(new Set(steps.map(({ id }) => id)).size).toBe(steps.length);
});

test('the demo prints every step with its status, its code and the caller’s message', () => {
  const text = printed.out.join('\n');
  const flat = text.replaceAll(/\s+/g, ' ');
  for (const { title, status, code } of stepsOf(document)) {
    expect(flat).toContain(`${title} ${status} ${code}: `);
  }
  expect(text).toContain('"Hello, gateway!" for 24 tokens in and 4 out: $0.000006');
  expect(text).toContain('Next: npx model-gateway serve');
  for (const line of printed.out) expect(line.length).toBeLessThanOrEqual(100);
});

function stepsOf(report: unknown): readonly Record<string, unknown>[] {
  if (typeof report !== 'object' || report === null || !('steps' in report)) return [];
  return Array.isArray(report.steps) ? report.steps : [];
}

function statusOf(code: string): number | undefined {
  const rules = Object.entries({ ...gatewayErrors, ...apiErrors });
  return rules.find(([name]) => name === code)?.[1].status;
}
