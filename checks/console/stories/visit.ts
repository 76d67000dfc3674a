import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Role } from '../../../packages/server/src/domain/role.ts';
import { makeLoginCode } from '../../../packages/server/src/operations/access/console-sessions.ts';
import { issueKey } from '../../../packages/server/src/operations/keys/keys.ts';
import type { Browser, Page } from '../browser/driver.ts';
import type { House } from '../house.ts';
import { artefacts } from '../install.ts';
import { type Hands, handsOn, type Manner } from './hands.ts';

/** A person who visits the console of a house. */
export interface Visit {
  readonly house: House;
  readonly page: Page;
  readonly hands: Hands;
}

/** A person's identity in the console. */
export interface Person {
  readonly role: Role;
  readonly apps?: readonly string[];
}

/** Opens a person's own window, logs in by a link, runs a story, and closes the window. */
export async function visit(
  parts: { readonly browser: Browser; readonly house: House; readonly manner: Manner },
  person: Person,
  run: (visit: Visit) => Promise<void>,
): Promise<void> {
  const { browser, house, manner } = parts;
  const { role, apps } = person;
  const context = await browser.newContext({ colorScheme: 'light', acceptDownloads: true });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  try {
    await logIn(page, house, { name: `${role}-${manner}@acme`, role, apps });
    await run({ house, page, hands: handsOn(page, manner) });
  } catch (error) {
    await page.screenshot({
      path: join(artefacts, `failed-${role}-${manner}-${Date.now()}.png`),
      fullPage: true,
    });
    throw error;
  } finally {
    await context.close();
  }
  if (faults.length > 0) throw new Error(`the page has failed: ${faults.join('; ')}`);
}

/** Opens Today by a one-time link. */
export async function logIn(
  page: Page,
  { service, adminUrl }: House,
  access: Parameters<typeof makeLoginCode>[1],
): Promise<void> {
  const code = await makeLoginCode(service.admin, access);
  await page.goto(`${adminUrl}/console/login#code=${code}`);
  await page.getByRole('heading', { name: 'Today' }).first().waitFor();
}

/** Makes a call as an app; returns its status and its ids. */
export async function call(
  { service, url }: House,
  app: string,
  options: { readonly key?: string; readonly model?: string; readonly userId?: string } = {},
) {
  const { key = await newKey({ service }, app), model = 'gpt-5.4-mini', userId } = options;
  const messages = [{ role: 'user', content: 'Hello' }];
  const response = await fetch(`${url}/v1/chat`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages, maxTokens: 20, userId }),
  });
  const body = await response.text();
  const { headers, status } = response;
  const message = /"message":"([^"\\]*)/.exec(body)?.[1] ?? '';
  const requestId = headers.get('x-request-id') ?? '';
  return { status, message, requestId, callId: headers.get('x-call-id') };
}

/** The pause between two calls: within the rate limit of one key. */
export const betweenCallsMs = 50;

/** Repeats a call until the status changes, for 20 s; returns the last status. */
export async function statusAfter(
  former: number,
  ...[house, app, options]: Parameters<typeof call>
): Promise<number> {
  const deadline = Date.now() + 20_000;
  for (;;) {
    const { status } = await call(house, app, options);
    if (status !== former || Date.now() > deadline) return status;
    await setTimeout(betweenCallsMs);
  }
}

/** A new key of an app, which the service accepts at once. */
export async function newKey({ service }: Pick<House, 'service'>, app: string): Promise<string> {
  const { key } = await issueKey(service.admin, { app, email: 'team@acme.example' });
  await service.registry.refresh();
  return key;
}

/** Throws an Error with `what` if the condition is false. */
export function expect(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}
