import type { Store } from '../store/port.ts';

/** Names under which usage shows models that no catalog row names. */
export interface UsageNames {
  /** The model's own name, or `other` once the day has as many names as it may have. */
  nameOf(model: string, day: string): string | Promise<string>;
}

/** The name of all models beyond the limit, and of none that a catalog row names. */
export const otherModels = 'other';

/** Names of one UTC day, of all apps and replicas together. */
export const namesPerDay = 200;

/**
 * Callers name models, and usage keeps a row for each name: so the store counts them. It is asked
 * once for each new name, and no more once the day is full.
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
    await store.write([
      { sql: forgetNames, values: [day] },
      { sql: claimName, values: [day, model, namesPerDay] },
    ]);
    const isClaimed = await store.read({
      sql: selectName,
      values: [day, model],
      map: ([row]) => row !== undefined,
    });
    // The day may have changed meanwhile.
    if (day === today) {
      if (isClaimed) known.add(model);
      else isFull = true;
    }
    return isClaimed ? model : otherModels;
  }
}

const forgetNames = 'delete from usage_name where day < $1';

const claimName = `
  insert into usage_name (day, model)
  select $1, $2 where (select count(*) from usage_name where day = $1) < $3
  on conflict (day, model) do nothing`;

const selectName = 'select model from usage_name where day = $1 and model = $2';
