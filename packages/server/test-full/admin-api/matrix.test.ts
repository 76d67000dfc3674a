import { describeRoutes } from '../../test/admin-api/support/matrix-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeRoutes(whole);
