import { fieldOf, isRecord } from '../../../lib/json-value.ts';

export function returnable(item: unknown): Readonly<Record<string, unknown>> | undefined {
  if (fieldOf(item, 'type') !== 'reasoning' || !isRecord(item)) return undefined;
  const { type, id, summary, content, encrypted_content } = item;
  const hasContent = Array.isArray(content) && content.length > 0;
  // The platform stores no item, so it reads only the item's own content.
  if (typeof encrypted_content !== 'string' && !hasContent) return undefined;
  const written = { id, content, encrypted_content };
  const given = Object.entries(written).filter(([, value]) => (value ?? undefined) !== undefined);
  return { type, summary: Array.isArray(summary) ? summary : [], ...Object.fromEntries(given) };
}
