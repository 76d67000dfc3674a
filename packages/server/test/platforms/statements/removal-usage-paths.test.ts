import { createUsageReader } from '../../../src/platforms/evidence/read-usage.ts';
import { usageLines } from '../../../src/platforms/evidence/usage-tree.ts';
import {
  type UsagePathLine,
  usagePathLines,
} from '../../../src/platforms/statements/usage-paths.ts';
import { type Cases, testRemoval } from './removal.ts';

type Json = Readonly<Record<string, unknown>>;

const usage = { prompt_tokens: 100, completion_tokens: 20 };
const gemini = { promptTokenCount: 100, candidatesTokenCount: 20 };

const cases: Cases<Json> = {
  usage: [{ usage }, [100, 20]],
  'choices.0.usage': [{ choices: [{ delta: {}, usage }] }, [100, 20]],
  'x_groq.usage': [{ x_groq: { id: 'req_1', usage } }, [100, 20]],
  'message.usage': [{ message: { usage } }, [100, 20]],
  usageMetadata: [{ usageMetadata: gemini }, [100, 20]],
  usage_metadata: [{ usage_metadata: gemini }, [100, 20]],
  'meta.billed_units': [
    { meta: { billed_units: { input_tokens: 100, output_tokens: 20 } } },
    [100, 20],
  ],
};

testRemoval<UsagePathLine, Json>({
  lines: usagePathLines,
  nameOf: ({ path }) => path,
  cases,
  read(places, response) {
    const { readUsage, hasUsage } = createUsageReader(usageLines, places);
    const { inputTokens, outputTokens } = readUsage(response);
    return hasUsage(response) ? [inputTokens, outputTokens] : 'nothing';
  },
});
