import { describe, expect, it } from 'vitest';
import { CredentialsError } from '../../../src/platforms/mantle/aws-credentials.ts';
import { createMintedBearers, fixedBearer } from '../../../src/platforms/mantle/bearers.ts';
import { createTestClock } from '../../support/test-clock.ts';

const minuteMs = 60_000;

/** A mint whose bearers count up, live for an hour and can be renewed after 45 minutes. */
function openMint() {
  const clock = createTestClock();
  const asked: boolean[] = [];
  const mint = {
    isAway: false,
    asked,
    async make({ isRefused }: { isRefused: boolean }) {
      asked.push(isRefused);
      await Promise.resolve();
      if (mint.isAway) throw new CredentialsError('away');
      const mintedAt = clock.now();
      const renewAt = mintedAt + 45 * minuteMs;
      const expiresAt = mintedAt + 60 * minuteMs;
      return { bearer: `bearer-${asked.length}`, mintedAt, renewAt, expiresAt };
    },
  };
  const bearers = createMintedBearers({ mint: (about) => mint.make(about), clock });
  return { clock, mint, bearers };
}

describe('minted bearers', () => {
  it('are minted once, however many concurrent and later requests there are', async () => {
    const { bearers, mint, clock } = openMint();
    const all = await Promise.all([bearers.current(), bearers.current(), bearers.current()]);
    await clock.advance(44 * minuteMs);
    expect([...all, await bearers.current()]).toEqual(Array(4).fill('bearer-1'));
    expect(mint.asked).toEqual([false]);
  });

  it('are renewed ahead, while the old one is in use', async () => {
    const { bearers, mint, clock } = openMint();
    await bearers.current();
    await clock.advance(45 * minuteMs);
    expect(await Promise.all([bearers.current(), bearers.current()])).toEqual([
      'bearer-1',
      'bearer-1',
    ]);
    await clock.settle();
    expect(await bearers.current()).toBe('bearer-2');
    expect(mint.asked).toHaveLength(2);
  });

  it('are used to their end when they cannot be renewed, and no longer', async () => {
    const { bearers, mint, clock } = openMint();
    await bearers.current();
    mint.isAway = true;
    await clock.advance(60 * minuteMs - 1);
    expect(await bearers.current()).toBe('bearer-1');
    await clock.advance(1);
    await expect(bearers.current()).rejects.toThrow('away');
    mint.isAway = false;
    expect(await bearers.current()).toMatch(/^bearer-/);
  });

  it('that are rejected are minted again from other credentials, once for all', async () => {
    const { bearers, mint, clock } = openMint();
    const refused = await bearers.current();
    await clock.advance(minuteMs);
    const others = await Promise.all([bearers.another(refused), bearers.another(refused)]);
    expect(others).toEqual(['bearer-2', 'bearer-2']);
    // A caller whose rejection is late gets the bearer of the others.
    expect(await bearers.another(refused)).toBe('bearer-2');
    expect(await bearers.current()).toBe('bearer-2');
    expect(mint.asked).toEqual([false, true]);
  });

  it('that are rejected when they are young are not to blame', async () => {
    const { bearers, mint, clock } = openMint();
    const refused = await bearers.current();
    await clock.advance(minuteMs - 1);
    expect(await bearers.another(refused)).toBeUndefined();
    expect(mint.asked).toEqual([false]);
  });
});

it('a fixed bearer never changes, and has no replacement', async () => {
  const bearers = fixedBearer('a-key');
  expect(await bearers.current()).toBe('a-key');
  expect(await bearers.another('a-key')).toBeUndefined();
});
