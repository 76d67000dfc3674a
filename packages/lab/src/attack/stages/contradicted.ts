import { attackApps, labelOf, surfaceTokens } from '../arena/accounts.ts';
import { atOnce } from '../arena/callers.ts';
import type { PlatformInstructions } from '../arena/planned-call.ts';
import { spendRest } from '../arena/spend-rest.ts';
import type { StageParts, StageResult } from '../arena/stage.ts';
import { sendOn, surfaceCall, surfaceRoutes } from '../arena/surfaces.ts';

type Counts = Readonly<Record<'inputTokens' | 'outputTokens', number>>;

const callersAtOnce = 16;
const full: Counts = { inputTokens: surfaceTokens.input, outputTokens: surfaceTokens.output };
const few: Counts = { inputTokens: 10, outputTokens: 5 };
const none: Counts = { inputTokens: 0, outputTokens: 0 };

const countPairs: readonly { readonly first: Counts; readonly last: Counts }[] = [
  { first: few, last: full },
  { first: full, last: few },
  { first: full, last: none },
  { first: { ...full, outputTokens: 0 }, last: { ...full, inputTokens: 0 } },
];

/** A stream reports counts in events, a whole response in one object. */
const ways = {
  whole: ['object', 'names'],
  stream: ['start', 'before', 'object', 'names'],
} as const;

const cases = surfaceRoutes.flatMap((surface) =>
  ways[surface.ending === undefined ? 'whole' : 'stream'].flatMap((how) =>
    countPairs.map(({ first, last }) => {
      const isWithinEvents = how === 'start' || how === 'before';
      const grows = isWithinEvents && first === few;
      const instructions: PlatformInstructions = {
        text: 'one two three',
        states: last,
        statesFirst: { ...first, how },
      };
      // Zeros right after true counts may be ignored.
      const isReset = how === 'before' && last === none;
      const booking = grows ? ('exact' as const) : ('estimate' as const);
      return { surface, instructions, booking: isReset ? undefined : booking };
    }),
  ),
);

/** The platform reports its counts twice and bills the larger ones, which fill the budget. */
export async function contradicted(parts: StageParts): Promise<StageResult> {
  const { arena, callers, chance } = parts;
  const account = attackApps.contradicted.name;
  const apiKey = arena.key(account);
  const deck = chance.shuffled(cases).map(({ surface, instructions, booking }, index) => {
    const call = surfaceCall(surface, labelOf(account, index), { instructions });
    return { call, booking };
  });
  await atOnce(deck, callersAtOnce, ({ call }) =>
    callers.callBy(account, call, (tries) => {
      const urls = arena.urls();
      return sendOn({ url: urls[chance.below(urls.length)] ?? '', apiKey }, call, { tries });
    }),
  );
  await spendRest(parts, account);
  return {
    name: account,
    line: `${deck.length} responses that report their counts twice, smaller and larger, on ${surfaceRoutes.length} routes`,
    expectedBookings: deck.flatMap(({ call: { label }, booking }) =>
      booking === undefined ? [] : { label, booking },
    ),
  };
}
