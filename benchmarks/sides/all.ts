import { bifrost } from './bifrost.ts';
import { direct } from './direct.ts';
import { floor } from './floor.ts';
import { gatewayOnSqlite } from './gateway.ts';
import { gatewayWithCaps } from './gateway-caps.ts';
import { gatewayNotDurable } from './gateway-not-durable.ts';
import { gatewayForOpenAi } from './gateway-openai.ts';
import { gatewayOnPostgres } from './gateway-postgres.ts';
import { gatewayWithThreads } from './gateway-threads.ts';
import { liteLlm } from './litellm.ts';
import { liteLlmWithBudget } from './litellm-budget.ts';
import { liteLlmRs } from './litellm-rs.ts';
import { portkey } from './portkey.ts';
import type { Side } from './side.ts';

/** The sides of a run, in the order of the table. */
export const sides: readonly Side[] = [
  direct,
  floor,
  gatewayOnSqlite,
  gatewayNotDurable,
  gatewayOnPostgres,
  gatewayWithCaps,
  gatewayForOpenAi,
  gatewayWithThreads(2),
  gatewayWithThreads(4),
  bifrost,
  portkey,
  liteLlm,
  liteLlmWithBudget,
  liteLlmRs,
];

/** The other sides are multiples of this one. */
export const reference: Side = floor;
