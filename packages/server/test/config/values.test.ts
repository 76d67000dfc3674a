import { describe, expect, test } from 'vitest';
import { chooseConfig } from '../../src/config/choose-file.ts';
import { configOf, fileWith, problemsOf } from './load.ts';

describe('sections', () => {
  test('that are absent have their defaults', () => {
    const config = configOf(fileWith());
    expect(config.adminEmail).toBeUndefined();
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 8787 });
    expect(config.admin).toEqual({ host: '127.0.0.1', port: 8788 });
    expect(config.store).toEqual({ kind: 'sqlite', path: '/etc/gateway/data/gateway.db' });
    expect(config.limits.modelCallMs).toBe(26_000);
    expect(config.retry).toEqual({ attempts: 3, baseMs: 250, capMs: 4_000 });
    expect(config.plans.user.requestsPerDay).toBe(100_000);
    expect(config.defaultPlatform).toBe('sandbox');
    expect(config.models).toEqual([]);
    expect(config.apps).toEqual([]);
  });

  test('whose lines are all commented out count as absent', () => {
    expect(configOf(fileWith('apps:\nlimits:\n#  inFlight: 1\n')).apps).toEqual([]);
  });

  test('merge with their defaults key by key', () => {
    const config = configOf(
      fileWith(`
listen: { port: 0 }
limits: { modelCallMs: 40, gatewayMs: 20, stopDelayMs: 0 }
retry: { attempts: 1 }
plans: { user: { burst: 2, ratePerSecond: 0.5 } }
`),
    );
    expect(config.listen).toEqual({ host: '127.0.0.1', port: 0 });
    expect(config.limits).toMatchObject({ modelCallMs: 40, gatewayMs: 20, drainMs: 60_000 });
    expect(config.retry).toEqual({ attempts: 1, baseMs: 250, capMs: 4_000 });
    expect(config.plans).toEqual({
      user: { ratePerSecond: 0.5, burst: 2, requestsPerDay: 100_000 },
      admin: { ratePerSecond: 200, burst: 400, requestsPerDay: 1_000_000 },
    });
  });
});

describe('an app', () => {
  test('has the keys that the file names and no others', () => {
    const text = fileWith(`
plans: { user: { burst: 7 } }
apps:
  - { name: bare }
  - name: full
    enabled: false
    requirePriced: true
    storeAnswers: false
    project: another project
    models: [sim-echo, not-in-the-catalog]
    plans: { user: { requestsPerDay: 5 } }
`);
    expect(configOf(text).apps).toStrictEqual([
      { name: 'bare' },
      {
        name: 'full',
        enabled: false,
        models: ['sim-echo', 'not-in-the-catalog'],
        requirePriced: true,
        storeAnswers: false,
        project: 'another project',
        plans: { user: { ratePerSecond: 50, burst: 7, requestsPerDay: 5 } },
      },
    ]);
  });
});

describe('values', () => {
  test('of money are read exactly as written, quoted or not, never as floats', () => {
    const text = fileWith(`
apps:
  - { name: a, dailyBudgetUsd: 0.1 }
  - { name: b, dailyBudgetUsd: "0.10" }
  - { name: c, dailyBudgetUsd: 9007.199254740993 }
`);
    expect(configOf(text).apps.map((app) => app.dailyBudgetPicoUsd)).toEqual([
      100_000_000_000n,
      100_000_000_000n,
      9_007_199_254_740_993n,
    ]);
  });

  test('of a price of zero make a priced model', () => {
    const text = fileWith(
      'models: [{ id: a, platform: sandbox, inputUsdPerMillion: 0, outputUsdPerMillion: 0 }]',
    );
    expect(configOf(text).models[0]?.prices?.[0]?.inputPicoUsd).toBe(0n);
  });

  test('of options keep their types, and a variable is always text', () => {
    const text = `
company: acme
platforms:
  other:
    kind: ai-sdk
    package: some-provider
    options: { a: 1, b: "1", c: true, d: [x, null], e: { f: 1.5 }, g: "\${NUMBER}" }
`;
    expect(configOf(text, { NUMBER: '7' }).platforms[0]?.options).toEqual({
      a: 1,
      b: '1',
      c: true,
      d: ['x', null],
      e: { f: 1.5 },
      g: '7',
    });
  });

  test('can hold variables anywhere, which are not expanded again', () => {
    const text = fileWith(`store: "postgres://gateway:\${PASSWORD}@\${HOST}:5432/db"\n`);
    const { store } = configOf(text, { PASSWORD: `\${HOST}`, HOST: 'db' });
    expect(store).toEqual({ kind: 'postgres', url: `postgres://gateway:\${HOST}@db:5432/db` });
  });

  test('can be a variable in place of a number', () => {
    const { listen } = configOf(fileWith(`listen: { port: "\${PORT}" }`), { PORT: '80' });
    expect(listen.port).toBe(80);
  });

  test('with a variable that has no name are a problem', () => {
    expect(problemsOf(fileWith(`adminEmail: "\${a-b}"`))).toEqual([
      `adminEmail: has "\${" without the name of a variable; use \${NAME}`,
    ]);
  });

  test('of a base URL lose their last slash', () => {
    const text = 'company: a\nplatforms: { x: { kind: simulator, baseUrl: "http://h/v1/" } }';
    expect(configOf(text).platforms).toEqual([
      { name: 'x', kind: 'simulator', baseUrl: 'http://h/v1' },
    ]);
  });

  test('can be shared by an alias', () => {
    const text = fileWith('listen: &local { host: "::1", port: 1 }\nadmin: *local\n');
    expect(configOf(text).admin).toEqual({ host: '::1', port: 1 });
  });

  test('name proxies in front, by address or network', () => {
    const trustedProxies = ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32'];
    const text = fileWith(
      `trustedProxies: [${trustedProxies.join(', ').replace(/(2001.*)/, '"$1"')}]\n`,
    );
    expect(configOf(text)).toMatchObject({ trustedProxies });
    expect(problemsOf(fileWith('trustedProxies: [10.0.0.0/33, proxy, 10.0.0.1/8/8]\n'))).toEqual(
      ['10.0.0.0/33', 'proxy', '10.0.0.1/8/8'].map(
        (shown, index) =>
          `trustedProxies[${index}]: must be an address or a network, such as 10.0.0.7 or 10.0.0.0/8; it is "${shown}"`,
      ),
    );
  });

  test('name other hosts of the admin listener', () => {
    const text = fileWith('admin: { hosts: [gateway, metrics.acme.example] }\n');
    expect(configOf(text).admin).toMatchObject({ hosts: ['gateway', 'metrics.acme.example'] });
    expect(problemsOf(fileWith('admin: { hosts: ["Gateway:1"] }\n'))).toEqual([
      'admin.hosts[0]: must be the name of a host in lower case and without a port, such as gateway.acme.example; it is "Gateway:1"',
    ]);
  });
});

describe('the store', () => {
  test.each([
    ['sqlite:data/x.db', { kind: 'sqlite', path: '/etc/gateway/data/x.db' }],
    ['sqlite:/var/x.db', { kind: 'sqlite', path: '/var/x.db' }],
    ['sqlite:///var/x.db', { kind: 'sqlite', path: '/var/x.db' }],
    ['postgresql://host/db', { kind: 'postgres', url: 'postgresql://host/db' }],
  ])('%s', (store, target) => {
    expect(configOf(fileWith(`store: "${store}"`)).store).toEqual(target);
    const environment = { MODEL_GATEWAY_STORE: store };
    expect(configOf(fileWith('store: sqlite:a.db'), environment).store).toEqual(target);
  });

  test.each(['sqlite:', 'sqlite://x.db', 'sqlite::memory:', 'data/x.db', 'postgres://'])(
    '%s is none',
    (store) => {
      const [problem] = problemsOf(fileWith(), { MODEL_GATEWAY_STORE: store });
      expect(problem).toMatch(/^MODEL_GATEWAY_STORE: must be a store such as /);
    },
  );

  test('is the file’s when MODEL_GATEWAY_STORE is empty', () => {
    const { store } = configOf(fileWith('store: sqlite:a.db'), { MODEL_GATEWAY_STORE: '' });
    expect(store).toEqual({ kind: 'sqlite', path: '/etc/gateway/a.db' });
  });
});

describe('the file', () => {
  test.each([
    ['/a.yaml', '/b.yaml', '/a.yaml'],
    [undefined, '/b.yaml', '/b.yaml'],
    [undefined, '', `${process.cwd()}/gateway.yaml`],
    [undefined, undefined, `${process.cwd()}/gateway.yaml`],
  ])('--config %s and MODEL_GATEWAY_CONFIG %s is %s', (option, variable, file) => {
    const environment = { MODEL_GATEWAY_CONFIG: variable };
    expect(chooseConfig({ option, environment })).toEqual({ file });
  });
});
