import { tableLines } from '../description/text-lines.ts';
import type { PlatformDocument } from './check-platforms.ts';
import type { SmallestCall } from './smallest-call.ts';

export function platformsLines(checks: readonly PlatformDocument[]): readonly string[] {
  const hasRoutes = checks.some(({ route }) => route !== undefined);
  const table = tableLines(
    ['platform', 'kind', ...(hasRoutes ? ['route'] : []), 'state', 'models', 'call'],
    checks.map(({ platform, kind, route = 'direct', state, models, call }) => [
      ...[platform, kind, ...(hasRoutes ? [route] : [])],
      ...[state, models === null ? '-' : String(models)],
      call === undefined ? 'not made' : callCell(call),
    ]),
    'The configuration has no platform.',
  );
  const problems = checks.flatMap(({ problem, call }) => [problem, call?.problem ?? null]);
  const lines = [...new Set(problems.filter((problem) => problem !== null))];
  return lines.length === 0 ? table : [...table, '', ...lines];
}

function callCell({ answered, model, status, usd }: SmallestCall): string {
  if (model === null) return 'not made';
  const how = answered ? 'answered' : `failed${status === null ? '' : ` (${status})`}`;
  return `${how} by ${model}, ${usd === null ? 'cost unknown' : `$${usd}`}`;
}
