import { describe, expect, test } from 'vitest';
import { createPeers } from '../../src/ingress/http/peers.ts';

describe('the network of a client', () => {
  test.each([
    ['192.0.2.17', '192.0.2.0/24'],
    ['127.0.0.1', '127.0.0.0/24'],
    ['::ffff:192.0.2.17', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
    ['2001:0DB8::17', '2001:db8:0::/48'],
    ['2001:db8:1:2::', '2001:db8:1::/48'],
    ['fe80::1%eth0', 'fe80:0:0::/48'],
    ['::1', '0:0:0::/48'],
  ])('%s is reported as %s', (address, network) => {
    expect(createPeers().networkOf(address, () => undefined)).toBe(network);
  });

  test('of a closed socket is unknown', () => {
    expect(createPeers(['::/0']).networkOf(undefined, () => '192.0.2.1')).toBeUndefined();
  });

  test('is not the claim of an untrusted client', () => {
    expect(createPeers().networkOf('192.0.2.17', () => '198.51.100.1')).toBe('192.0.2.0/24');
    expect(createPeers(['10.0.0.0/8']).networkOf('192.0.2.17', () => '10.0.0.1')).toBe(
      '192.0.2.0/24',
    );
  });

  test.each([
    ['198.51.100.7', '198.51.100.0/24'],
    ['198.51.100.7:4711', '198.51.100.0/24'],
    ['[2001:db8::1]:4711', '2001:db8:0::/48'],
    ['203.0.113.1, 198.51.100.7', '198.51.100.0/24'],
    ['203.0.113.1, 198.51.100.7, 10.1.2.3', '198.51.100.0/24'],
    ['10.1.2.3', '10.1.2.0/24'],
    ['203.0.113.1, unknown', '10.0.0.0/24'],
    ['', '10.0.0.0/24'],
    [undefined, '10.0.0.0/24'],
  ])('is the claim of a trusted proxy: %s is %s', (forwardedFor, network) => {
    const peers = createPeers(['10.0.0.0/8', '2001:db8:f::/48']);
    expect(peers.networkOf('10.0.0.1', () => forwardedFor)).toBe(network);
    expect(peers.networkOf('::ffff:10.0.0.1', () => forwardedFor)).toBe(network);
  });
});

test('proxies are addresses and networks of both kinds', () => {
  const peers = createPeers(['10.0.0.7', '192.168.0.0/16', '2001:db8:f::/48']);
  const asked = ['10.0.0.7', '10.0.0.8', '192.168.9.9', '::ffff:10.0.0.7', '2001:db8:f:1::1'];
  expect(asked.map(peers.isProxy)).toEqual([true, false, true, true, true]);
  expect(peers.isProxy(undefined)).toBe(false);
});
