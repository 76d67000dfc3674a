import { describeFallback } from '../../test/aliases/fallback-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeFallback(whole);
