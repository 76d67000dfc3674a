import { pairwise } from '../support/pairs.ts';
import { describeWhoPays } from './who-pays-table.ts';

describeWhoPays(pairwise);
