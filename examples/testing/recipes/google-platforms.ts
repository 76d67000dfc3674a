import { generateKeyPairSync } from 'node:crypto';
import { answerText, bearer, maxTokens, prompt, type RecipePlatform } from './recipe-platform.ts';

/** Google's own wire: the last event has all counts. Source: Gemini API, generateContent. */
function googleWire(): Pick<RecipePlatform, 'model' | 'body' | 'streamBody' | 'whole' | 'events'> {
  const content = { role: 'model', parts: [{ text: answerText }] };
  const usageMetadata = {
    ...{ promptTokenCount: 1_200, cachedContentTokenCount: 200, totalTokenCount: 1_280 },
    ...{ candidatesTokenCount: 50, thoughtsTokenCount: 30 },
  };
  const top = { modelVersion: 'gemini-3.5-flash', responseId: 'r-1' };
  const whole = {
    candidates: [{ content, finishReason: 'STOP', index: 0 }],
    usageMetadata,
    ...top,
  };
  const first = { promptTokenCount: 1_200, totalTokenCount: 1_200 };
  return {
    model: 'gemini-3.5-flash',
    body: {
      contents: [{ role: 'user', parts: [{ text: prompt }] }],
      generationConfig: { maxOutputTokens: maxTokens },
    },
    streamBody: {},
    whole,
    events: [
      { candidates: [{ content, index: 0 }], usageMetadata: first, ...top },
      {
        candidates: [{ content: { role: 'model', parts: [{ text: '' }] }, finishReason: 'STOP' }],
        ...{ usageMetadata, ...top },
      },
    ],
  };
}

// 1000 × 1.5 + 200 × 0.15 + 80 × 9, per million.
const geminiCostUsd = '0.00225';

/** Source: Gemini API, reference: the key is a header. */
export const gemini = (): RecipePlatform => {
  const url = 'https://generativelanguage.googleapis.com/v1beta/models/gemini-3.5-flash';
  return {
    ...{ ...googleWire(), costUsd: geminiCostUsd, variables: { GEMINI_API_KEY: 'gemini-key-1' } },
    headers: { 'x-goog-api-key': 'gemini-key-1' },
    url: `${url}:generateContent`,
    streamUrl: `${url}:streamGenerateContent?alt=sse`,
  };
};

/** Source: Vertex AI, REST reference; a service account gets its token by RFC 7523. */
export const vertexAi = (): RecipePlatform => {
  const path = 'projects/acme-1/locations/global/publishers/google/models/gemini-3.5-flash';
  const url = `https://aiplatform.googleapis.com/v1beta1/${path}`;
  return {
    ...{ ...googleWire(), costUsd: geminiCostUsd, variables: { GOOGLE_CLOUD_PROJECT: 'acme-1' } },
    headers: bearer('token-1'),
    url: `${url}:generateContent`,
    streamUrl: `${url}:streamGenerateContent?alt=sse`,
    also({ url, text }) {
      if (url !== 'https://oauth2.googleapis.com/token') return undefined;
      const form = new URLSearchParams(text);
      const isGrant = form.get('grant_type') === 'urn:ietf:params:oauth:grant-type:jwt-bearer';
      if (!isGrant || form.get('assertion') === null) {
        return { status: 400, json: { error: 'invalid_grant' } };
      }
      return { json: { access_token: 'token-1', expires_in: 3_599, token_type: 'Bearer' } };
    },
  };
};

/** The file that GOOGLE_APPLICATION_CREDENTIALS names. */
export function serviceAccount(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  return JSON.stringify({
    ...{ type: 'service_account', project_id: 'acme-1', private_key_id: '1', client_id: '1' },
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    client_email: 'gateway@acme-1.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
  });
}
