import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/lib/clock.ts';
import { type Desk, openDesk } from './support/desk.ts';

const yaml = `
company: acme
store: sqlite:./gateway.db
platforms:
  direct: { kind: openai, apiKey: test-key }
  other: { kind: openai, apiKey: test-key }
  sandbox: { kind: simulator }
models:
  - { id: gpt-5, platform: direct, inputUsdPerMillion: "1.25", cachedInputUsdPerMillion: "0.125", outputUsdPerMillion: "10" }
  - { id: cheap, platform: other, upstreamModel: gpt-5.2, inputUsdPerMillion: "1", outputUsdPerMillion: "14" }
  - { id: gpt-5.1, platform: direct, inputUsdPerMillion: "1.25", cachedInputUsdPerMillion: "0.125", outputUsdPerMillion: "10", retires: 2027-02-01 }
  - { id: mine, platform: sandbox, upstreamModel: sim-echo, inputUsdPerMillion: "9", outputUsdPerMillion: "9" }
`;

const ofDay = (day: string) => ({ ...systemClock, now: () => Date.parse(`${day}T12:00:00Z`) });
const ids = (rows: unknown) =>
  Array.isArray(rows) ? rows.map((row: { readonly id: string }) => row.id) : rows;

let desk: Desk;
beforeAll(async () => {
  desk = await openDesk({ yaml, clock: ofDay('2026-11-27') });
});
afterAll(() => desk.close());

describe('models check on 2026-11-27', () => {
  test('names retired models, and models that retire within 30 days', async () => {
    const { retired, retiring } = await desk.record(['models', 'check']);
    expect(retired).toEqual([
      { id: 'gpt-4.1-nano', platform: 'direct', retires: '2026-10-23' },
      { id: 'o4-mini', platform: 'direct', retires: '2026-10-23' },
    ]);
    // gpt-5 is a row of the file, with the date of the built-in row.
    expect(ids(retiring)).toEqual(['gpt-5', 'gpt-5-mini', 'gpt-5-nano', 'gpt-5-pro', 'o3']);
  });

  test('names rows of the file that differ from the built-in price, under any id', async () => {
    const { mismatched, stale } = await desk.record(['models', 'check']);
    expect(mismatched).toEqual([
      {
        ...{ id: 'cheap', platform: 'other' },
        price: expect.objectContaining({ inputUsdPerMillion: '1' }),
        shipped: {
          price: expect.objectContaining({ inputUsdPerMillion: '1.75' }),
          source: expect.stringMatching(/https:/),
        },
      },
    ]);
    expect(stale).toBeUndefined();
  });

  test('prints them for people', async () => {
    const { out } = await desk.run(['models', 'check', '--config', desk.file]);
    const page = out.join('\n');
    expect(page).toMatch(/Retired models.*\n.*\n.*gpt-4\.1-nano +direct +2026-10-23/);
    expect(page).toMatch(/cheap +other +yours +\$1 /);
    expect(page).toMatch(/built-in +\$1\.75 /);
    expect(page).not.toContain('180 days');
  });

  test('models list has the day of each', async () => {
    const models = await desk.records(['models', 'list']);
    expect(models.find(({ id }) => id === 'o4-mini')).toMatchObject({ retires: '2026-10-23' });
    expect(models.find(({ id }) => id === 'gpt-5.1')).toMatchObject({ retires: '2027-02-01' });
    expect(models.find(({ id }) => id === 'gpt-5.5')).not.toHaveProperty('retires');
  });
});

test.each([
  ['2027-05-26', false],
  ['2027-05-27', true],
])('on %s a price of 2026-11-27 is stale: %s', async (day, isStale) => {
  const later = await openDesk({ yaml, clock: ofDay(day) });
  const { stale, retired } = await later.record(['models', 'check']);
  expect(stale !== undefined).toBe(isStale);
  if (isStale) {
    expect(stale).toContainEqual({ id: 'gpt-5.5', platform: 'direct', readOn: '2026-11-27' });
    // The date of the file's prices is unknown.
    expect(ids(stale)).not.toContain('cheap');
  }
  expect(ids(retired)).toContain('gpt-5.1');
  await later.close();
});
