export type * from './account.ts';
export type * from './embeddings.ts';
export * from './errors.ts';
export * from './limits.ts';
export type * from './messages.ts';
export type * from './operations.ts';
export type * from './quotes.ts';
export * from './routes.ts';
export type * from './streams.ts';
