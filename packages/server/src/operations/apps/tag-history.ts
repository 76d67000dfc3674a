import type { AuditLine } from '../../books/audit-line.ts';
import type { Names } from '../../reports/report.ts';
import type { Tags } from '../../reports/tags.ts';
import type { Store } from '../../store/port/port.ts';
import { selectAppLines } from '../../store/queries/audit-log.ts';

const dayMs = 86_400_000;

/**
 * Tags at each day's end, from the audit log. Days before the first line have the tags that it
 * found; apps without a line have today's.
 */
export async function readTagHistory(
  store: Pick<Store, 'read'>,
  today: Names['tags'],
): Promise<(app: string, day: string) => Tags> {
  const lines = Map.groupBy(await store.read(selectAppLines), ({ subject }) => subject);
  const spans = new Map([...lines].map(([app, ofApp]) => [app, spansOf(ofApp)]));
  return (app, day) => {
    const endMs = Date.parse(day) + dayMs;
    const ofApp = spans.get(app) ?? [];
    return (ofApp.findLast(({ since }) => since < endMs) ?? ofApp[0])?.tags ?? today(app);
  };
}

interface Span {
  readonly since: number;
  readonly tags: Tags;
}

function spansOf(lines: readonly AuditLine[]): readonly Span[] {
  const spans = lines.map(({ at, after }) => ({ since: at, tags: tagsIn(after) }));
  const [first] = lines;
  return first?.before === undefined
    ? spans
    : [{ since: Number.NEGATIVE_INFINITY, tags: tagsIn(first.before) }, ...spans];
}

function tagsIn(settings = '{}'): Tags {
  const { tags = {} }: { readonly tags?: Tags } = JSON.parse(settings);
  return tags;
}
