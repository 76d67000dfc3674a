import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findSession, makeLoginCode } from '../../src/operations/access/console-sessions.ts';
import { listLines } from '../../src/operations/audit-log/audit-log.ts';
import { hashKey } from '../../src/registry/key-ring.ts';
import { askConsole, cookieIn, type Login, loginIn, openConsole } from '../support/console.ts';
import { defaultYaml, openStack, type Stack } from '../support/stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());

const path = '/admin/v1/session';
const ann = { name: 'ann@acme', role: 'operator', apps: undefined } as const;
const newCode = () => stack.clock.run(makeLoginCode(stack.admin, ann));
const logIn = (code: string, headers = {}) =>
  askConsole(stack)(path, { method: 'POST', body: { code }, headers });

describe('a login by a link', () => {
  test('opens one session; the code is spent', async () => {
    const code = await newCode();
    const first = await logIn(code);
    expect(first).toMatchObject({ status: 200, body: { name: 'ann@acme', role: 'operator' } });
    expect(first.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^mg_8788=mgs_\w{12}_\w{49}\.\w{64}; Path=\/; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    expect(await logIn(code)).toMatchObject({ status: 401 });
  });

  test('with one code succeeds once of two simultaneous attempts', async () => {
    const code = await newCode();
    const both = await Promise.all([logIn(code), logIn(code)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401]);
  });

  test('has a code that is valid for 5 minutes', async () => {
    const code = await newCode();
    await stack.clock.advance(300_000);
    expect((await logIn(code)).status).toBe(401);
  });

  test('gets a new id for the browser, and ends the old one', async () => {
    const before = await openConsole(stack, { role: 'operator' });
    const after = await logIn(await newCode(), { cookie: before.cookie });
    expect(cookieIn(after.headers)).not.toBe(before.cookie);
    expect((await before.ask(path)).status).toBe(401);
  });

  test('leaves no secret in the log or audit log, and has an audit line', async () => {
    const code = await newCode();
    const { headers, body } = await logIn(code);
    const lines = await stack.clock.run(
      listLines(stack.admin, { subject: undefined, actor: 'console:ann@acme', since: 0, limit: 1 }),
    );
    expect(lines).toMatchObject([{ action: 'console.login', after: 'operator' }]);
    const all = JSON.stringify([lines, stack.logLines]);
    expect(all).not.toContain(code.slice(17));
    expect(all).not.toContain(cookieIn(headers).slice(25));
    expect(all).not.toContain(body.pageSecret.slice(13));
  });

  test('allows 10 wrong codes a minute, and a valid one still succeeds', async () => {
    const wrong = 'mgl_000000000000_0000000000000000000000000000000000';
    await stack.clock.advance(60_000);
    for (let n = 0; n < 10; n++) expect((await logIn(wrong)).status).toBe(401);
    expect(await logIn(wrong)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
    expect((await logIn(await newCode())).status).toBe(200);
    expect((await logIn(wrong)).status).toBe(429);
    await stack.clock.advance(60_000);
    expect((await logIn(wrong)).status).toBe(401);
  });
});

describe('a session', () => {
  test('ends 60 minutes after its last request, and after 12 hours', async () => {
    const { admin, clock } = stack;
    const { login } = await openConsole(stack, { role: 'viewer' });
    const start = clock.now();
    const seen = (minutes: number) => {
      const then = { ...clock, now: () => start + minutes * 60_000 };
      return clock.run(findSession({ ...admin, clock: then }, presentedBy(login)));
    };
    for (let minutes = 59; minutes < 720; minutes += 59) expect(await seen(minutes)).toBeDefined();
    expect(await seen(720)).toBeUndefined();
    expect(await seen(708 + 60)).toBeUndefined();
    expect(await seen(708 + 59.9 - 60)).toBeDefined();
  });

  test('ends after 60 idle minutes', async () => {
    const { admin, clock } = stack;
    const { login } = await openConsole(stack, { role: 'viewer' });
    const later = { ...clock, now: () => clock.now() + 3_600_000 };
    const found = findSession({ ...admin, clock: later }, presentedBy(login));
    expect(await clock.run(found)).toBeUndefined();
  });

  test('ends at logout', async () => {
    const { ask } = await openConsole(stack, { role: 'viewer' });
    const out = await ask(path, { method: 'DELETE' });
    expect(out).toMatchObject({ status: 200, body: { done: true } });
    expect(String(out.headers['set-cookie'])).toContain('Max-Age=0');
    expect((await ask(path)).status).toBe(401);
  });

  test('ends when its person gets another role', async () => {
    const name = 'bob@acme';
    const before = await openConsole(stack, { role: 'operator', name });
    const after = await openConsole(stack, { role: 'viewer', name });
    expect((await before.ask(path)).status).toBe(401);
    expect((await after.ask(path)).body).toMatchObject({ role: 'viewer' });
  });

  test('of another person is ended by an operator, with a reason', async () => {
    const { ask } = await openConsole(stack, { role: 'operator' });
    const other = await openConsole(stack, { role: 'viewer', name: 'eve@acme' });
    const { items } = (await ask('/admin/v1/sessions')).body;
    const { id } = items.find(({ name }: { name: string }) => name === 'eve@acme');
    const place = `/admin/v1/sessions/${id}`;
    expect((await ask(place, { method: 'DELETE', body: {} })).body.error).toMatchObject({
      ...{ code: 'INVALID', field: 'reason' },
    });
    const body = { reason: 'has left' };
    expect((await ask(place, { method: 'DELETE', body })).status).toBe(200);
    expect((await other.ask(path)).status).toBe(401);
    expect((await ask(place, { method: 'DELETE', body })).status).toBe(404);
    const [line] = await stack.clock.run(
      listLines(stack.admin, { subject: id, actor: undefined, since: 0, limit: 1 }),
    );
    expect(line).toMatchObject({ action: 'console.logout', reason: 'has left' });
    expect(line?.via).toMatch(/^operator session \w{12}$/);
  });

  test.each(['x', 'mgs_000000000000_x', `mgs_${'0'.repeat(12)}_${'0'.repeat(49)}`])(
    'with a forged cookie is rejected: %s',
    async (value) => {
      expect((await askConsole(stack, { cookie: `mg_8788=${value}` })(path)).status).toBe(401);
    },
  );
});

describe('the second secret of a session on loopback', () => {
  const statusWith = async (login: Login) => (await askConsole(stack, login)(path)).status;

  test('is only in the response to the login, and required with the cookie', async () => {
    const { login, cookie = '', ask } = await openConsole(stack, { role: 'viewer' });
    const secret = login['x-console-secret'] ?? '';
    expect(secret).toMatch(/^\w{12}_\w{43}$/);
    expect((await ask(path)).text).not.toContain('pageSecret');
    expect(cookie).not.toContain(secret.slice(13));
    const other = await openConsole(stack, { role: 'operator' });
    const wrong = [undefined, '', 'x', `${secret}x`, other.login['x-console-secret']];
    for (const each of wrong) {
      expect([each, await statusWith({ cookie, 'x-console-secret': each })]).toEqual([each, 401]);
    }
    expect(await statusWith({ 'x-console-secret': secret })).toBe(401);
    // A thief of the cookie can neither bind it to another secret nor remove the binding.
    const [whole = '', hash = ''] = cookie.split('.');
    const rebound = `${whole}.${hashKey('mine')}`;
    for (const each of [whole, rebound, `${whole}.`, `${cookie}.${hash}`]) {
      const bound = { cookie: each, 'x-console-secret': secret };
      expect([each, await statusWith({ cookie: each })]).toEqual([each, 401]);
      expect([each, await statusWith(bound)]).toEqual([each, 401]);
    }
    expect(await statusWith(login)).toBe(200);
  });

  test('finds its cookie among those that other ports have set', async () => {
    const { login, cookie = '' } = await openConsole(stack, { role: 'viewer' });
    const other = (await openConsole(stack, { role: 'operator' })).cookie ?? '';
    const id = /mgs_(\w{12})/.exec(cookie)?.[1] ?? '';
    const hash = cookie.slice(cookie.indexOf('.'));
    const planted = ['mg_8788=x', other, `mg_8788=mgs_${id}_x${hash}`, `${cookie}x`, 'mg_8788='];
    for (const each of planted) {
      for (const cookies of [`${each}; ${cookie}`, `${cookie}; ${each}`]) {
        expect([cookies, await statusWith({ ...login, cookie: cookies })]).toEqual([cookies, 200]);
      }
    }
    const flood = Array.from({ length: 80 }, () => other).join('; ');
    expect(await statusWith({ ...login, cookie: `${flood}; ${cookie}` })).toBe(200);
    expect(await statusWith({ cookie: `${cookie}; mg_8788=x` })).toBe(401);
  });

  test('opens the console again after a cookie was overwritten', async () => {
    const { ask } = await openConsole(stack, { role: 'viewer' });
    const headers = { cookie: 'mg_8788=x' };
    expect((await ask(path, { headers })).status).toBe(401);
    const after = await logIn(await newCode(), { cookie: 'mg_8788=x; mg_8788=y' });
    expect(await statusWith(loginIn(after))).toBe(200);
  });
});

test('a session under the public name, behind TLS, needs only its cookie', async () => {
  const url = 'https://gateway-admin.acme.example';
  const own = await openStack({ yaml: `${defaultYaml}\nconsole: { url: "${url}" }\n` });
  onTestFinished(() => own.close());
  const host = 'gateway-admin.acme.example';
  const enter = async (headers: object) => {
    const code = await own.clock.run(makeLoginCode(own.admin, ann));
    const made = { method: 'POST', body: { code }, headers: { ...headers } };
    return askConsole(own)(path, made);
  };
  const open = await enter({ host });
  expect(open).toMatchObject({ status: 200, body: { pageSecret: null } });
  const asking = { headers: { host, cookie: cookieIn(open.headers) } };
  expect((await askConsole(own)(path, asking)).status).toBe(200);
  expect((await enter({})).body.pageSecret).toMatch(/^\w{12}_\w{43}$/);
});

function presentedBy({ cookie = '', 'x-console-secret': pageSecret }: Login) {
  return { cookies: [cookie.slice(cookie.indexOf('=') + 1)], pageSecret };
}

test('a token works without a cookie, until it is disabled', async () => {
  const { ask } = await openConsole(stack, { role: 'operator' });
  const body = { name: 'ci', role: 'finance', days: 1, reason: 'reports' };
  const made = await ask('/admin/v1/tokens', { method: 'POST', body });
  expect(made).toMatchObject({ status: 201, body: { role: 'finance', apps: null } });
  const headers = { authorization: `Bearer ${made.body.token}`, 'sec-fetch-site': undefined };
  const mine = () => askConsole(stack)(path, { headers });
  expect((await mine()).body).toMatchObject({ name: 'ci', via: 'token' });
  const { id } = made.body;
  const listed = (await ask('/admin/v1/tokens')).text;
  expect(listed).toContain(id);
  expect(listed).not.toContain(made.body.token);
  const end = { method: 'POST', body: { reason: 'over' } };
  expect((await ask(`/admin/v1/tokens/${id}/disable`, end)).body).toMatchObject({ enabled: false });
  expect((await mine()).status).toBe(401);
});
