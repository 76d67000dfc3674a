import { describeErrors } from '../../test/compatible/support/error-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeErrors(whole);
