import { describeRoutes } from '../../test/console/support/matrix-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeRoutes(whole);
