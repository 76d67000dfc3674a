import { expect, test } from 'vitest';
import { attentionOf } from '../src/pages/today/attention.ts';
import { overview } from './documents/overview.ts';

const [search] = overview.apps;
if (search === undefined) throw new Error('the day has an app');

const reaching = (app: string, exhaustedAt: string) => ({
  ...{ ...search, app },
  forecast: { ...search.forecast, exhaustedAt: `2026-11-22T${exhaustedAt}:00.000Z` },
});

test('used-up budgets come first, then the earliest exhaustion, then problems', () => {
  const problems = attentionOf({
    ...overview,
    apps: [
      reaching('late', '21:00'),
      reaching('soon', '16:00'),
      { ...search, app: 'ended', leftUsd: '0', usedUpSince: '2026-11-22T13:02:00.000Z' },
      { ...search, app: 'off', leftUsd: '0', enabled: false },
      { ...search, app: 'open', capUsd: null, leftUsd: null },
    ],
    problems: [
      { kind: 'sums', text: 'the report rollups end', href: '/console/health' },
      { kind: 'circuit', text: 'gpt-4.1 on azure: it keeps failing', href: '/console/health' },
      ...overview.problems,
    ],
  });
  expect(problems.map(({ app, text, detail }) => [app, text, detail])).toEqual([
    ['ended', 'used up its budget', '0 requests rejected since 13:02 UTC'],
    ['soon', '', 'Forecast to reach its budget at about 16:00 UTC'],
    ['late', '', 'Forecast to reach its budget at about 21:00 UTC'],
    [undefined, 'gpt-next has no price', ''],
    [undefined, 'gpt-4.1 on azure', 'It keeps failing'],
    [undefined, 'The report rollups end', ''],
  ]);
});

test('a budget that just rejected calls needs attention although some of it is left', () => {
  const [problem, ...others] = attentionOf({ ...overview, apps: [search], problems: [] });
  expect(others).toEqual([]);
  expect(problem).toMatchObject({
    ...{ app: 'search', text: 'had calls rejected by its budget', isBudget: true },
    detail: '1,012 requests rejected today, the last at 14:59 UTC; $0.691 left',
  });
});

test('a budget that rejected calls more than 15 minutes ago does not need attention', () => {
  const apps = [{ ...search, forecast: { ...search.forecast, exhaustedAt: null } }];
  const at = '2026-11-22T15:15:00.000Z';
  expect(attentionOf({ ...overview, at, apps, problems: [] })).toEqual([]);
});

test('a used-up budget never has a start time of now', () => {
  const [problem] = attentionOf({ ...overview, apps: [{ ...search, leftUsd: '0' }] });
  expect(problem).toMatchObject({ app: 'search', detail: '1,012 requests rejected today' });
});

test('an old key in use has its remaining time, and an invoice its difference', () => {
  const ends = 'its grace ends at 2026-11-22T15:52:30.000Z';
  const several = 'the first grace ends at 2026-11-24T15:00:00.000Z';
  const problems = attentionOf({
    ...{ ...overview, apps: [] },
    problems: [
      {
        kind: 'invoice',
        text: 'invoice of 2026-11-02: differs from the ledger by $3.1800021 (0.03%)',
        href: '/console/reconcile?month=2026-11&day=2026-11-02',
      },
      {
        ...{ kind: 'key', app: 'search', text: `old key of search: still in use; ${ends}` },
        href: '/console/calls?key=key_1',
      },
      {
        ...{ kind: 'key', app: 'tutor', text: `2 old keys of tutor: still in use; ${several}` },
        href: '/console/apps/tutor/keys',
      },
    ],
  });
  expect(problems.map(({ text, detail, href, verb }) => [text, detail, href, verb])).toEqual([
    [
      ...['Old key of search', 'Still in use; its grace ends in 52 min'],
      ...['/console/calls?key=key_1', 'Review'],
    ],
    [
      ...['2 old keys of tutor', 'Still in use; the first grace ends Nov 24'],
      ...['/console/apps/tutor/keys', 'Review'],
    ],
    [
      ...['Invoice of November 2', 'Differs from the ledger by $3.18 (0.03%)'],
      ...['/console/reconcile?month=2026-11&day=2026-11-02', 'Reconcile'],
    ],
  ]);
});
