import type { Store } from '../store/port/port.ts';
import { claimUsageName, selectUsageName } from '../store/queries/usage-names.ts';

export interface UsageNames {
  /** `other` once the day has its maximum of names. */
  nameOf(model: string, day: string): string | Promise<string>;
}

/** For models beyond the limit; never for a listed model. */
export const otherModels = 'other';

/** Per UTC day, for all apps and replicas together. */
export const namesPerDay = 200;

/**
 * Callers choose model names, and usage stores a row per name, so the store counts them. It is
 * queried once per new name, and not after the day is full.
 */
export function createUsageNames({ store }: { readonly store: Store }): UsageNames {
  let today = '';
  let isFull = false;
  const known = new Set<string>();
  return {
    nameOf(model, day) {
      if (day !== today) begin(day);
      if (known.has(model)) return model;
      return isFull ? otherModels : claim(model, day);
    },
  };

  function begin(day: string) {
    today = day;
    isFull = false;
    known.clear();
  }

  async function claim(model: string, day: string): Promise<string> {
    await store.write(claimUsageName(day, model, namesPerDay));
    const isClaimed = await store.read(selectUsageName(day, model));
    // The day may have changed since.
    if (day === today) {
      if (isClaimed) known.add(model);
      else isFull = true;
    }
    return isClaimed ? model : otherModels;
  }
}
