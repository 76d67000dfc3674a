import Type from 'typebox';
import type { KeyRing } from '../../lib/key-ring.ts';
import { type LineDocument, listLines } from '../../operations/audit-log/audit-log.ts';
import * as documents from '../../operations/documents.ts';
import { listHooks } from '../../operations/hooks/hooks.ts';
import { maskedActor, maskedWords } from '../../operations/seen.ts';
import { maskUser, mayUseApp, visibleApps, type Who } from '../../operations/who.ts';
import { instantOf, instantText, limitOf, limitText, name } from '../queries.ts';
import { type AnyRoute, route } from '../route.ts';

const lines = route({
  method: 'GET',
  path: '/admin/v1/audit-log',
  action: 'look',
  apps: 'own',
  summary: 'Who changed what, from what to what, the newest first',
  query: Type.Object(
    {
      subject: Type.Optional(name),
      actor: Type.Optional(name),
      action: Type.Optional(name),
      app: Type.Optional(name),
      since: Type.Optional(instantText),
      after: Type.Optional(name),
      limit: Type.Optional(limitText),
    },
    { additionalProperties: false },
  ),
  answer: documents.LinesPage,
  async handle({ admin, who, apps, query }) {
    const { subject, actor, action, after } = query;
    const limit = limitOf(query.limit);
    const since = instantOf(query.since, 'since');
    const found = await listLines(admin, {
      ...{ subject, actor, action, since, after, apps },
      limit: limit + 1,
    });
    const items = found.slice(0, limit).map((line) => maskedLine(who, admin.store.ring, line));
    return { body: { items, after: found.length > limit ? (items.at(-1)?.id ?? null) : null } };
  },
});

/** A line without ids of sessions for those who end no other's. */
function withoutSessions(who: Who, line: LineDocument): LineDocument {
  const { actor, via, action, subject } = line;
  const isLogin = /^console\.log(in|out)$/.test(action) && !who.may.includes('access');
  const seen = { actor: maskedActor(who, actor), via: via && maskedActor(who, via) };
  return { ...line, ...seen, subject: isLogin ? '(hidden: a session)' : subject };
}

/** Wallets had the names of users before lines had pseudonyms; words of people may name one. */
function maskedLine(who: Who, ring: KeyRing | undefined, whole: LineDocument): LineDocument {
  const line = withoutSessions(who, whole);
  if (who.may.includes('users')) return line;
  const { subject, reference, before, after } = line;
  const words = maskedWords(who, line);
  // What was booked under a reference says it once more.
  const without = (text: string | null) =>
    reference === null ? text : (text?.replaceAll(reference, words.reference ?? '') ?? null);
  const seen = { ...line, ...words, before: without(before), after: without(after) };
  const slash = subject.indexOf('/');
  const [app, userId] = [subject.slice(0, slash), subject.slice(slash + 1)];
  if (slash === -1 || /^u_/.test(userId)) return seen;
  return { ...seen, subject: `${app}/${maskUser(who, ring, { app, userId })}` };
}

const webhooks = route({
  method: 'GET',
  path: '/admin/v1/webhooks',
  action: 'look',
  apps: 'own',
  summary: 'The webhooks, and what became of what they were to be told',
  answer: documents.HooksPage,
  async handle({ admin, who, config }) {
    const all = await listHooks(admin, config.notify);
    const items = all.filter(
      ({ apps }) => who.apps === undefined || apps?.some((app) => mayUseApp(who, app)) === true,
    );
    const seen = items.map((hook) => ({
      ...hook,
      apps: hook.apps === null ? null : visibleApps(who, hook.apps),
    }));
    return { body: { items: seen, after: null } };
  },
});

/** What is listed whole, and the audit log. */
export const listRoutes: readonly AnyRoute[] = [lines, webhooks];
