export {
  type PageOptions,
  toEventStreamResponse,
  toUIMessageStreamResponse,
} from './web/responses.ts';
