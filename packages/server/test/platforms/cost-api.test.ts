import { expect, test } from 'vitest';
import {
  anthropicCosts,
  type CostsDialect,
  createCosts,
  openaiCosts,
} from '../../src/platforms/billing/cost-api.ts';
import type { SendOutcome, SendRequest } from '../../src/platforms/http/transport.ts';
import { createTestClock } from '../support/test-clock.ts';

function asking(dialect: CostsDialect, answers: readonly string[], status = 200) {
  const asked: SendRequest[] = [];
  const send = async (request: SendRequest): Promise<SendOutcome> => {
    const text = answers[asked.length] ?? answers.at(-1) ?? '';
    asked.push(request);
    return { status, headers: {}, body: Buffer.from(text) };
  };
  const costs = createCosts({ send, clock: createTestClock(), headers: {}, dialect });
  return { asked, costs };
}

const last = '{"data":[],"has_more":false,"next_page":null}';
const more = '{"data":[],"has_more":true,"next_page":"https://elsewhere.example/?x=1"}';

test('OpenAI is queried in seconds, grouped by project and line item', async () => {
  const { asked, costs } = asking(openaiCosts('/organization/costs'), [last]);
  expect(await costs.fetch('2026-11-20', '2026-11-21')).toEqual([{ name: 'page 1', text: last }]);
  expect(asked.map(({ path }) => path)).toEqual([
    '/organization/costs?start_time=1795132800&end_time=1795305600&bucket_width=1d&group_by=project_id&group_by=line_item&limit=180',
  ]);
});

test('a next page is a parameter at the same host, whatever its text is', async () => {
  const { asked, costs } = asking(anthropicCosts, [more, last]);
  expect(await costs.fetch('2026-11-20', '2026-11-20')).toHaveLength(2);
  const [first = '', second = ''] = asked.map(({ path }) => path);
  expect(first).toContain('starting_at=2026-11-20T00%3A00%3A00Z&ending_at=2026-11-21T00');
  expect(second).toBe(`${first}&page=https%3A%2F%2Felsewhere.example%2F%3Fx%3D1`);
});

test('endless pages, and rejections, are sentences', async () => {
  const others = Array.from({ length: 101 }, (_none, n) => more.replace('x=1', `x=${n}`));
  const endless = asking(anthropicCosts, others);
  await expect(endless.costs.fetch('2026-11-20', '2026-11-20')).rejects.toThrow('100 pages');
  expect(endless.asked).toHaveLength(100);
  const repeating = asking(anthropicCosts, [more]);
  await expect(repeating.costs.fetch('2026-11-20', '2026-11-20')).rejects.toThrow('repeatedly');
  expect(repeating.asked).toHaveLength(2);
  const refused = asking(anthropicCosts, ['no'], 403);
  await expect(refused.costs.fetch('2026-11-20', '2026-11-20')).rejects.toThrow(
    'status 403; its adminApiKey is not allowed to read costs',
  );
});
