export * from './apps/inputs.ts';
export * from './calls/inputs.ts';
