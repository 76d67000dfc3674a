import { describeWhoPays } from '../../test/compatible/support/who-pays-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeWhoPays(whole);
