const quick = `
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (run, ms, ...more) => wait(run, ms === 60_000 ? 50 : ms, ...more);`;

/** For a process that looks for hours that are over twenty times a second, not once a minute. */
export const quickRounds = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(quick)}`,
};
