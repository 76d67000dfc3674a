import type { SimulatorOptions } from '@model-gateway/simulator';

/** A model that reads a PDF, and answers the next question of the same session. */
export interface PdfReader {
  readonly file: string;
  readonly first: string;
  readonly last: string;
  /** A PDF of one empty page. */
  readonly bytes: string;
  readonly script: NonNullable<SimulatorOptions['script']>;
  /** Whether the model received the PDF, and receives it again with the next question. */
  isRead(): boolean;
}

/** Calls Claude Code's tool `Read`, whose result is the PDF. */
export function createPdfReader(): PdfReader {
  const file = 'invoice.pdf';
  const first = `Read ${file}`;
  const last = 'Add two and two.';
  const seen = new Set<string>();
  return {
    ...{ file, first, last, bytes },
    script({ request, bodyText }) {
      const { messages, tools } = request;
      const start = messages.findLastIndex(({ role }) => role === 'user');
      const prompt = messages[start]?.texts.join('\n') ?? '';
      const hasPdf = bodyText.includes('application/pdf');
      const reader = tools.find(({ name }) => name === 'Read');
      if (reader === undefined) return undefined;
      if (hasPdf) seen.add(prompt.includes(last) ? last : first);
      if (!prompt.includes(first) || hasPdf) return undefined;
      const input = JSON.stringify({ file_path: file });
      return { kind: 'answer', toolCalls: [{ name: reader.name, arguments: input }] };
    },
    isRead: () => seen.has(first) && seen.has(last),
  };
}

const bytes = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj
trailer<</Root 1 0 R>>
%%EOF
`;
