import { pairwise } from '../support/pairs.ts';
import { describeWhoPays } from './support/who-pays-table.ts';

describeWhoPays(pairwise);
