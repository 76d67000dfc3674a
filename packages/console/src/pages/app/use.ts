import { exactUsd, picoOf, textOf, unitOf, usdIn } from '../../text/money.ts';

interface Use {
  readonly spentUsd: string;
  readonly heldUsd: string;
  readonly remainingUsd: string;
  readonly capUsd: string;
}

interface ShownUse {
  readonly spent?: string | undefined;
  readonly held?: string | undefined;
  readonly left?: string | undefined;
}

const cent = 10n ** 10n;

/**
 * The shown spent, reserved and left add up to the budget exactly, and each is within a cent of its
 * amount. An overrun has no such sum.
 */
export function shownUse({ spentUsd, heldUsd, remainingUsd, capUsd }: Use): ShownUse {
  const [left, cap] = [picoOf(remainingUsd), picoOf(capUsd)];
  const parts = [picoOf(spentUsd), picoOf(heldUsd)].map((pico) => {
    const unit = unitOf(pico);
    return { unit, rest: pico % unit, shown: pico - (pico % unit) };
  });
  const [spent, held] = parts;
  if (spent === undefined || held === undefined) return {};
  if (picoOf(spentUsd) + picoOf(heldUsd) + left !== cap) return {};
  // The truncated remainders may exceed a cent together: the larger one is shown as a whole unit.
  if (spent.rest + held.rest >= cent) {
    const larger = spent.rest >= held.rest ? spent : held;
    larger.shown += larger.unit;
  }
  return {
    spent: usdIn(spent.shown, spent.unit),
    held: usdIn(held.shown, held.unit),
    left: exactUsd(textOf(cap - spent.shown - held.shown)),
  };
}
