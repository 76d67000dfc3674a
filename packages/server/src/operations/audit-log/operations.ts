import type { KeyRing } from '../../lib/key-ring.ts';
import { maskActor, maskNotes } from '../context/masking.ts';
import { maskUser, type Session } from '../context/session.ts';
import { count, line, optional } from '../description/field.ts';
import { type Operation, operation } from '../description/operation.ts';
import { tableLines } from '../description/text-lines.ts';
import { since } from '../description/time-fields.ts';
import type { LineDocument } from '../documents/audit-log.ts';
import { listLines } from './audit-log.ts';

const limitDefault = 50;
const limitMax = 200;

const list = operation({
  name: 'log list',
  about: 'list audit log entries, newest first: actor, change, old and new value',
  right: 'look',
  http: ['GET /audit-log'],
  apps: 'own',
  opens: 'store',
  input: {
    subject: optional(
      line(200, 'only entries of this subject: app, key, call or wallet (app/user)', 'subject'),
    ),
    actor: optional(line(200, 'only entries of this actor, for example cli:ann', 'actor')),
    action: optional(line(200, 'only entries of this action, for example key.issue', 'action')),
    app: optional(line(200, 'only entries of this app, its keys, wallets, runs and calls', 'app')),
    since: optional(since('start time: 2026-12-31, or a time ago: 30m, 24h, 7d')),
    after: optional(line(200, 'continue after this entry id, the last of the previous page', 'id')),
    limit: optional(count(limitMax, `maximum rows, up to ${limitMax} (default: ${limitDefault})`)),
  },
  example: { subject: 'search', since: '24h' },
  commands: [{ document: ({ items }) => items }],
  result: async () => (await import('../documents/audit-log.ts')).LinesPage,
  async run({ admin, session, ...of }, { app, limit = limitDefault, ...search }) {
    const apps = app === undefined ? of.apps : [app];
    const entries = await listLines(admin, { ...search, apps, limit: limit + 1 });
    const items = entries.slice(0, limit).map((each) => maskEntry(session, admin.store.ring, each));
    return { items, after: entries.length > limit ? (items.at(-1)?.id ?? null) : null };
  },
  lines: ({ items }) =>
    tableLines(
      ['at', 'actor', 'action', 'subject', 'before', 'after', 'reference', 'why'],
      items.map(({ at, actor, action, subject, before, after, reference, reason }) => [
        ...[at, actor, action, subject, before ?? '', after ?? '', reference ?? '', reason ?? ''],
      ]),
      'No matching entries.',
    ),
});

/** Session ids need the right `access`. */
function withoutSessions(session: Session, whole: LineDocument): LineDocument {
  const { actor, via, action, subject } = whole;
  const isLogin = /^console\.log(in|out)$/.test(action) && !session.permissions.includes('access');
  const maskedActors = { actor: maskActor(session, actor), via: via && maskActor(session, via) };
  return { ...whole, ...maskedActors, subject: isLogin ? '(hidden: a session)' : subject };
}

/** Older wallet lines name users, and reasons or references may name a user. */
function maskEntry(session: Session, ring: KeyRing | undefined, whole: LineDocument): LineDocument {
  const shown = withoutSessions(session, whole);
  if (session.permissions.includes('users')) return shown;
  const { subject, reference, before, after } = shown;
  const notes = maskNotes(session, shown);
  // The text of a booking repeats its reference.
  const without = (text: string | null) =>
    reference === null ? text : (text?.replaceAll(reference, notes.reference ?? '') ?? null);
  const maskedEntry = { ...shown, ...notes, before: without(before), after: without(after) };
  const slash = subject.indexOf('/');
  const [app, userId] = [subject.slice(0, slash), subject.slice(slash + 1)];
  if (slash === -1 || /^u_/.test(userId)) return maskedEntry;
  return { ...maskedEntry, subject: `${app}/${maskUser(session, ring, { app, userId })}` };
}

export const log: readonly Operation[] = [list];
