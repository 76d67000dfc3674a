import type { Clock } from '../../lib/clock.ts';
import { startTimeout } from '../../lib/deadline.ts';
import { isRecord, parseJson } from '../../lib/json-value.ts';
import { isFailure, type Send, type SendResponse } from '../http/transport.ts';

export interface CostPage {
  readonly name: string;
  readonly text: string;
}

export interface Costs {
  /** Includes both UTC days, in order. Rejects with a CostsError. */
  fetch(from: string, to: string): Promise<readonly CostPage[]>;
}

export class CostsError extends Error {
  override readonly name = 'CostsError';
}

const pagesMax = 100;
const pageBytesMax = 16 * 1_048_576;
const timeoutMs = 60_000;
const dayMs = 86_400_000;

export interface CostsDialect {
  readonly path: string;
  /** `endMs` is exclusive. */
  query(fromMs: number, endMs: number): URLSearchParams;
}

export function openaiCosts(path: string): CostsDialect {
  return {
    path,
    query: (fromMs, endMs) =>
      new URLSearchParams([
        ['start_time', String(fromMs / 1_000)],
        ['end_time', String(endMs / 1_000)],
        ['bucket_width', '1d'],
        ['group_by', 'project_id'],
        ['group_by', 'line_item'],
        ['limit', '180'],
      ]),
  };
}

export const anthropicCosts: CostsDialect = {
  path: '/v1/organizations/cost_report',
  query: (fromMs, endMs) =>
    new URLSearchParams([
      ['starting_at', new Date(fromMs).toISOString().replace('.000', '')],
      ['ending_at', new Date(endMs).toISOString().replace('.000', '')],
      ['bucket_width', '1d'],
      ['group_by[]', 'workspace_id'],
      ['group_by[]', 'description'],
      ['limit', '31'],
    ]),
};

/** The next page is a parameter, never an address, so the host stays the platform's own. */
export function createCosts(parts: {
  readonly send: Send;
  readonly clock: Clock;
  readonly headers: Readonly<Record<string, string>>;
  readonly dialect: CostsDialect;
}): Costs {
  const { send, clock, headers, dialect } = parts;
  return {
    async fetch(from, to) {
      const query = dialect.query(Date.parse(from), Date.parse(to) + dayMs);
      const pages: CostPage[] = [];
      const requestedPages = new Set<string>();
      while (pages.length < pagesMax) {
        const text = await requestPage(`${dialect.path}?${query}`);
        pages.push({ name: `page ${pages.length + 1}`, text });
        const page = parseJson(text)?.value;
        // The page's reader rejects another shape.
        if (!isRecord(page) || page.has_more !== true) return pages;
        const { next_page: next } = page;
        if (typeof next !== 'string') return pages;
        if (requestedPages.has(next))
          throw new CostsError(`the page ${JSON.stringify(next)} repeatedly`);
        requestedPages.add(next);
        query.set('page', next);
      }
      throw new CostsError(`more than ${pagesMax} pages; request fewer days`);
    },
  };

  async function requestPage(path: string): Promise<string> {
    const timeout = startTimeout(clock, timeoutMs);
    const { signal } = timeout;
    try {
      const request = { method: 'GET', path, headers, body: '', signal };
      const answer = await send({ ...request, answerBytesMax: pageBytesMax });
      if (isFailure(answer)) throw new CostsError(reasonOf(answer));
      if (answer.status === 200) return answer.body.toString('utf8');
      throw new CostsError(`status ${answer.status}${meaningOf(answer)}`);
    } finally {
      timeout.cancel();
    }
  }
}

function reasonOf({ kind, causeCode }: { readonly kind: string; readonly causeCode: string }) {
  return kind === 'aborted'
    ? `no response within ${timeoutMs / 1_000} s`
    : `no response (${causeCode})`;
}

const meanings: Readonly<Record<number, string>> = {
  401: '; its adminApiKey is wrong or has expired',
  403: '; its adminApiKey is not allowed to read costs',
};

/** No retry: the operator sees the cause and when to retry. */
function meaningOf({ status, headers }: SendResponse): string {
  const wait = headers['retry-after'] ?? '';
  if (/^\d{1,6}$/.test(wait)) return `; try again in ${wait} s`;
  return meanings[status] ?? '';
}
