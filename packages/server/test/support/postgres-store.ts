import { createPipelineConnections } from '../../src/store/postgres/pipeline/pipeline.ts';
import * as postgres from '../../src/store/postgres/store.ts';

type Parts = Parameters<typeof postgres.openPostgresStore>[0];

/** On the connections that `compose` chooses. */
export const openPostgresStore = (parts: Omit<Parts, 'connections'>) =>
  postgres.openPostgresStore({ connections: createPipelineConnections, ...parts });
