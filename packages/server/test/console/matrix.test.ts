import { expect, test } from 'vitest';
import { routes } from '../../src/console/routes.ts';
import { pairwise } from '../support/pairs.ts';
import { appAxis } from './support/app-axis.ts';
import { describeRoutes, limitedRoutes, titleOf } from './support/matrix-table.ts';

describeRoutes(pairwise);

test('the table of apps has every route that a login limited to apps may ask', () => {
  expect(Object.keys(appAxis).toSorted()).toEqual(limitedRoutes.map(titleOf).toSorted());
});

test('no route is there twice', () => {
  expect(new Set(routes.map(titleOf)).size).toBe(routes.length);
});
