import type { Outcome } from '@model-gateway/simulator';
import { type AliasHouse, aliasesOf } from './alias-house.ts';
import { type PaidRoute, routes } from './paid-routes.ts';
import { startRaw } from './raw-caller.ts';

/** A compatible route, streamed or whole. */
export interface AliasRow {
  readonly name: string;
  readonly route: PaidRoute;
  readonly isStream: boolean;
}

export const aliasRows: readonly AliasRow[] = Object.entries(routes).flatMap(([name, route]) =>
  [false, ...(route.canStream ? [true] : [])].map((isStream) => ({ name, route, isStream })),
);

/** The response of a first model, with its fault. */
export const answer = (more: object): Outcome => ({
  kind: 'answer',
  text: 'one two three',
  ...more,
});

/** Its stream breaks after this many words. */
export const breakAt = (after: number) =>
  answer({ stream: { gapMs: 10, stop: { how: 'break', after } } });

/** The alias of a route, and its two models. */
export function namesOf({ name }: AliasRow) {
  const names = aliasesOf[name];
  if (names === undefined) throw new Error(`${name} has no alias`);
  return names;
}

export function bodyOf({ route, isStream }: AliasRow, prompt: string, model: string): string {
  const body = { ...route.body(prompt), model };
  return JSON.stringify(isStream ? { ...body, stream: true } : body);
}

/** Sends a request, and reads its response to the end. */
export async function ask({ stack }: AliasHouse, app: string, { route }: AliasRow, text: string) {
  const headers = { 'x-user-id': 'ada' };
  const caller = await startRaw(stack, app, route.path, { text, headers });
  await caller.untilEnd();
  return caller;
}
