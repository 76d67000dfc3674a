import { describeWhoPays } from '../../test/streams/who-pays-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeWhoPays(whole);
