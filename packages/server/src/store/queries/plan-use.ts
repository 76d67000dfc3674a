import type { Query, Statement } from '../port/port.ts';
import { upsert } from '../schema/row-statement.ts';
import { type PlanUse, planUses } from '../schema/service-tables.ts';

export const selectPlanUses: Query<readonly PlanUse[]> = {
  sql: 'select * from plan_use',
  values: [],
  map: (rows) => rows.map(planUses.read),
};

const putUse = upsert(planUses);

export function putPlanUse(use: PlanUse): Statement {
  return { sql: putUse.sql, values: putUse.bind(use) };
}
