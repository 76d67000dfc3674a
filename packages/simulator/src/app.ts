import { createAdmission } from './admission.ts';
import { createAlternation, createBehaviours } from './behaviours/behaviours.ts';
import { followInstructions } from './behaviours/instructions.ts';
import { type Bill, createBillBook } from './bill.ts';
import { createInference } from './inference.ts';
import type { SimulatorClock } from './lib/clock.ts';
import { createIds } from './lib/ids.ts';
import type { Reply } from './lib/wire.ts';
import type { TokenPrices } from './model/models.ts';
import type { Answer, ModelCall, Outcome, Script } from './model/outcome.ts';
import { createProjects, type Project } from './projects.ts';
import { type Answerer, createRouter } from './router.ts';

export interface SimulatorOptions {
  readonly clock: SimulatorClock;
  /** In [0, 1): makes the ids of two processes differ. Without it they are equal. */
  readonly random?: () => number;
  /** By model id; replaces the prices of `simulatorModels`. */
  readonly priceTable?: Readonly<Record<string, TokenPrices>>;
  /** Called before the model's own behavior, for every admitted call. */
  readonly script?: Script;
  /** Undefined: every client may call, with or without a bearer. */
  readonly takesBearer?: (bearer: string) => boolean;
}

export interface SimulatorApp {
  readonly answer: Answerer;
  nextRequestId(): string;
  bill(): Bill;
  createProject(name: string): Project;
}

const billedCallsMax = 100_000;

export function createApp(options: SimulatorOptions): SimulatorApp {
  const { clock, random, priceTable, script, takesBearer } = options;
  const ids = createIds(random);
  const projects = createProjects(clock);
  const book = createBillBook(billedCallsMax);
  const prices = new Map(Object.entries(priceTable ?? {}));
  const behaviours = createBehaviours();
  const isFirst = createAlternation();
  const inference = createInference({
    clock,
    ids,
    book,
    admit: createAdmission({ projects, book }),
    outcomeOf,
    pricesOf: (model) => prices.get(model.id) ?? model.pricesPicoUsd,
  });
  const router = createRouter({ inference, projects, book, takesBearer });
  return {
    answer: behindAmazon(router),
    nextRequestId: () => ids.next('req_'),
    bill: () => ({ ...book.sums(), calls: book.calls() }),
    createProject: projects.ensure,
  };

  function outcomeOf(call: ModelCall): Outcome {
    // A model named by its price has no entry: it follows its instructions.
    const behave = behaviours.get(call.request.model) ?? followInstructions;
    const outcome = script?.(call) ?? behave(call);
    const mayBeSound = outcome.kind === 'answer' && outcome.isFaultyOnce === true;
    return mayBeSound && !isFirst(call.bodyText) ? withoutFault(outcome) : outcome;
  }
}

function withoutFault({ fault: _fault, stream, ...answer }: Answer): Answer {
  return { ...answer, delayMs: 0, handoverDelayMs: 0, stream: { ...stream, stop: undefined } };
}

/** Amazon's front end gives every response its own id, even errors without a body. */
function behindAmazon(answer: Answerer): Answerer {
  return (exchange) => {
    const reply = answer(exchange);
    return reply instanceof Promise ? reply.then(withAmazonId) : withAmazonId(reply);

    function withAmazonId(own: Reply): Reply {
      return { ...own, headers: { 'x-amzn-requestid': exchange.requestId, ...own.headers } };
    }
  };
}
