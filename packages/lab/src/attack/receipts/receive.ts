import { outcomeOfResponse, request, type SurfaceCall, type Target } from '../arena/surfaces.ts';
import type { CallOutcome } from '../books/books.ts';

export interface Receipt {
  /** From the response; undefined without one. */
  readonly callId: string | undefined;
  readonly came: 'whole' | 'part' | 'nothing';
  readonly isReplayed: boolean;
  readonly outcome: CallOutcome;
}

/** The first word of every text, in no id: a stream that contains it has brought a part. */
const firstWord = 'Received';
/** Longer waits would never end. */
const waitMsMax = 30_000;

export const receivedText = `${firstWord} two three four five six seven eight`;

/** Until its caller disconnects, or until the first word. */
export async function receive(
  target: Target,
  call: SurfaceCall,
  how: { readonly tries: number; readonly leaving?: AbortSignal; readonly leavesAtText?: boolean },
): Promise<Receipt> {
  const own = new AbortController();
  const signals = [own.signal, AbortSignal.timeout(waitMsMax), how.leaving ?? own.signal];
  let response: Response | undefined;
  let text = '';
  try {
    response = await request(target, call, { tries: how.tries, signal: AbortSignal.any(signals) });
    for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += piece;
      // A slow caller might have all of it before it disconnects.
      const isWhole = text.includes(call.surface.ending ?? '');
      if (how.leavesAtText === true && hasPart(text) && !isWhole) {
        own.abort();
        return receiptOf(response, { came: 'part', outcome: { kind: 'left' } });
      }
    }
  } catch {
    const came = response?.status === 200 && hasPart(text) ? 'part' : 'nothing';
    return receiptOf(response, { came, outcome: { kind: 'left' } });
  }
  const outcome = outcomeOfResponse(response, text, call.surface.ending);
  const isCut = outcome.kind !== 'answered' && response.status === 200 && hasPart(text);
  return receiptOf(response, {
    came: outcome.kind === 'answered' ? 'whole' : isCut ? 'part' : 'nothing',
    outcome,
  });
}

function receiptOf(
  response: Response | undefined,
  { came, outcome }: Pick<Receipt, 'came' | 'outcome'>,
): Receipt {
  return {
    callId: response?.headers.get('x-call-id') ?? undefined,
    isReplayed: response?.headers.get('idempotent-replayed') === 'true',
    ...{ came, outcome },
  };
}

function hasPart(text: string): boolean {
  return text.includes(firstWord);
}
