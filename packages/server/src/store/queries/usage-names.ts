import type { Query, Statement } from '../port/port.ts';

/** At most `namesMax` per day; deletes earlier days. */
export function claimUsageName(day: string, model: string, namesMax: number): readonly Statement[] {
  return [
    { sql: deleteNames, values: [day] },
    { sql: claimName, values: [day, model, namesMax] },
  ];
}

export function selectUsageName(day: string, model: string): Query<boolean> {
  return { sql: selectName, values: [day, model], map: ([row]) => row !== undefined };
}

const deleteNames = 'delete from usage_name where day < $1';

const claimName = `
  insert into usage_name (day, model)
  select $1, $2 where (select count(*) from usage_name where day = $1) < $3
  on conflict (day, model) do nothing`;

const selectName = 'select model from usage_name where day = $1 and model = $2';
