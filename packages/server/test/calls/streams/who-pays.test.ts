import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { utcDayOf } from '../../../src/lib/clock.ts';
import { heldBy, readCalls } from '../../support/books.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { openStack, type Stack } from '../../support/stack.ts';
import { counts } from './fake-platform.ts';
import { type Caller, openStreams, type Streams, streamsYaml } from './streams.ts';

/** Pico-USD a token of the model's input and output; the dearest input is a cache write. */
const rates = { input: 150_000n, dearest: 187_500n, output: 600_000n } as const;
/** Counts of 24 and 4 tokens. */
const exact = 24n * rates.input + 4n * rates.output;
/** The prompt’s 15 bytes at three a token, and the delivered `Hello ` likewise. */
const asDelivered = 5n * rates.input + 2n * rates.output;
/** An input of 24 tokens that was stated, and all of the output. */
const statedInput = 24n * rates.input + 100n * rates.output;

/** What a row is played with. */
interface Scene {
  readonly streams: Streams;
  readonly caller: Caller;
  readonly attempt: Streams['platform']['attempts'][number];
  readonly isKeyed: boolean;
}

interface Row {
  readonly what: string;
  readonly play: (scene: Scene) => Promise<void> | void;
  readonly code: string;
  readonly basis: 'exact' | 'estimated';
  /** `hold`: the most that the call can cost. */
  readonly budget: bigint | 'hold';
  readonly wallet: bigint | { readonly keyed: bigint; readonly plain: bigint };
}

const advance = ({ streams }: Scene, ms: number) => streams.stack.clock.advance(ms);
const hello = ({ attempt }: Scene) => attempt.text('Hello ');
const finish = ({ attempt }: Scene) => attempt.finish({ usage: counts(24, 4) });
const tool = { type: 'tool-call', toolCallId: 'c1', toolName: 'weather', input: '{}' } as const;

const rows: readonly Row[] = [
  {
    what: 'a stream that comes to its end',
    play: (scene) => {
      hello(scene);
      finish(scene);
    },
    ...({ code: 'OK', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a stream that stopped at maxTokens',
    play: ({ attempt }) => {
      attempt.text('Hello ');
      attempt.finish({ finish: 'length', usage: counts(24, 4) });
    },
    ...({ code: 'TRUNCATED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left before anything was delivered, and an answer',
    play: (scene) => {
      scene.attempt.delta({ type: 'reasoning', text: 'Hm' });
      scene.caller.leave();
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
  {
    what: 'a caller that left before the first delta, and an answer',
    play: async (scene) => {
      scene.caller.leave();
      await scene.streams.stack.clock.settle();
      hello(scene);
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
  {
    what: 'a caller that left before anything was delivered, and no answer in time',
    play: async (scene) => {
      scene.caller.leave();
      await advance(scene, 6_000);
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a caller that left after something was delivered, and counts',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left, and counts above all that was asked for',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      scene.attempt.finish({ usage: counts(24, 1_000) });
    },
    ...({ code: 'ABORTED', basis: 'estimated', wallet: asDelivered } as const),
    budget: 24n * rates.input + 1_000n * rates.output,
  },
  {
    what: 'a caller that left after more than was asked for, and no counts',
    play: async (scene) => {
      scene.attempt.text('word '.repeat(1_000));
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      scene.attempt.finish();
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold' } as const),
    wallet: 5n * rates.input + 100n * rates.output,
  },
  {
    what: 'a caller that read nothing for too long after something was delivered, and counts',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave('stalled');
      finish(scene);
    },
    ...({ code: 'ABORTED', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a caller that left after something was delivered, and no counts',
    play: async ({ attempt, caller, streams }) => {
      attempt.text('Hello ');
      await streams.stack.clock.settle();
      caller.leave();
      attempt.text('world');
      attempt.finish();
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a caller that left after something was delivered, and no end in time',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.leave();
      await advance(scene, 6_000);
    },
    ...({ code: 'ABORTED', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a stream that ran for too long, and counts',
    play: async (scene) => {
      hello(scene);
      await talkFor(scene, 30_000);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a stream that ran for too long, and no counts',
    play: async (scene) => {
      hello(scene);
      await talkFor(scene, 36_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a stream that showed nothing and ran for too long, and counts',
    play: async (scene) => {
      scene.attempt.delta({ type: 'reasoning', text: 'Hm' });
      await talkFor(scene, 30_000);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
  {
    what: 'a bad output after something was delivered',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.attempt.delta(tool);
      finish(scene);
    },
    ...({ code: 'BAD_OUTPUT', basis: 'exact', budget: exact, wallet: exact } as const),
  },
  {
    what: 'a bad output before anything was delivered',
    play: (scene) => {
      scene.attempt.delta(tool);
      finish(scene);
    },
    ...({ code: 'BAD_OUTPUT', basis: 'exact', budget: exact, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off after a pause of ours',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and had said something a second after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      await scene.streams.stack.clock.advance(1_000);
      scene.attempt.state(24, 1);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: statedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and whose last words may be of before a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      await scene.streams.stack.clock.advance(999);
      scene.attempt.state(24, 1);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and whose last words were read after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      scene.caller.following.release();
      scene.attempt.state(24, 1);
      scene.attempt.breakOff(true);
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a platform that broke off, and had stated its input',
    play: (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: statedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated nothing',
    play: (scene) => {
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated an input of nothing',
    play: (scene) => {
      scene.attempt.state(0, 0);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a platform that broke off, and had stated more than there was',
    play: (scene) => {
      scene.attempt.state(5_000);
      hello(scene);
      scene.attempt.breakOff();
    },
    ...({ code: 'SERVER', basis: 'estimated', wallet: 0n } as const),
    budget: 5_000n * rates.input,
  },
  {
    what: 'a platform that said nothing for too long',
    play: async (scene) => {
      scene.attempt.state(24, 1);
      hello(scene);
      await advance(scene, 12_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: statedInput, wallet: 0n } as const),
  },
  {
    what: 'a platform that said nothing for too long after a pause of ours',
    play: async (scene) => {
      hello(scene);
      await scene.streams.stack.clock.settle();
      scene.caller.following.hold();
      await advance(scene, 9_000);
      scene.caller.following.release();
      await advance(scene, 12_000);
    },
    ...({ code: 'TIMEOUT', basis: 'estimated', budget: 'hold', wallet: asDelivered } as const),
  },
  {
    what: 'a clean end without counts',
    play: ({ attempt }) => {
      attempt.text('Hello ');
      attempt.text('world');
      attempt.finish();
    },
    ...({ code: 'OK', basis: 'estimated', budget: 'hold' } as const),
    wallet: 5n * rates.input + 4n * rates.output,
  },
  {
    what: 'a service that stopped',
    play: (scene) => {
      hello(scene);
      scene.streams.runner.streams.stopAll();
    },
    ...({ code: 'SERVER', basis: 'estimated', budget: 'hold', wallet: 0n } as const),
  },
  {
    what: 'a first delta that did not come in time, and an answer',
    play: async (scene) => {
      await advance(scene, 8_000);
      hello(scene);
      finish(scene);
    },
    ...({ code: 'TIMEOUT', basis: 'exact', budget: exact } as const),
    wallet: { keyed: exact, plain: 0n },
  },
];

/** The platform says that it lives, every three seconds. */
async function talkFor(scene: Scene, ms: number) {
  for (let passedMs = 0; passedMs < ms; passedMs += 3_000) {
    scene.attempt.ping();
    await advance(scene, 3_000);
  }
}

const combinations = [true, false].flatMap((isKeyed) =>
  [true, false].map((isMetered) => ({ isKeyed, isMetered })),
);

let server: TestPostgres;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(() => server.close());

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (kind) => {
  let stack: Stack;
  let made = 0;
  beforeAll(async () => {
    if (kind === 'SQLite') stack = await openStack({ yaml: streamsYaml });
    else {
      const yaml = streamsYaml.replace('sqlite:./gateway.db', `"${await server.database()}"`);
      // In virtual time the server's clock means nothing.
      stack = await openStack({ yaml });
    }
  });
  afterAll(() => stack.close());

  describe.each(combinations)('key: $isKeyed, wallet: $isMetered', ({ isKeyed, isMetered }) => {
    test.each(rows)('$what', async (row) => {
      const streams = await openStreams(stack);
      const app = isMetered ? 'tutor' : 'search';
      const key = isKeyed ? `key-${made++}` : undefined;
      const caller = await streams.ask({ app, key });
      const [attempt] = streams.platform.attempts;
      if (attempt === undefined) throw new Error('the platform was not asked');
      const since = stack.clock.now();
      const heldPicoUsd = await heldAmount(stack, app);
      await row.play({ streams, caller, attempt, isKeyed });
      await stack.clock.settle();

      const records = await readCalls(stack.store, app, utcDayOf(since));
      const [settled, ...more] = streams.settled;
      expect(more).toEqual([]);
      const record = records.find(({ callId }) => callId === settled?.callId);
      expect(await heldBy(stack.store, app)).toBe(0);
      expect(streams.runner.detached.count() + streams.runner.streams.count()).toBe(0);
      const budget = row.budget === 'hold' ? heldPicoUsd : row.budget;
      expect(record).toMatchObject({ code: row.code, basis: row.basis, cost: budget });
      const { wallet } = row;
      const pays = typeof wallet === 'bigint' ? wallet : isKeyed ? wallet.keyed : wallet.plain;
      const { walletGrant = 0n, walletTopup = 0n } = record ?? {};
      expect(walletGrant + walletTopup).toBe(isMetered ? pays : 0n);
      expect(await stack.audit()).toMatchObject({ clean: true });
    });
  });
});

function heldAmount(stack: Stack, app: string): Promise<bigint> {
  return stack.store.read({
    sql: 'select budget_amount from hold where app = $1',
    values: [app],
    map: ([row]) => BigInt(String(row?.budget_amount)),
  });
}
