import { keyNameFor, parseKeyName } from '../../domain/key-name.ts';
import { ConsoleError } from '../../operations/console-error.ts';
import {
  KeyAsked,
  KeyChanged,
  KeyIssued,
  KeyRotation,
  KeySwitch,
} from '../../operations/documents.ts';
import { disableKey, enableKey, issueKey, keyRow, rotateKey } from '../../operations/keys/keys.ts';
import { type AnyRoute, type Asked, route } from '../route.ts';
import { answerChange, ofField, optionalPicoUsd, timeOf } from './change.ts';

const minuteMs = 60_000;

/** What issues, rotates and ends keys. A key is in one answer, and nowhere else. */
export const keyChanges: readonly AnyRoute[] = [
  route({
    method: 'POST',
    path: '/admin/v1/apps/:app/keys',
    action: 'keys',
    apps: { named: 'path' },
    summary: 'Makes a key, shown once',
    body: KeyAsked,
    answer: KeyIssued,
    async handle(asked) {
      const { body, parameters } = asked;
      const { app } = parameters;
      const { email, models, note } = body;
      refuseAdmins(asked, keyNameFor({ app, email, adminEmail: asked.admin.adminEmail }));
      const limits = {
        dailyPicoUsd: optionalPicoUsd('dailyUsd', body.dailyUsd),
        monthlyPicoUsd: optionalPicoUsd('monthlyUsd', body.monthlyUsd),
        ...{ models, expiresAt: timeOf('expiresAt', body.expiresAt), note },
      };
      const answer = await answerChange(asked, body, {
        make: (admin) => ofField('email', issueKey(admin, { app, email, limits })),
      });
      return { body: answer, status: answer.dryRun ? 200 : 201 };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/keys/:id/rotate',
    action: 'keys',
    apps: { of: 'key' },
    summary: 'Makes another key of the same name and limits, shown once; the old one works on',
    body: KeyRotation,
    answer: KeyIssued,
    async handle(asked) {
      const { body } = asked;
      const { id, name } = await keyRow(asked.admin, asked.parameters.id);
      refuseAdmins(asked, name);
      const graceMs = body.graceMinutes === undefined ? undefined : body.graceMinutes * minuteMs;
      const expiresAt = timeOf('expiresAt', body.expiresAt);
      const answer = await answerChange(asked, body, {
        make: (admin) => ofField('expiresAt', rotateKey(admin, id, { expiresAt, graceMs })),
      });
      return { body: answer, status: answer.dryRun ? 200 : 201 };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/keys/:id/disable',
    action: 'keys',
    apps: { of: 'key' },
    summary: 'Disables a key: within 1 s its callers are refused',
    body: KeySwitch,
    answer: KeyChanged,
    async handle(asked) {
      const { id } = asked.parameters;
      return {
        body: await answerChange(asked, asked.body, { make: (admin) => disableKey(admin, id) }),
      };
    },
  }),
  route({
    method: 'POST',
    path: '/admin/v1/keys/:id/enable',
    action: 'keys',
    apps: { of: 'key' },
    summary: 'Enables a key that was disabled',
    body: KeySwitch,
    answer: KeyChanged,
    async handle(asked) {
      const { id, name } = await keyRow(asked.admin, asked.parameters.id);
      refuseAdmins(asked, name);
      return {
        body: await answerChange(asked, asked.body, { make: (admin) => enableKey(admin, id) }),
      };
    },
  }),
];

/** A key of the role admin sees more than a team may: operators alone give one. */
function refuseAdmins({ who }: Pick<Asked, 'who'>, name: string) {
  if (who.role !== 'team' || parseKeyName(name)?.role !== 'admin') return;
  throw new ConsoleError('FORBIDDEN', 'A team gives no key to the address of adminEmail');
}
