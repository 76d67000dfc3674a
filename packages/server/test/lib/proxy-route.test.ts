import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseNoProxy } from '../../src/lib/no-proxy.ts';
import { type ProxyAddress, parseProxy } from '../../src/lib/proxy-address.ts';
import { createRoutes } from '../../src/lib/proxy-route.ts';

function proxyAt(text: string, from = 'HTTPS_PROXY'): ProxyAddress {
  const proxy = parseProxy(text, from);
  if ('problem' in proxy) throw new Error(proxy.problem);
  return proxy;
}

const https = proxyAt('http://proxy.example:3128');
const http = proxyAt('http://plain.example:3128', 'HTTP_PROXY');

const isProxied = (url: string, noProxy: string) =>
  createRoutes({ proxies: { https, http, noProxy } })(new URL(url)) !== undefined;

describe('a route', () => {
  test('is chosen by the scheme', () => {
    const routeOf = createRoutes({ proxies: { https, http, noProxy: '' } });
    expect(routeOf(new URL('https://a.example'))).toBe(https);
    expect(routeOf(new URL('http://a.example'))).toBe(http);
    const one = createRoutes({ proxies: { https, noProxy: '' } });
    expect(one(new URL('http://a.example'))).toBeUndefined();
    expect(createRoutes({})(new URL('https://a.example'))).toBeUndefined();
  });

  test('of one platform takes precedence over the environment and its exceptions', () => {
    const own = proxyAt('http://own.example:1', 'platforms.a.proxy');
    const proxies = { https, noProxy: '*' };
    expect(createRoutes({ proxies, proxy: own })(new URL('https://a.example'))).toBe(own);
    expect(createRoutes({ proxies, proxy: own })(new URL('https://127.0.0.1'))).toBeUndefined();
    expect(
      createRoutes({ proxies: { https, noProxy: '' }, proxy: 'none' })(
        new URL('https://a.example'),
      ),
    ).toBeUndefined();
  });

  test.each([
    ...['http://localhost:1', 'https://localhost.', 'http://a.localhost', 'http://127.9.9.9'],
    ...['http://[::1]', 'http://[::ffff:127.0.0.1]', 'http://0x7f.1', 'http://LOCALHOST'],
  ])('to this machine is direct: %s', (url) => {
    expect(isProxied(url, '')).toBe(false);
  });
});

describe('NO_PROXY', () => {
  test.each([
    ['a.example', 'https://a.example', false],
    ['a.example', 'https://b.a.example', false],
    ['a.example', 'https://ba.example', true],
    ['.a.example', 'https://a.example', false],
    ['.a.example', 'https://b.a.example', false],
    ['*.a.example', 'https://b.a.example', false],
    ['A.Example.', 'https://a.example', false],
    ['a.example', 'https://a.example.', false],
    ['*', 'https://a.example', false],
    ['*:444', 'https://a.example:444', false],
    ['*:444', 'https://a.example', true],
    ['a.example:443', 'https://a.example', false],
    ['a.example:443', 'http://a.example', true],
    ['a.example:8443', 'https://a.example:8443', false],
    ['x.example, \t a.example', 'https://a.example', false],
    ['x.example a.example', 'https://a.example', false],
    [',,a.example,', 'https://a.example', false],
    ['10.1.2.3', 'https://10.1.2.3', false],
    ['10.1.2.3', 'https://10.1.2.4', true],
    ['10.1.2.3:8000', 'http://10.1.2.3:8000', false],
    ['10.0.0.0/8', 'https://10.200.0.1', false],
    ['10.0.0.0/8', 'https://11.0.0.1', true],
    ['10.0.0.0/8:80', 'http://10.0.0.1', false],
    ['10.0.0.0/8', 'https://[::ffff:10.0.0.1]', false],
    ['0.0.0.0/0', 'https://a.example', true],
    ['fd00::/8', 'https://[fd12::1]', false],
    ['fd00::/8', 'https://[fe80::1]', true],
    ['fd00::1', 'https://[fd00::1]:8443', false],
    ['[fd00::1]:8443', 'https://[fd00::1]:8443', false],
    ['[fd00::1]:8443', 'https://[fd00::1]', true],
    ['bücher.example', 'https://bücher.example', false],
  ])('%j: %s has a proxy: %s', (noProxy, url, expected) => {
    expect(isProxied(url, noProxy)).toBe(expected);
  });

  test.each([
    ...['a.example:0', 'a.example:65536', 'a.example:x', 'http://a.example', '10.0.0.0/33'],
    ...['fd00::/129', '192.168.*', 'a*.example', '[10.0.0.1]', '[::1]x', '10.0.0.0/', '<local>'],
    ...['fe80::1%eth0', ':80', '.', '*.'],
  ])('%j is not a host', (noProxy) => {
    expect(parseNoProxy(`a.example,${noProxy}`)).toMatchObject({
      problem: expect.stringContaining(JSON.stringify(noProxy)),
    });
  });

  test('is bounded', () => {
    expect(parseNoProxy('a'.repeat(20_000))).toHaveProperty('problem');
  });

  test('agrees with a comparison label by label, and bit by bit', () => {
    const label = fc.constantFrom('a', 'b', 'ab', 'example');
    const name = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
    const byte = fc.constantFrom(0, 1, 10, 128, 255);
    const address = fc.tuple(fc.constantFrom(10, 11, 192), byte, byte, byte);
    const text = address.map((bytes) => bytes.join('.'));
    const entry = fc.oneof(
      name,
      name.map((one) => `.${one}`),
      text,
      fc.tuple(text, fc.integer({ min: 0, max: 32 })).map(([one, bits]) => `${one}/${bits}`),
    );
    const port = fc.option(fc.constantFrom(80, 443), { nil: undefined });
    const entries = fc.array(fc.tuple(entry, port), { maxLength: 4 });
    fc.assert(
      fc.property(entries, fc.oneof(name, text), fc.constantFrom(80, 443), (list, host, to) => {
        const written = list.map(([one, at]) => (at === undefined ? one : `${one}:${at}`)).join();
        const isDirect = parseNoProxy(written);
        if (typeof isDirect !== 'function') throw new Error(isDirect.problem);
        const expected = list.some(([one, at]) => (at ?? to) === to && covers(one, host));
        expect(isDirect(host, to)).toBe(expected);
      }),
    );
  });
});

/** Compares labels from the end, and addresses as text of bits. */
function covers(entry: string, host: string): boolean {
  const isAddress = (text: string) => /^[\d.]+$/.test(text);
  const [head = '', bits = '32'] = entry.split('/');
  if (isAddress(host) || isAddress(head)) {
    if (!isAddress(host) || !isAddress(head)) return false;
    const bitsOf = (text: string) =>
      text
        .split('.')
        .map((byte) => Number(byte).toString(2).padStart(8, '0'))
        .join('');
    return bitsOf(host).slice(0, Number(bits)) === bitsOf(head).slice(0, Number(bits));
  }
  const wanted = entry
    .split('.')
    .filter((label) => label !== '')
    .reverse();
  const labels = host.split('.').reverse();
  return wanted.every((label, at) => labels[at] === label);
}

describe('the URL of a proxy', () => {
  test('has a scheme, a login and a port, or the usual ones', () => {
    expect(proxyAt('proxy.example:3128')).toMatchObject({ host: 'proxy.example', port: 3128 });
    expect(proxyAt('http://proxy.example/')).toMatchObject({ port: 80, isSecure: false });
    expect(proxyAt('https://proxy.example')).toMatchObject({ port: 443, isSecure: true });
    expect(proxyAt('http://[fd00::1]:8080')).toMatchObject({
      ...{ host: 'fd00::1', label: '[fd00::1]:8080' },
    });
    const { authorization, label } = proxyAt('http://us%40er:p%3a%20w@proxy.example:1');
    expect(authorization).toBe(`Basic ${Buffer.from('us@er:p: w').toString('base64')}`);
    expect(label).toBe('proxy.example:1');
  });

  test.each([
    ['socks5://user:hunter2@proxy.example', 'is a SOCKS proxy, which is not supported'],
    ['ftp://user:hunter2@proxy.example', 'must be the URL of a proxy'],
    ['http://user:hunter2@', 'must be the URL of a proxy'],
    ['http://user:hunter2@proxy.example/path', 'must end with the proxy’s port'],
    ['http://user:hunter2%zz@proxy.example', 'has a user or a password with a "%"'],
    ['http://user:hunter2@proxy.example:99999', 'must be the URL of a proxy'],
    [`http://user:hunter2@${'a'.repeat(3_000)}`, 'is longer than 2000 characters'],
  ])('%s is rejected without its password', (text, start) => {
    const proxy = parseProxy(text, 'HTTPS_PROXY');
    expect(proxy).toMatchObject({ problem: expect.stringContaining(start.replace('’', "'")) });
    expect(JSON.stringify(proxy)).not.toContain('hunter2');
  });
});
