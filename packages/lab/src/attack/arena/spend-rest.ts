import { sleep } from '@model-gateway/server/lib/clock';
import type { ToldCall } from '../books/books.ts';
import { attackModels, attackRates, labelOf, unpricedName } from './accounts.ts';
import { askInFull, largestThatFits, type Rates } from './ask.ts';
import type { StageParts } from './stage.ts';

const restIndex = 90_000;
const callsMax = 60;
const heldForMs = 60_000;

/**
 * Makes ever smaller calls until no output token fits: the smallest call must then be refused.
 * Returns that last call.
 */
export async function spendRest(
  { arena, callers, dearest }: StageParts,
  account: string,
  options: { readonly unpriced?: boolean; readonly firstIndex?: number } = {},
): Promise<ToldCall> {
  const { unpriced = false, firstIndex = restIndex } = options;
  const priced = { model: attackModels.asked, rates: attackRates };
  for (let index = firstIndex; ; index++) {
    const label = labelOf(account, index);
    const call: { model: string; rates: Rates } = unpriced
      ? { model: unpricedName({ index, dearest }), rates: dearest }
      : priced;
    const leftPicoUsd = await leftWhenNothingRuns();
    const ask = largestThatFits({ label, ...call }, leftPicoUsd);
    if (ask === undefined || index >= firstIndex + callsMax) {
      return callers.call(account, askInFull({ label, ...call, maxTokens: 1 }));
    }
    await callers.call(account, ask);
  }

  /** Draining calls still hold money, and give some of it back. */
  async function leftWhenNothingRuns(): Promise<bigint> {
    const endsMs = arena.context.clock.monotonic() + heldForMs;
    for (;;) {
      const { leftPicoUsd, heldPicoUsd } = await callers.budget(account);
      if (heldPicoUsd === 0n || arena.context.clock.monotonic() > endsMs) return leftPicoUsd;
      await sleep(arena.context.clock, 250);
    }
  }
}
