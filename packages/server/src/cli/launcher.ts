import { fileURLToPath } from 'node:url';

/** Starts a command in a separate process. */
export const launcher = fileURLToPath(new URL('../../bin/model-gateway.js', import.meta.url));
