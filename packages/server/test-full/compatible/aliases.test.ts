import { describeAliases } from '../../test/compatible/support/aliases-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeAliases(whole);
