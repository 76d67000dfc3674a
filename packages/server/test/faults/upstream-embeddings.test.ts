import { describe } from 'vitest';
import { openAiEmbeddings } from './upstream/further-surfaces.ts';
import { describeMatrix, faults, ofVectors } from './upstream/matrix.ts';

const parts = {
  ...{ surface: openAiEmbeddings, operations: ['embeddings'] as const },
  faults: ofVectors(faults),
};

describe('POST /v1/embeddings', () => describeMatrix(parts));

describe('POST /openai/v1/embeddings', () =>
  describeMatrix({
    ...parts,
    asOpenAi: (body) =>
      Object.fromEntries(
        Object.entries(body).map(([name, value]) => [name === 'userId' ? 'user' : name, value]),
      ),
  }));
