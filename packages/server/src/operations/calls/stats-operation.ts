import { optional } from '../description/field.ts';
import { operation } from '../description/operation.ts';
import { since } from '../description/time-fields.ts';
import { callFilters, searchOf } from './call-filters.ts';
import { readCallStats } from './call-stats.ts';

export const stats = operation({
  name: 'calls stats',
  about: 'show counts, failures and durations of calls in a time range',
  right: 'spend',
  http: ['GET /call-stats'],
  apps: 'own',
  input: {
    ...callFilters,
    since: optional(since('start time (default: 24 h before the end)')),
  },
  commands: [],
  result: async () => (await import('../documents/calls-pages.ts')).CallStats,
  run: (operating, search) => readCallStats(operating.admin, searchOf(operating, search)),
});
