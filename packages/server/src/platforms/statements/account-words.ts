import type { Statement } from './statement.ts';

export interface AccountWord extends Statement {
  /** Case-insensitive. */
  readonly word: string;
  readonly isIn: 'code' | 'sentence';
}

function wordsIn(
  isIn: AccountWord['isIn'],
  vendor: string,
  source: string,
  words: readonly string[],
): readonly AccountWord[] {
  return words.map((word) => ({ vendor, source, word, isIn }));
}

const openAiErrors = 'https://platform.openai.com/docs/guides/error-codes';
const dashScopeErrors = 'https://help.aliyun.com/zh/model-studio/developer-reference/error-code';

export const accountWords: readonly AccountWord[] = [
  ...wordsIn('code', 'OpenAI', openAiErrors, [
    ...['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active'],
  ]),
  ...wordsIn('code', 'Mistral', 'https://docs.mistral.ai/api/', ['insufficient_funds']),
  ...wordsIn('code', 'LiteLLM, new-api', 'https://github.com/QuantumNous/new-api', [
    ...['insufficient_user_quota', 'insufficient_credits', 'payment_required'],
  ]),
  ...wordsIn('code', 'Anthropic', 'https://docs.anthropic.com/en/api/errors', ['billing_error']),
  ...wordsIn('code', 'Moonshot', 'https://platform.moonshot.ai/docs/api/chat', [
    'exceeded_current_quota_error',
  ]),
  ...wordsIn('code', 'Venice', 'veniceai/api-docs#149', ['INSUFFICIENT_BALANCE']),
  ...wordsIn('code', 'MiniMax', 'modelscope/modelscope#1691', ['insufficient_balance_error']),
  ...wordsIn('code', 'DashScope', dashScopeErrors, ['Arrearage']),
  ...wordsIn('code', 'Volcengine Ark', 'https://volcengine.com/docs/82379/1299023', [
    'AccountOverdueError',
  ]),
  ...wordsIn('sentence', 'Anthropic', 'https://docs.anthropic.com/en/api/errors', [
    'credit balance',
  ]),
  ...wordsIn('sentence', 'OpenAI', openAiErrors, [
    // "You exceeded your current quota" is omitted: Gemini writes it about a limit per minute.
    ...['billing hard limit has been', 'account is not active, please check your billing'],
  ]),
  ...wordsIn('sentence', 'OpenRouter', 'https://openrouter.ai/docs/api-reference/errors', [
    ...['insufficient credits', 'requires more credits'],
  ]),
  ...wordsIn('sentence', 'DeepSeek', 'https://api-docs.deepseek.com/quick_start/error_codes', [
    'insufficient balance',
  ]),
  ...wordsIn('sentence', 'xAI', 'https://docs.x.ai/docs/key-information/debugging', [
    ...['used all available credits', 'any credits or licenses yet'],
  ]),
  ...wordsIn('sentence', 'Mistral', 'https://docs.mistral.ai/api/', ['insufficient funds']),
  ...wordsIn('sentence', 'Zhipu', 'https://docs.bigmodel.cn/cn/api/api-code', ['余额不足', '欠费']),
];
