import type { Statement } from './statement.ts';

export interface ErrorShape extends Statement {
  /** Empty for the response; `name[]` is any item of a list. */
  readonly path: string;
  readonly when?: readonly [field: string, value: string];
  /** Must have a value; a success code does not count. */
  readonly needs: readonly string[];
  readonly codes: readonly string[];
  readonly message: string;
  readonly numbers?: string;
}

const usual = [
  ...['code', 'status', 'status_code', 'statusCode', 'http_code', 'error_code', 'type'],
  'error_type',
];
const openAiErrors = 'https://platform.openai.com/docs/guides/error-codes';
const responseErrors = 'https://platform.openai.com/docs/api-reference/responses-streaming/error';
const zhipuErrors = 'https://docs.bigmodel.cn/cn/api/api-code';

/** Each needs a value: `null`, `false`, an empty text and an empty object are not errors. */
export const errorShapes: readonly ErrorShape[] = [
  {
    ...{ vendor: 'all', source: openAiErrors, path: 'error', needs: [] },
    ...{ codes: usual, message: 'message', numbers: 'Zhipu' },
  },
  {
    ...{ vendor: 'Proxies of Anthropic', path: 'error.error', needs: [], codes: usual },
    ...{ source: 'anthropics/anthropic-sdk-typescript#616', message: 'message' },
  },
  {
    ...{ vendor: 'Bifrost', source: 'maximhq/bifrost#1674', path: '' },
    ...{ needs: ['error', 'status_code'], codes: ['status_code'], message: 'message' },
  },
  {
    ...{ vendor: 'Text Generation Inference', source: 'huggingface/huggingface_hub#2514' },
    ...{ path: '', needs: ['error', 'error_type'], codes: ['error_type'], message: 'error' },
  },
  {
    ...{ vendor: 'Spring Boot', path: '', needs: ['error', 'status'], codes: ['status'] },
    ...{ source: 'https://docs.spring.io/spring-boot/reference/web/servlet.html' },
    message: 'message',
  },
  {
    ...{ vendor: 'Fastify', source: 'https://github.com/fastify/fastify-rate-limit', path: '' },
    ...{ needs: ['statusCode', 'message'], codes: ['statusCode'], message: 'message' },
  },
  {
    ...{ vendor: 'Google', source: 'n4ze3m/page-assist#406', path: '[].error', needs: [] },
    ...{ codes: usual, message: 'message' },
  },
  {
    ...{ vendor: 'OpenAI', source: responseErrors, path: '', when: ['type', 'error'], needs: [] },
    ...{ codes: ['code', 'status', 'error_type'], message: 'message' },
  },
  {
    ...{ vendor: 'OpenAI', path: '', when: ['status', 'failed'], needs: [], codes: [] },
    ...{ source: 'https://platform.openai.com/docs/api-reference/responses/object' },
    message: 'message',
  },
  {
    ...{ vendor: 'vLLM, Mistral', source: 'raycast/extensions#31107', path: '' },
    ...{ when: ['object', 'error'], needs: [] },
    ...{ codes: ['raw_status_code', ...usual], message: 'message' },
  },
  {
    ...{ vendor: 'OpenRouter', source: 'https://openrouter.ai/docs/api-reference/errors' },
    ...{ path: 'choices[].error', needs: [], codes: usual, message: 'message' },
  },
  {
    ...{ vendor: 'OpenRouter', source: 'maximhq/bifrost#5963', path: 'choices[]' },
    ...{ when: ['finish_reason', 'error'], needs: [], codes: [], message: 'error' },
  },
  {
    ...{ vendor: 'Baidu', source: 'https://cloud.baidu.com/doc/WENXINWORKSHOP/s/tlmyncueh' },
    ...{ path: '', needs: ['error_code'], codes: ['error_code'] },
    ...{ message: 'error_msg', numbers: 'Baidu' },
  },
  {
    ...{ vendor: 'DashScope', path: '', needs: ['code', 'message'] },
    ...{ source: 'https://help.aliyun.com/zh/model-studio/developer-reference/error-code' },
    ...{ codes: ['code', 'status_code', 'status', 'type'], message: 'message' },
  },
  {
    ...{ vendor: 'Zhipu', source: zhipuErrors, path: '', needs: ['code', 'msg'] },
    ...{ codes: ['code'], message: 'msg', numbers: 'Zhipu' },
  },
  {
    ...{ vendor: 'Cloudflare', path: 'errors[]', needs: ['message'] },
    ...{ source: 'https://developers.cloudflare.com/workers-ai/platform/errors/' },
    ...{ codes: ['code'], message: 'message', numbers: 'Cloudflare' },
  },
  {
    ...{ vendor: 'MiniMax', source: 'https://platform.minimax.io/docs/api-reference/errorcode' },
    ...{ path: 'base_resp', needs: ['status_code'], codes: ['status_code'] },
    ...{ message: 'status_msg', numbers: 'MiniMax' },
  },
  {
    ...{
      vendor: 'FastAPI servers',
      source: 'https://fastapi.tiangolo.com/tutorial/handling-errors/',
    },
    ...{ path: 'detail', needs: [], codes: usual, message: 'message' },
  },
  {
    ...{
      vendor: 'FastAPI servers',
      source: 'https://fastapi.tiangolo.com/tutorial/handling-errors/',
    },
    ...{ path: 'detail[]', needs: ['msg'], codes: ['code'], message: 'msg' },
  },
];
