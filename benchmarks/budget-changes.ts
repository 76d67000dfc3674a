import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createApp } from '../packages/server/src/admin/apps.ts';
import { setBudget } from '../packages/server/src/admin/budgets.ts';
import { createAdminContext } from '../packages/server/src/admin/context.ts';
import { createLedgerQueue } from '../packages/server/src/ledger/queue.ts';
import { systemClock, utcMonthOf } from '../packages/server/src/lib/clock.ts';
import { createIds, firstCallIdAt } from '../packages/server/src/lib/id.ts';
import { silentLog } from '../packages/server/src/lib/log.ts';
import { openStore } from '../packages/server/src/store/open.ts';
import type { Store } from '../packages/server/src/store/port.ts';
import { audit } from '../packages/server/src/store/queries/audit.ts';
import { startOwnPostgres } from '../packages/server/test/support/postgres-own.ts';
import { newDataFolder } from './processes/data-folder.ts';

// How long callers wait while the members of a budget are changed, and while one is set in the
// middle of a month, on a store that has millions of calls of this month; then how long a start
// takes there.
