import { describe, expect, test } from 'vitest';
import { roles } from '../../src/domain/role.ts';
import { makeLoginCode } from '../../src/operations/access/console-sessions.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import type { LineDocument } from '../../src/operations/documents/audit-log.ts';
import { makeSecret } from '../../src/registry/key-format.ts';
import { askConsole, cookieIn, openConsole } from '../support/console.ts';
import { meetChat } from '../support/exchange.ts';
import { sharedOn, storeKinds } from '../support/shared-stack.ts';
import { defaultYaml, openStack } from '../support/stack.ts';

const path = '/admin/v1/session';
const idIn = (cookie: string | undefined) => /=mgs_(\w{12})_/.exec(cookie ?? '')?.[1] ?? '';

describe.each(storeKinds)('another person’s session, on %s', (kind) => {
  const shared = sharedOn(kind, async (store) => ({
    stack: await openStack({
      yaml: defaultYaml.replace('sqlite:./gateway.db', store),
      hasConsole: true,
    }),
  }));

  async function logInWith(cookie: string, name: string) {
    const { stack } = shared();
    const access = { name, role: 'viewer', apps: undefined } as const;
    const code = await stack.clock.run(makeLoginCode(stack.admin, access));
    const made = { method: 'POST', body: { code }, headers: { cookie } };
    return cookieIn((await askConsole(stack)(path, made)).headers);
  }

  async function endsOf(id: string): Promise<readonly LineDocument[]> {
    const { stack } = shared();
    const search = { subject: id, actor: undefined, since: 0, action: 'console.logout', limit: 9 };
    return stack.clock.run(listLines(stack.admin, search));
  }

  test('is not ended by a login whose cookie has only its id', async () => {
    const { ask, cookie = '' } = await openConsole(shared().stack, { role: 'operator' });
    const id = idIn(cookie);
    const secret = (length: number) => (length === id.length ? id : 'x'.repeat(length));
    const wellFormed = makeSecret('mgs', { ...shared().stack.admin.ids, secret }).key;
    const [name = ''] = cookie.split('=');
    for (const value of [`mgs_${id}_x`, `x_${id}`, wellFormed, `${wellFormed}x`]) {
      await logInWith(`${name}=${value}`, 'eve@acme');
      await logInWith(`${name}=${value}; ${cookie}`, 'eve@acme');
      expect([value, (await ask(path)).status]).toEqual([value, 200]);
    }
    expect(await endsOf(id)).toEqual([]);
  });

  test('is ended by a login in its browser, with an audit line', async () => {
    const { ask, cookie = '' } = await openConsole(shared().stack, { role: 'operator' });
    const after = await logInWith(cookie, 'bob@acme');
    expect((await ask(path)).status).toBe(401);
    const via = `viewer session ${idIn(after)}`;
    expect(await endsOf(idIn(cookie))).toMatchObject([{ before: 'operator@acme', via }]);
  });

  test('ends with an audit line when only its person gets another role', async () => {
    const { stack } = shared();
    const name = 'kim@acme';
    const before = await openConsole(stack, { role: 'operator', name });
    const same = await openConsole(stack, { role: 'viewer', name: 'kim@acm' });
    await openConsole(stack, { role: 'viewer', name });
    expect((await before.ask(path)).status).toBe(401);
    expect((await same.ask(path)).status).toBe(200);
    expect(await endsOf(idIn(before.cookie))).toMatchObject([{ before: name }]);
  });

  test('has an id that only people with the right to end it see', async () => {
    const { stack } = shared();
    const operator = await openConsole(stack, { role: 'operator' });
    const finance = await openConsole(stack, { role: 'finance' });
    await meetChat(stack, 'tutor', 'sim-echo', { userId: 'ann' });
    const [call] = (await operator.ask('/admin/v1/calls?app=tutor')).body.items;
    const reason = 'as the bill has it';
    const correction = { usd: '0.00001', reason };
    await finance.ask(`/admin/v1/calls/${call.id}/correction`, { method: 'PUT', body: correction });
    const wallet = '/admin/v1/apps/tutor/wallets/ann';
    const topUp = { method: 'POST', body: { credits: '5', reason } };
    expect((await operator.ask(`${wallet}/entries`, topUp)).status).toBe(200);
    const pages = ['/admin/v1/audit-log', `/admin/v1/calls/${call.id}`, wallet];
    const ids = [idIn(operator.cookie), idIn(finance.cookie)];
    for (const role of roles) {
      const { ask } = await openConsole(stack, { role, name: `x-${role}`, ...appsOf(role) });
      for (const page of pages) {
        const { status, text } = await ask(page);
        const shown = [page, status, ids.filter((id) => text.includes(id)).length > 0];
        const isForbidden = role === 'viewer' && page === wallet;
        expect(shown).toEqual([page, isForbidden ? 403 : 200, role === 'operator']);
        if (!isForbidden && role !== 'operator') expect(text).toContain(' session');
      }
    }
  });
});

/** The apps whose lines a team sees. */
function appsOf(role: string) {
  return role === 'team' ? { apps: ['tutor'] } : {};
}
