import { describeSurfaces } from '../../test/runs/surfaces-table.ts';
import { whole } from '../../test/support/pairs.ts';

describeSurfaces(whole);
