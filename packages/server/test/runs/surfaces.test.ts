import { pairwise } from '../support/pairs.ts';
import { describeSurfaces } from './surfaces-table.ts';

describeSurfaces(pairwise);
