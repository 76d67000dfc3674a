import { pairwise } from '../support/pairs.ts';
import { describeFallback } from './fallback-table.ts';

describeFallback(pairwise);
