import { direct } from './direct.ts';
import { floor } from './floor.ts';
import { gatewayOnSqlite } from './gateway.ts';
import type { Side } from './side.ts';

/** The sides of a run, in the order of the table. */
export const sides: readonly Side[] = [direct, floor, gatewayOnSqlite];

/** The side that the others are given as multiples of. */
export const reference: Side = floor;
