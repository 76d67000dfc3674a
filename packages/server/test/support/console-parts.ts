import { createGuesses } from '../../src/admin-api/auth/guesses.ts';
import type { ConsoleParts } from '../../src/admin-api/routes/console-parts.ts';
import { createUploads, type UploadThread } from '../../src/admin-api/uploads/uploads.ts';
import { createViews } from '../../src/admin-api/views/views.ts';
import { createCatalog } from '../../src/catalog/create-catalog.ts';
import { shippedModels } from '../../src/catalog/models/shipped.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/silent-log.ts';
import type { Stack } from './stack.ts';

/** The parts of a console's routes on a stack. */
export function consolePartsOf({ admin, clock, config, service }: Stack): ConsoleParts {
  const catalog = createCatalog({ ...config, shipped: shippedModels(), clock });
  const guesses = createGuesses(clock);
  const uploads = createUploads(systemClock);
  const parts = {
    config,
    catalog,
    platforms: [],
    log: silentLog,
    guesses,
    uploads: {
      run<Result>(gone: AbortSignal, work: (thread: UploadThread) => Promise<Result>) {
        return clock.outside(uploads.run(gone, work));
      },
    },
  };
  return { ...parts, ...createViews(admin, { ...parts, live: service.live }), version: '1.2.3' };
}
