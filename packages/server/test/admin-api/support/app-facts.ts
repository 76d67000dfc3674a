import { makeRun } from '../../runs/run-stack.ts';
import type { Browser } from '../../support/console.ts';
import { meetChat } from '../../support/exchange.ts';
import type { Stack } from '../../support/stack.ts';

/** The values of an app that a request can name. */
export interface OfApp {
  readonly app: string;
  readonly user: string;
  readonly call: string;
  readonly key: string;
  readonly run: string;
  /** A report of a login that sees the app. */
  readonly report: string;
}

export type SendAs = Browser['ask'];

/** An app that does not exist. */
export const unknown: OfApp = {
  ...{ app: 'nowhere', user: 'nan', call: 'call_nowhere', key: 'nokey', run: 'run_nowhere' },
  report: 'job_nowhere',
};

export async function factsOf(
  stack: Stack,
  send: SendAs,
  { app, user }: Pick<OfApp, 'app' | 'user'>,
): Promise<OfApp> {
  await meetChat(stack, app, 'sim-echo', { userId: user });
  const { runId: run } = await makeRun(stack, app);
  const body = { credits: '5', reason: `for ${user}` };
  const path = `/admin/v1/apps/${app}/wallets/${user}/entries`;
  await send(path, { method: 'POST', body });
  const call = await firstId(send, `/admin/v1/calls?app=${app}`);
  const key = await firstId(send, `/admin/v1/apps/${app}/keys`);
  return { app, user, call, key, run, report: unknown.report };
}

async function firstId(send: SendAs, path: string): Promise<string> {
  const { items } = (await send(path)).body;
  return String(items[0].id);
}

/** A finished report of everything that a login can see. */
export async function reportOf({ clock }: Stack, send: SendAs): Promise<string> {
  const body = { kind: 'callsCsv', from: '2026-11-01', to: '2026-11-30' };
  const created = await send('/admin/v1/reports', { method: 'POST', body });
  await clock.advance(1);
  return String(created.body.id);
}

/** The parts of an app that a request could change. */
export async function stateOf(send: SendAs, of: OfApp) {
  const paths = [
    ...[`calls?app=${of.app}`, `calls/${of.call}`, `apps/${of.app}/keys`, `runs?app=${of.app}`],
    ...[`apps/${of.app}/wallets/${of.user}`, `audit-log?app=${of.app}`],
    ...['budgets', 'reconcile'],
  ];
  return Promise.all(paths.map(async (path) => (await send(`/admin/v1/${path}`)).text));
}

/** The text with the same names for the values of every app. */
export function renamed(text: string, of: OfApp): string {
  const facts = Object.entries(of).toSorted(([, one], [, other]) => other.length - one.length);
  return facts.reduce((masked, [name, value]) => masked.replaceAll(value, `<${name}>`), text);
}
