import { describe, expect, test } from 'vitest';
import { until } from '../../../../harness/until.ts';
import { formatUsd } from '../../src/lib/money.ts';
import { selectCallRecord } from '../../src/store/queries/ledger.ts';
import { openHolds } from '../../test/store/support/books.ts';
import { readStream } from '../../test/streams/support/served.ts';
import { type Orders, toldChat, toldRows, twentyWords } from '../../test/streams/support/told.ts';
import { field, type Wire } from '../../test/streams/support/wire.ts';
import { openReplicaStores } from '../faults/replica-stores.ts';
import { expectHonestBooks, type Replicas } from '../faults/replicas.ts';

const stores = openReplicaStores();
let replicas: Replicas;

const yaml = `streaming: true\n${toldRows()}`;
const streams = 50;
const quick: Orders = { text: twentyWords, stream: { gapMs: 10 } };
const slow: Orders = { text: twentyWords, stream: { gapMs: 400 } };

describe.each(stores.all)('on %s', (_name, openReplicas) => {
  test('a kill -9 during 50 open streams loses no finish that was seen', async () => {
    replicas = await openReplicas({ yaml });
    const served = await replicas.start();
    const finishes: unknown[] = [];
    const open = new Set<Wire>();
    const caller = async (index: number) => {
      for (let call = 0; ; call++) {
        let own: Wire | undefined;
        const { apiKey } = replicas;
        const body = toldChat((index + call) % 3 === 0 ? slow : quick);
        const onWire = (wire: Wire) => {
          own = wire;
          open.add(wire);
        };
        const { wire, status } = await readStream(served.url, { apiKey, body, onWire });
        if (own !== undefined) open.delete(own);
        const last = wire.events.at(-1);
        if (last?.name === 'finish') finishes.push(last.data);
        else if (status === 0 || status === 200) return;
      }
    };
    const running = Promise.all(Array.from({ length: streams }, (_, index) => caller(index)));
    await until(() => finishes.length >= 100 && amidText(open) >= streams / 2);
    expect(await served.end('SIGKILL')).toBe('SIGKILL');
    await running;
    expect(await openHolds(replicas.store)).toBeGreaterThan(0);

    await replicas.start();
    for (const finish of finishes) {
      const record = await replicas.store.read(selectCallRecord(String(field(finish, 'id'))));
      const { code, cost = 0n } = record ?? {};
      const booked = { code, usd: formatUsd(cost) };
      expect(booked).toEqual({ code: 'OK', usd: field(finish, 'cost', 'usd') });
    }
    await expectHonestBooks(replicas, { answered: [], errors: [] });
  });

  test('SIGTERM lets streams run until stopMs, ends the others, and books them', async () => {
    replicas = await openReplicas({ yaml, limits: '{ stopMs: 4000 }' });
    const served = await replicas.start();
    const { apiKey } = replicas;
    const wires: Wire[] = [];
    const onWire = (wire: Wire) => void wires.push(wire);
    const start = (orders: Orders) =>
      readStream(served.url, { apiKey, body: toldChat(orders), onWire });
    // Some need a second, the others minutes: the speed of the machine makes no difference.
    const shorter = Array.from({ length: 10 }, () =>
      start({ text: twentyWords, stream: { gapMs: 20 } }),
    );
    const longer = Array.from({ length: 10 }, () =>
      start({ text: twentyWords, stream: { gapMs: 10_000 } }),
    );
    await until(() => wires.filter(({ events }) => events.length > 1).length === 20);
    expect(await served.end('SIGTERM')).toBe(0);
    for (const { wire, isWhole } of await Promise.all(shorter)) {
      expect([isWhole, wire.events.at(-1)?.name]).toEqual([true, 'finish']);
    }
    for (const { wire, isWhole } of await Promise.all(longer)) {
      const last = wire.events.at(-1);
      expect([isWhole, last?.name]).toEqual([true, 'error']);
      expect(last?.data).toMatchObject({ error: { code: 'SERVER' }, partial: true });
    }
    // The process has settled them itself, without a start or another replica.
    expect(await openHolds(replicas.store)).toBe(0);
    await expectHonestBooks(replicas, { answered: [], errors: [] });
  });
});

/** The number of streams within their text. */
function amidText(wires: ReadonlySet<Wire>): number {
  return [...wires].filter(({ events }) => {
    const last = events.at(-1)?.name;
    return last === 'text';
  }).length;
}
