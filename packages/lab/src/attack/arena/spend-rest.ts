import { sleep } from '@model-gateway/server/lib/clock';
import type { CallResult } from '../books/books.ts';
import { attackModels, attackRates, labelOf, unpricedName } from './accounts.ts';
import { createFullCostCall, largestThatFits, type Rates } from './planned-call.ts';
import type { StageParts } from './stage.ts';

const restIndex = 90_000;
const callsMax = 60;
const heldForMs = 60_000;

/**
 * Makes ever smaller calls until no output token fits: the smallest call must then be rejected.
 * Returns that last call.
 */
export async function spendRest(
  { arena, callers, highestRates }: StageParts,
  account: string,
  options: { readonly unpriced?: boolean; readonly firstIndex?: number } = {},
): Promise<CallResult> {
  const { unpriced = false, firstIndex = restIndex } = options;
  const priced = { model: attackModels.asked, rates: attackRates };
  for (let index = firstIndex; ; index++) {
    const label = labelOf(account, index);
    const call: { model: string; rates: Rates } = unpriced
      ? { model: unpricedName({ index, highestRates }), rates: highestRates }
      : priced;
    const remainingPicoUsd = await remainingWhenIdle();
    const planned = largestThatFits({ label, ...call }, remainingPicoUsd);
    if (planned === undefined || index >= firstIndex + callsMax) {
      return callers.call(account, createFullCostCall({ label, ...call, maxTokens: 1 }));
    }
    await callers.call(account, planned);
  }

  /** Detached calls still reserve money, and release some of it. */
  async function remainingWhenIdle(): Promise<bigint> {
    const endsMs = arena.context.clock.monotonic() + heldForMs;
    for (;;) {
      const { remainingPicoUsd, heldPicoUsd } = await callers.budget(account);
      if (heldPicoUsd === 0n || arena.context.clock.monotonic() > endsMs) return remainingPicoUsd;
      await sleep(arena.context.clock, 250);
    }
  }
}
